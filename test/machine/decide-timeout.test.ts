import { describe, expect, it } from 'vitest';
import { deadlinesOf } from '../../src/machine/deadline.ts';
import type { Position } from '../../src/machine/position.ts';
import { restore } from '../../src/machine/restore.ts';
import { toRecord } from '../../src/machine/to-record.ts';
import { database } from './database.ts';
import { commandFor, decided, followed, minuteMs, moved, outcome, seen, standing, startMs } from './situation.ts';

/** The same position in the next process. */
function restarted(position: Position): Position {
  const restored = restore(database, JSON.parse(JSON.stringify(toRecord(database, position))));
  if (restored.type !== 'restored') throw new Error(`expected a restored position: ${restored.type}`);
  return restored.position;
}

describe('timeouts', () => {
  it('B12 fires once after a restart, at the original instant: overdue at once, not due not at all', () => {
    const entered = followed(database, standing(database, 'Failed'), {
      command: commandFor(standing(database, 'Failed'), 'retry'),
      nowMs: startMs + 1,
    });
    const dueMs = startMs + 1 + minuteMs;
    const later = restarted(entered);
    expect(later).toEqual(entered);
    expect(decided(database, later, { nowMs: dueMs - 1 })).toMatchObject({ type: 'stay', nextDeadline: { atMs: dueMs, timeout: 'step' } });
    expect(outcome(decided(database, later, { nowMs: dueMs }))).toBe('-> Failed');
    expect(outcome(decided(database, later, { nowMs: dueMs + 90 * minuteMs }))).toBe('-> Failed');
    const after = restarted(followed(database, later, { nowMs: dueMs + 90 * minuteMs }));
    expect(outcome(decided(database, after, { nowMs: dueMs + 90 * minuteMs }))).toBe('stay');
  });

  it('B13 never fires the timer of a phase that was left', () => {
    const pending = standing(database, 'Pending');
    const running = followed(database, pending, { labels: { ready: 'yes' }, nowMs: startMs + minuteMs - 1 });
    expect(running.state).toBe('Running');
    // Pending's step would be due; Running's own grace has just begun.
    expect(decided(database, running, { nowMs: startMs + 2 * minuteMs - 2 })).toMatchObject({
      type: 'stay',
      nextDeadline: { timeout: 'grace', atMs: startMs + 2 * minuteMs - 1 },
    });
  });

  it('B13 restarts the timers of a phase that is entered again', () => {
    const checking = standing(database, 'Upgrading.Checking');
    const again = followed(database, checking, { spec: { size: 2 }, nowMs: startMs + minuteMs / 2 });
    expect(again.state).toBe('Upgrading.Checking');
    expect(again.enteredMs).toEqual({ Upgrading: startMs + minuteMs / 2, 'Upgrading.Checking': startMs + minuteMs / 2 });
    expect(outcome(decided(database, again, { spec: { size: 2 }, nowMs: startMs + minuteMs }))).toBe('stay');
    expect(outcome(decided(database, again, { spec: { size: 2 }, nowMs: startMs + 1.5 * minuteMs }))).toBe('-> Failed');
  });

  it('B13 lets a root edge into the current phase restart nothing', () => {
    const checking = standing(database, 'Upgrading.Checking');
    const halfWay = { labels: { lost: 'yes', allowed: 'yes' }, nowMs: startMs + minuteMs / 2 };
    expect(decided(database, checking, halfWay)).toMatchObject({
      type: 'stay',
      nextDeadline: { atMs: startMs + minuteMs, timeout: 'step' },
    });
    expect(outcome(decided(database, checking, { ...halfWay, nowMs: startMs + minuteMs }))).toBe('-> Failed');
  });

  it('keeps the timer of a parent while its children change', () => {
    const checking = standing(database, 'Upgrading.Checking');
    const replacing = followed(database, checking, { labels: { ready: 'yes' }, nowMs: startMs + minuteMs / 2 });
    expect(outcome(decided(database, replacing, { nowMs: startMs + 5 * minuteMs - 1 }))).toBe('stay');
    expect(moved(decided(database, replacing, { nowMs: startMs + 5 * minuteMs })).cause).toBe('upgrade: longer than 5m in Upgrading');
  });

  it('takes the earliest deadline first, then the leaf first', () => {
    const starting = standing(database, 'Upgrading.Replacing.Starting');
    const both = { nowMs: startMs + 60 * minuteMs };
    expect(moved(decided(database, starting, both)).event.type).toBe('timeout step');
    const late = { ...starting, enteredMs: { ...starting.enteredMs, 'Upgrading.Replacing.Starting': startMs + 5 * minuteMs } };
    expect(moved(decided(database, late, both)).event.type).toBe('timeout upgrade');
    const equal = { ...starting, enteredMs: { ...starting.enteredMs, 'Upgrading.Replacing.Starting': startMs + 4 * minuteMs } };
    expect(moved(decided(database, equal, both)).event.type).toBe('timeout step');
  });

  it('keeps a due timeout due and judges its guard each time', () => {
    const running = standing(database, 'Running');
    expect(outcome(decided(database, running, { nowMs: startMs + minuteMs, labels: { ready: 'yes' } }))).toBe('stay');
    expect(outcome(decided(database, running, { nowMs: startMs + 9 * minuteMs, labels: { ready: 'yes' } }))).toBe('stay');
    expect(outcome(decided(database, running, { nowMs: startMs + 9 * minuteMs + 1 }))).toBe('-> Failed');
  });

  it('works out a deadline anew each time', () => {
    const running = standing(database, 'Running');
    expect(outcome(decided(database, running, { nowMs: startMs + minuteMs, labels: { slow: 'yes' } }))).toBe('stay');
    expect(outcome(decided(database, running, { nowMs: startMs + minuteMs, labels: { slow: 'no' } }))).toBe('-> Failed');
    expect(decided(database, running, { nowMs: startMs + minuteMs, labels: { slow: 'unknown' } })).toMatchObject({
      type: 'stay',
      unknown: ['timeout grace (probe slow)'],
    });
  });

  it('lists the deadlines of every level', () => {
    const starting = standing(database, 'Upgrading.Replacing.Starting');
    expect(deadlinesOf(database, starting, seen(database, starting).view)).toEqual([
      { timeout: 'step', atMs: startMs + minuteMs, source: 'Upgrading.Replacing.Starting', durationMs: minuteMs },
      { timeout: 'upgrade', atMs: startMs + 5 * minuteMs, source: 'Upgrading', durationMs: 5 * minuteMs },
    ]);
    const fresh = restore(database, undefined);
    if (fresh.type !== 'absent') throw new Error('nothing stored is absent');
    expect(deadlinesOf(database, fresh.position, seen(database, fresh.position).view)).toEqual([]);
  });
});
