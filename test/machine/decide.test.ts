import { describe, expect, it } from 'vitest';
import { database } from './database.ts';
import { commandFor, decided, minuteMs, moved, outcome, standing, startMs } from './situation.ts';

describe('the order of decisions', () => {
  it('puts deletion before a command, a fact and a due timeout', () => {
    const failed = standing(database, 'Failed');
    const everything = { labels: { ready: 'yes' }, command: commandFor(failed, 'retry'), nowMs: startMs + 60 * minuteMs };
    expect(outcome(decided(database, failed, { ...everything, deleted: true }))).toBe('-> Deleting');
    expect(outcome(decided(database, failed, everything))).toBe('-> Pending');
  });

  it('puts facts before a due timeout', () => {
    const pending = standing(database, 'Pending');
    const due = { nowMs: startMs + minuteMs };
    expect(outcome(decided(database, pending, { ...due, labels: { ready: 'yes' } }))).toBe('-> Running');
    expect(outcome(decided(database, pending, due))).toBe('-> Failed');
  });

  it("takes a leaf's facts in the order `on` lists them", () => {
    const running = standing(database, 'Running');
    const both = { spec: { size: 2 }, labels: { allowed: 'yes', behind: 'yes' } };
    expect(moved(decided(database, running, both)).event.type).toBe('fact specChanged');
    expect(moved(decided(database, running, { ...both, labels: { behind: 'yes' } })).event.type).toBe('fact behind');
  });

  it("takes the leaf's facts before its parents' and the root's, whichever event XState would find first", () => {
    const draining = standing(database, 'Upgrading.Replacing.Draining');
    // `behind` is guarded off in the leaf and open in Upgrading; `ready` is open in Replacing, which lies between.
    expect(outcome(decided(database, draining, { labels: { behind: 'yes', broken: 'yes' } }))).toBe('-> Upgrading.RollingBack');
    expect(outcome(decided(database, draining, { labels: { behind: 'yes', broken: 'yes', ready: 'yes' } }))).toBe('-> Running');
    expect(outcome(decided(database, draining, { labels: { behind: 'yes', broken: 'yes', lost: 'yes' } }))).toBe(
      '-> Upgrading.RollingBack',
    );
    expect(outcome(decided(database, draining, { labels: { behind: 'yes', drained: 'yes', broken: 'yes' } }))).toBe(
      '-> Upgrading.Replacing.Starting',
    );
  });

  it("takes a parent's edge for what the leaf does not handle", () => {
    const checking = standing(database, 'Upgrading.Checking');
    expect(outcome(decided(database, checking, { command: commandFor(checking, 'rollBack') }))).toBe('-> Upgrading.RollingBack');
    expect(outcome(decided(database, checking, { deleted: true }))).toBe('-> Deleting');
  });
});

describe('edges that mean nothing', () => {
  it('takes no edge of the root onto the active phase', () => {
    const checking = standing(database, 'Upgrading.Checking');
    expect(outcome(decided(database, checking, { labels: { lost: 'yes', allowed: 'yes' } }))).toBe('stay');
    expect(outcome(decided(database, standing(database, 'Deleting'), { deleted: true }))).toBe('stay');
  });

  it('lets an edge onto the active phase keep the edges after it from being taken', () => {
    const running = standing(database, 'Running');
    const checking = standing(database, 'Upgrading.Checking');
    const labels = { lost: 'yes', allowed: 'yes' };
    expect(outcome(decided(database, running, { labels }))).toBe('-> Upgrading.Checking');
    // The first edge would lead back here: the second, to Pending, is not for when the first one's guard holds.
    expect(outcome(decided(database, checking, { labels }))).toBe('stay');
    expect(outcome(decided(database, checking, { labels: { lost: 'yes' } }))).toBe('-> Pending');
  });
});

describe('facts', () => {
  it('carries the payload and the words of the fact', () => {
    const move = moved(decided(database, standing(database, 'Running'), { labels: { behind: 'yes' } }));
    expect(move).toMatchObject({ event: { type: 'fact behind', payload: { pod: 'db-0' } }, cause: 'demo runs an old version' });
  });

  it('has the built-in ones: deleted, unaccepted, specChanged, refused, cleared', () => {
    const fresh = { ...standing(database, 'Pending'), accepted: undefined };
    expect(outcome(decided(database, fresh, { labels: { behind: 'yes' } }))).toBe('-> Upgrading.Checking');
    expect(outcome(decided(database, standing(database, 'Pending'), { labels: { behind: 'yes' } }))).toBe('stay');
    const failed = standing(database, 'Failed');
    expect(moved(decided(database, failed, { spec: { size: 2 } })).cause).toBe('the spec of generation 4 differs from the accepted one');
    expect(moved(decided(database, failed, { refused: 'quota exceeded', labels: { allowed: 'yes' } })).cause).toBe('quota exceeded');
    const back = standing(database, 'Upgrading.RollingBack');
    const pods = (name: string) => [{ apiVersion: 'v1', kind: 'Pod', metadata: { name, uid: name, resourceVersion: '1' } }];
    expect(outcome(decided(database, back, { labels: { drained: 'yes' }, dependents: { pods: pods('new-1') } }))).toBe('stay');
    expect(outcome(decided(database, back, { labels: { drained: 'yes' }, dependents: { pods: pods('old-1') } }))).toBe('-> Pending');
  });

  it('compares the spec by value, whatever the order of its fields', () => {
    const position = standing(database, 'Failed', { accepted: { generation: 1, spec: { size: 1, zones: { b: 1, a: [1, 2] } } } });
    expect(outcome(decided(database, position, { spec: { zones: { a: [1, 2], b: 1 }, size: 1 } }))).toBe('stay');
    expect(outcome(decided(database, position, { spec: { zones: { a: [2, 1], b: 1 }, size: 1 } }))).toBe('-> Pending');
  });

  it('names the fact where its words fail', () => {
    const running = standing(database, 'Running');
    const why = moved(decided(database, running, { labels: { broken: 'yes', allowed: 'yes' }, annotations: { why: 'disk' } }));
    expect(why.cause).toBe('broken: DISK');
    const failing = { labels: { broken: 'yes', allowed: 'yes' }, annotations: Object.defineProperty({}, 'why', { get: () => ({}) }) };
    expect(moved(decided(database, running, failing)).cause).toBe('broken');
  });

  it('asks each fact at most once, and none that has no edge and is no guard', () => {
    const asked: string[] = [];
    const labels = new Proxy<Record<string, string>>({ ready: 'yes' }, { get: (all, name: string) => (asked.push(name), all[name]) });
    decided(database, standing(database, 'Running'), { labels });
    expect(asked.filter((name) => name !== 'slow')).toEqual(['behind', 'ready', 'broken', 'lost']);
  });
});

describe('what is not known', () => {
  it('skips an edge whose fact or guard is unknown, and says what is missing', () => {
    const running = standing(database, 'Running');
    expect(decided(database, running, { labels: { behind: 'unknown' } })).toMatchObject({
      type: 'stay',
      unknown: ['fact behind (probe behind)'],
    });
    const guarded = decided(database, running, { spec: { size: 2 }, labels: { allowed: 'unknown', behind: 'yes' } });
    expect(moved(guarded).event.type).toBe('fact behind');
    expect(decided(database, running, { spec: { size: 2 }, labels: { allowed: 'unknown' } })).toMatchObject({
      type: 'stay',
      unknown: ['guard allowed (probe allowed)'],
      guardedOff: [{ event: 'fact specChanged', guard: 'allowed (unknown)' }],
    });
  });

  it('stays unknown under `not`', () => {
    const failed = standing(database, 'Failed');
    expect(outcome(decided(database, failed, { labels: { ready: 'yes', behind: 'no' } }))).toBe('-> Running');
    expect(outcome(decided(database, failed, { labels: { ready: 'yes', behind: 'yes' } }))).toBe('stay');
    expect(outcome(decided(database, failed, { labels: { ready: 'yes', behind: 'unknown' } }))).toBe('stay');
  });

  it('lets a timeout into a phase with deletes wait while a fact is unknown, and no other timeout', () => {
    const starting = standing(database, 'Upgrading.Replacing.Starting');
    const due = startMs + minuteMs;
    expect(outcome(decided(database, starting, { nowMs: due }))).toBe('-> Upgrading.Replacing.Draining');
    expect(outcome(decided(database, starting, { nowMs: due, labels: { ready: 'unknown' } }))).toBe('stay');
    expect(outcome(decided(database, standing(database, 'Pending'), { nowMs: due, labels: { ready: 'unknown' } }))).toBe('-> Failed');
  });

  it('skips an edge whose remember reads what is not known', () => {
    const failed = standing(database, 'Failed');
    const decision = decided(database, failed, { labels: { doubt: 'unknown' }, command: commandFor(failed, 'note') });
    expect(decision).toMatchObject({ type: 'refuse', reason: 'guardedOff', guards: ['remember doubt (probe doubt)'] });
  });
});

describe("faults in the author's code", () => {
  const failed = standing(database, 'Failed');
  it.each([
    ['a fact', 'Failed', { labels: { ready: 'throws' } }, 'fact ready', 'ready broke'],
    ['a fact below one that is true and guarded off', 'Running', { labels: { ready: 'yes', lost: 'throws' } }, 'fact lost', 'lost broke'],
    ['a guard', 'Running', { labels: { broken: 'yes', allowed: 'throws' } }, 'guard allowed', 'allowed broke'],
    ['a fact that is a guard', 'Failed', { labels: { ready: 'yes', behind: 'throws' } }, 'fact behind', 'behind broke'],
    [
      'a guard of a command',
      'Failed',
      { labels: { doubt: 'throws' }, command: commandFor(failed, 'note') },
      'remember doubt',
      'doubt broke',
    ],
    ['a timeout', 'Running', { labels: { slow: 'throws' } }, 'timeout grace', 'slow broke'],
    [
      'a fact that answers with a promise',
      'Pending',
      { labels: { ready: 'promise' } },
      'fact ready',
      'fact ready answered a promise where',
    ],
    [
      'a remember that does not fit',
      'Failed',
      { labels: { doubt: 'yes' }, command: commandFor(failed, 'note') },
      'remember doubt',
      'does not fit the memory',
    ],
  ])('is an outcome with the name of the object: %s', (_what, state, situation, place, words) => {
    const decision = decided(database, standing(database, state), situation);
    expect(decision).toMatchObject({ type: 'fault', place, object: 'Database demo', error: expect.any(Error) });
    expect(decision).toHaveProperty('message', expect.stringContaining(`${place} failed for Database demo: `));
    expect(decision).toHaveProperty('message', expect.stringContaining(words));
  });

  it('never lets an edge after a failing guard be taken', () => {
    const running = standing(database, 'Running');
    // `lost` has a second edge without a guard.
    expect(decided(database, running, { labels: { lost: 'yes', allowed: 'throws' } })).toMatchObject({
      type: 'fault',
      place: 'guard allowed',
    });
  });

  it('still lets a deletion through when a fact fails', () => {
    expect(outcome(decided(database, failed, { labels: { ready: 'throws' }, deleted: true }))).toBe('-> Deleting');
  });
});

describe('staying', () => {
  it('names each guard that holds back what is true', () => {
    const running = standing(database, 'Running');
    expect(decided(database, running, { spec: { size: 2 }, labels: { ready: 'yes' } })).toEqual({
      type: 'stay',
      unknown: [],
      guardedOff: [
        { event: 'fact specChanged', guard: 'allowed' },
        { event: 'fact ready', guard: 'broken' },
      ],
      nextDeadline: { atMs: startMs + minuteMs, timeout: 'grace' },
    });
  });

  it('names what holds back a due timeout', () => {
    const decision = decided(database, standing(database, 'Running'), { labels: { ready: 'yes' }, nowMs: startMs + 2 * minuteMs });
    expect(decision).toMatchObject({ type: 'stay', guardedOff: expect.arrayContaining([{ event: 'timeout grace', guard: 'not ready' }]) });
    expect(decision).not.toHaveProperty('nextDeadline');
  });
});

describe('memory', () => {
  it('is what the remembers of the edge leave, each seeing the one before and what fired', () => {
    const running = standing(database, 'Running', { memory: { attempts: 2, last: '' } });
    expect(moved(decided(database, running, { labels: { behind: 'yes' } })).memory).toEqual({
      attempts: 3,
      last: `fact behind {"pod":"db-0"} ${startMs}`,
    });
  });
});
