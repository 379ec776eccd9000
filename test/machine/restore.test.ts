import { describe, expect, it } from 'vitest';
import { relocate } from '../../src/machine/relocate.ts';
import { restore } from '../../src/machine/restore.ts';
import { toRecord } from '../../src/machine/to-record.ts';
import { refuse } from '../../src/machine/refuse.ts';
import { database } from './database.ts';
import { commandFor, decided, minuteMs, standing, startMs } from './situation.ts';

const at = '2026-01-01T00:00:00.000Z';
const failedRecord = { state: 'Failed', sequence: 7, entered: { Failed: at } };

describe('restore', () => {
  it.each([
    ['nothing', undefined],
    ['null', null],
    ["the schema's default", { state: 'Pending', sequence: 0 }],
    ['an empty entered', { state: 'Pending', sequence: 0, entered: {} }],
  ])('starts an object of which is stored: %s', (_what, stored) => {
    expect(restore(database, stored)).toEqual({
      type: 'absent',
      position: {
        state: 'Pending',
        sequence: 0,
        enteredMs: {},
        memory: { attempts: 0, last: '' },
        accepted: undefined,
        stable: undefined,
        lastCommand: undefined,
        history: [],
        recorded: false,
      },
    });
  });

  it('starts where the schema put an object, even when machines start elsewhere by now', () => {
    expect(restore(database, { state: 'Running', sequence: 0 })).toMatchObject({ type: 'absent', position: { state: 'Running' } });
  });

  it('reads back what was recorded, in every state', () => {
    for (const leaf of database.chart.leaves) {
      const position = standing(database, leaf, {
        sequence: 12,
        memory: { attempts: 2, last: 'x' },
        stable: { generation: 2, spec: { size: 3 } },
        lastCommand: { token: 't', name: 'retry', result: 'done', at },
        history: [{ sequence: 12, from: 'Failed', to: leaf, event: 'fact ready', at }],
      });
      expect(restore(database, JSON.parse(JSON.stringify(toRecord(database, position))))).toEqual({ type: 'restored', position });
    }
  });

  it('reads back a refusal of an object that was never entered, so that it is refused once', () => {
    const start = restore(database, undefined);
    if (start.type !== 'absent') throw new Error('nothing stored is absent');
    const command = commandFor(start.position, 'retry');
    const refusal = decided(database, start.position, { command });
    if (refusal.type !== 'refuse') throw new Error('expected a refusal');
    const record = toRecord(database, refuse(start.position, refusal, startMs));
    expect(record).not.toHaveProperty('entered');
    const again = restore(database, JSON.parse(JSON.stringify(record)));
    if (again.type !== 'absent') throw new Error('a refusal enters nothing');
    expect(decided(database, again.position, { command }).type).toBe('stay');
  });

  it('fills in the defaults of fields that memory and spec got since', () => {
    const stored = { ...failedRecord, memory: { attempts: 2, gone: 1 }, accepted: { generation: 1, spec: {} } };
    expect(restore(database, stored)).toMatchObject({
      type: 'restored',
      position: { memory: { attempts: 2, last: '' }, accepted: { generation: 1, spec: { size: 1 } } },
    });
  });

  it('keeps an accepted spec that the schema no longer takes', () => {
    const accepted = { generation: 1, spec: { size: 'big' } };
    expect(restore(database, { ...failedRecord, accepted })).toMatchObject({ type: 'restored', position: { accepted } });
  });

  it('gives a level without an instant the latest one that is stored', () => {
    const stored = {
      state: 'Upgrading.Checking',
      sequence: 3,
      entered: { Upgrading: at, Old: '2026-01-01T00:01:00.000Z', 'Upgrading.Checking': 'soon' },
    };
    expect(restore(database, stored)).toMatchObject({
      type: 'restored',
      position: { enteredMs: { Upgrading: startMs, 'Upgrading.Checking': startMs + minuteMs } },
    });
    const history = [{ sequence: 3, from: 'Running', to: 'Failed', event: 'fact broken', at }];
    expect(restore(database, { state: 'Failed', sequence: 3, history })).toMatchObject({
      type: 'restored',
      position: { enteredMs: { Failed: startMs }, recorded: false },
    });
  });
});

describe('a state that the machine does not have', () => {
  it('moves to its migration, with its timers running on', () => {
    const restored = restore(database, { state: 'Growing', sequence: 7, entered: { Growing: at } });
    expect(restored).toMatchObject({
      type: 'migrated',
      from: 'Growing',
      position: { state: 'Upgrading.Checking', sequence: 7, enteredMs: { Upgrading: startMs, 'Upgrading.Checking': startMs } },
    });
    if (restored.type !== 'migrated') throw new Error('expected a migration');
    expect(relocate(database, restored, { nowMs: startMs + minuteMs, by: 'op-1' })).toMatchObject({
      state: 'Upgrading.Checking',
      sequence: 8,
      enteredMs: { Upgrading: startMs },
      recorded: true,
      history: [{ sequence: 8, from: 'Growing', to: 'Upgrading.Checking', event: 'migration', at: '2026-01-01T00:01:00.000Z', by: 'op-1' }],
    });
  });

  it('moves to its migration also when nobody ever entered it', () => {
    const restored = restore(database, { state: 'Growing', sequence: 0 });
    if (restored.type !== 'migrated') throw new Error('expected a migration');
    expect(relocate(database, restored, { nowMs: startMs })).toMatchObject({
      state: 'Upgrading.Checking',
      sequence: 1,
      enteredMs: { Upgrading: startMs, 'Upgrading.Checking': startMs },
    });
  });

  it('is quarantined when a schema of the author throws', () => {
    const memory = database.vocabulary.memory.refine(() => {
      throw new TypeError('broken refinement');
    });
    const broken = { ...database, vocabulary: { ...database.vocabulary, memory } };
    expect(restore(broken, failedRecord)).toMatchObject({ type: 'quarantined', reason: 'its memory cannot be read: broken refinement' });
  });

  it.each([
    ['a state without migration', { ...failedRecord, state: 'Sleeping' }, 'machine 1.2.0 has no state Sleeping'],
    ['a state that has become a parent', { ...failedRecord, state: 'Upgrading' }, 'machine 1.2.0 has no state Upgrading'],
    ['a name of JavaScript', { ...failedRecord, state: 'constructor' }, 'machine 1.2.0 has no state constructor'],
    [
      'memory of another type',
      { ...failedRecord, state: 'Running', memory: { attempts: 'many' } },
      'its memory cannot be read: attempts: ',
    ],
    ['no instants', { state: 'Failed', sequence: 7 }, 'its record does not say when a state was entered'],
    ['unreadable instants', { ...failedRecord, entered: { Failed: 'yesterday' } }, 'its record does not say when a state was entered'],
    ['a sequence that is no number', { ...failedRecord, sequence: 'seven' }, 'status.lifecycle cannot be read: sequence: '],
    ['no object', 'Failed', 'status.lifecycle cannot be read: '],
    ['a list', [1], 'status.lifecycle cannot be read: '],
  ])('is quarantined, with the way that a deletion takes: %s', (_what, stored, reason) => {
    const restored = restore(database, stored);
    expect(restored).toMatchObject({ type: 'quarantined', reason: expect.stringContaining(reason), deletionTarget: 'Deleting' });
  });

  it('leaves quarantine by deletion, keeping what could be read', () => {
    const accepted = { generation: 3, spec: { size: 2 } };
    const restored = restore(database, { ...failedRecord, state: 'Sleeping', accepted, memory: { attempts: 'many' } });
    if (restored.type !== 'quarantined') throw new Error('expected quarantine');
    expect(restored).toMatchObject({ state: 'Sleeping', sequence: 7 });
    expect(relocate(database, restored, { nowMs: startMs })).toEqual({
      ...standing(database, 'Deleting', { sequence: 8, accepted }),
      history: [{ sequence: 8, from: 'Sleeping', to: 'Deleting', event: 'fact deleted', at }],
    });
  });

  it('has no way out of quarantine without an unguarded deletion edge of the root, nor from its own target', () => {
    const nodes = new Map(database.chart.nodes);
    const root = nodes.get('');
    if (root === undefined) throw new Error('a chart has a root');
    nodes.set('', { ...root, edges: root.edges.map((edge) => ({ ...edge, guard: { name: 'allowed', params: {} } })) });
    const guarded = restore({ ...database, chart: { ...database.chart, nodes } }, { ...failedRecord, state: 'Sleeping' });
    const inside = restore(database, { ...failedRecord, state: 'Deleting', memory: { attempts: 'many' } });
    for (const restored of [guarded, inside]) {
      if (restored.type !== 'quarantined') throw new Error('expected quarantine');
      expect(restored).not.toHaveProperty('deletionTarget');
      expect(relocate(database, restored, { nowMs: startMs })).toBeUndefined();
    }
  });
});

describe('toRecord', () => {
  it('writes instants as RFC 3339 in UTC with milliseconds, and the commands that have an edge', () => {
    const starting = standing(database, 'Upgrading.Replacing.Starting', { enteredMs: { Upgrading: startMs + 7 } });
    expect(toRecord(database, starting, { atMs: startMs + minuteMs, timeout: 'step' })).toEqual({
      machineVersion: '1.2.0',
      state: 'Upgrading.Replacing.Starting',
      sequence: 5,
      entered: { Upgrading: '2026-01-01T00:00:00.007Z' },
      deadline: { at: '2026-01-01T00:01:00.000Z', timeout: 'step' },
      memory: { attempts: 0, last: '' },
      accepted: { generation: 3, spec: { size: 1 } },
      allowedCommands: ['restart', 'rollBack'],
    });
    expect(toRecord(database, standing(database, 'Running')).allowedCommands).toEqual([]);
  });
});
