import { describe, expect, it } from 'vitest';
import { activeEntries } from '../../src/machine/active-entries.ts';
import { isCleared } from '../../src/machine/cleared.ts';
import { durationText } from '../../src/machine/duration-text.ts';
import { explain } from '../../src/machine/explain.ts';
import { database } from './database.ts';
import { commandFor, decided, minuteMs, seen, type Situation, standing, startMs } from './situation.ts';

function explained(state: string, situation: Situation = {}): readonly string[] {
  const position = standing(database, state);
  return explain(database, position, seen(database, position, situation)).map(
    ({ trigger, target, enabled, reason }) => `${trigger.name} -> ${target}: ${enabled}, ${reason}`,
  );
}

describe('explain', () => {
  it('tells for every edge what it waits for', () => {
    expect(explained('Failed')).toEqual([
      'ready -> Running: no, ready: ready is seen',
      'retry -> Pending: no, waits for command retry',
      'note -> Failed: no, waits for command note',
      'specChanged -> Pending: no, waits for specChanged',
      'refused -> Pending: no, waits for refused',
      'deleted -> Deleting: no, waits for deleted',
      'lost -> Upgrading.Checking: no, lost: lost is seen',
      'lost -> Pending: no, lost: lost is seen',
    ]);
  });

  it('tells the guard that is off and the fact that holds', () => {
    expect(explained('Failed', { labels: { ready: 'yes', behind: 'yes', lost: 'yes' }, spec: { size: 2 } })).toEqual(
      expect.arrayContaining([
        'ready -> Running: no, held back by not behind',
        'specChanged -> Pending: yes, the spec of generation 4 differs from the accepted one',
        'lost -> Upgrading.Checking: no, held back by allowed',
        'lost -> Pending: yes, lost is seen',
      ]),
    );
    expect(explained('Failed', { labels: { lost: 'yes', allowed: 'yes' } })).toContain(
      'lost -> Pending: no, an earlier edge of lost comes first',
    );
  });

  it('tells how long until a timeout', () => {
    expect(explained('Pending', { nowMs: startMs + 15_000 })).toContain('step -> Failed: no, in 45s');
    expect(explained('Pending', { nowMs: startMs + 2 * minuteMs })).toContain('step -> Failed: yes, longer than 1m in Pending');
    expect(explained('Running', { labels: { slow: 'unknown' } })).toContain('grace -> Failed: unknown, how long grace takes is not known');
  });

  it('tells what is not known and what fails, and throws nothing', () => {
    const words = explained('Running', { labels: { ready: 'unknown', behind: 'throws', allowed: 'unknown' }, spec: { size: 2 } });
    expect(words).toEqual(
      expect.arrayContaining([
        'specChanged -> Upgrading.Checking: unknown, not known: guard allowed (probe allowed)',
        'behind -> Upgrading.Replacing.Draining: unknown, fact behind failed: behind broke',
        'ready -> Failed: no, held back by broken',
      ]),
    );
  });

  it('tells a command that is asked', () => {
    const position = standing(database, 'Failed');
    expect(explained('Failed', { command: commandFor(position, 'retry', { reason: 'disk replaced' }) })).toContain(
      'retry -> Pending: yes, disk replaced',
    );
    expect(explained('Failed', { command: commandFor(position, 'retry', { sequence: 1 }) })).toContain(
      'retry -> Pending: no, waits for command retry',
    );
  });

  it('never calls an edge possible that decide would not take alone', () => {
    for (const leaf of database.chart.leaves) {
      for (const label of ['ready', 'behind', 'drained', 'lost', 'broken']) {
        for (const allowed of ['yes', 'no']) {
          const position = standing(database, leaf);
          const situation = { labels: { [label]: 'yes', allowed } };
          const possible = explain(database, position, seen(database, position, situation)).filter(({ enabled }) => enabled === 'yes');
          const decision = decided(database, position, situation);
          expect(possible[0]?.edge, `${leaf} ${label} ${allowed}`).toBe(decision.type === 'move' ? decision.edge : undefined);
        }
      }
    }
  });
});

describe('activeEntries', () => {
  it("lists the ensures and deletes of every level, the root's first", () => {
    expect(activeEntries(database, 'Upgrading.RollingBack')).toEqual([
      { name: 'pods', params: {} },
      { name: 'prefixed', params: { prefix: 'new-' } },
    ]);
    expect(activeEntries(database, 'Pending')).toEqual([]);
  });
});

describe('isCleared', () => {
  const pod = (name: string, labels: Record<string, string> = {}, deletionTimestamp?: string) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, uid: name, resourceVersion: '1', labels, ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }) },
  });

  it.each([
    ['nothing there', 'Deleting', [], true],
    ['something to delete', 'Deleting', [pod('a')], false],
    ['something on its way out', 'Deleting', [pod('a', {}, '2026-01-01T00:00:00Z')], false],
    ['only what the delete does not choose', 'Upgrading.RollingBack', [pod('old-1')], true],
    ['what the delete chooses by its params', 'Upgrading.RollingBack', [pod('old-1'), pod('new-1')], false],
    ['a state that deletes nothing', 'Running', [pod('a')], true],
  ])('judges by what the deletes of the state choose: %s', (_what, state, pods, cleared) => {
    expect(isCleared(database, state, seen(database, standing(database, state), { dependents: { pods } }).view)).toBe(cleared);
  });
});

describe('durationText', () => {
  it.each([
    [0, '0s'],
    [1_500, '1.5s'],
    [60_000, '1m'],
    [90_000, '1m30s'],
    [900_000, '15m'],
    [3_600_000, '1h'],
    [90_061_000, '1d1h'],
  ])('writes %d ms as %s', (ms, text) => {
    expect(durationText(ms)).toBe(text);
  });
});
