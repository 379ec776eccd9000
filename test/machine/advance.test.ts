import { describe, expect, it } from 'vitest';
import { createMachine, transition } from 'xstate';
import type { ChartEdge } from '../../src/definition/chart.ts';
import { edgesFrom } from '../../src/definition/chart-walk.ts';
import { toEdgeConfigs } from '../../src/definition/build-chart.ts';
import type { StateConfig } from '../../src/definition/machine-config.ts';
import { advance } from '../../src/machine/advance.ts';
import { restore } from '../../src/machine/restore.ts';
import { settle } from '../../src/machine/settle.ts';
import { database } from './database.ts';
import { commandFor, followed, minuteMs, standing, startMs } from './situation.ts';

const laterMs = startMs + minuteMs;

describe('advance', () => {
  it('makes one transition of a move', () => {
    const running = standing(database, 'Running');
    expect(followed(database, running, { labels: { behind: 'yes' }, nowMs: laterMs })).toEqual({
      ...running,
      state: 'Upgrading.Replacing.Draining',
      sequence: 6,
      enteredMs: { 'Upgrading.Replacing.Draining': laterMs, 'Upgrading.Replacing': laterMs, Upgrading: laterMs },
      memory: { attempts: 1, last: `fact behind {"pod":"db-0"} ${laterMs}` },
      history: [
        {
          sequence: 6,
          from: 'Running',
          to: 'Upgrading.Replacing.Draining',
          event: 'fact behind',
          at: '2026-01-01T00:01:00.000Z',
          cause: 'demo runs an old version',
          by: 'op-1',
        },
      ],
    });
  });

  it('starts from an object that was never stored', () => {
    const absent = restore(database, undefined);
    if (absent.type !== 'absent') throw new Error('nothing stored is absent');
    const after = followed(database, absent.position, { labels: { behind: 'yes' }, nowMs: laterMs });
    expect(after).toMatchObject({
      sequence: 1,
      recorded: true,
      enteredMs: { Upgrading: laterMs, 'Upgrading.Checking': laterMs },
      accepted: { generation: 4, spec: { size: 1 } },
    });
  });

  it('keeps the last ten transitions, the oldest first', () => {
    let position = standing(database, 'Upgrading.Replacing.Draining', { sequence: 0 });
    for (let count = 0; count < 25; count++) position = followed(database, position, { labels: { behind: 'yes', allowed: 'yes' } });
    expect(position.history.map(({ sequence }) => sequence)).toEqual([16, 17, 18, 19, 20, 21, 22, 23, 24, 25]);
    expect(position.sequence).toBe(25);
  });

  it('keeps no more of the words of a cause than the record has room for', () => {
    const failed = standing(database, 'Failed');
    const after = followed(database, failed, { refused: 'x'.repeat(9_999), labels: { allowed: 'yes' } });
    expect(after.history[0]?.cause).toHaveLength(256);
  });

  it('names the sender of a command, and the operator for everything else', () => {
    const failed = standing(database, 'Failed');
    const after = followed(database, failed, { command: commandFor(failed, 'retry', { by: 'alice' }) });
    expect(after.history.at(-1)?.by).toBe('alice');
    expect(after.lastCommand).toEqual({ token: 't1', name: 'retry', result: 'done', at: '2026-01-01T00:00:00.000Z', by: 'alice' });
    expect(followed(database, failed, { labels: { ready: 'yes' } }).history.at(-1)?.by).toBe('op-1');
  });

  it('accepts the spec only where the edge does', () => {
    const running = standing(database, 'Running', { stable: { generation: 3, spec: { size: 1 } } });
    const accepting = followed(database, running, { spec: { size: 2 }, labels: { allowed: 'yes' } });
    expect(accepting).toMatchObject({ accepted: { generation: 4, spec: { size: 2 } }, stable: { generation: 3, spec: { size: 1 } } });
    expect(followed(database, running, { spec: { size: 2 }, labels: { behind: 'yes' } }).accepted).toEqual(running.accepted);
  });

  it.each(database.chart.leaves)('renews the entry instant of exactly the levels that XState enters, for every edge of %s', (leaf) => {
    const position = standing(database, leaf);
    for (const edge of edgesFrom(database.chart, leaf)) {
      const move = { type: 'move', edge, event: { type: 'fact x', payload: {} }, cause: '', memory: {} } as const;
      const after = advance(database, position, move, { nowMs: laterMs, spec: {}, generation: 4 });
      const renewed = Object.entries(after.enteredMs).flatMap(([path, ms]) => (ms === laterMs ? [path] : []));
      const entered = enteredByXState(leaf, edge).filter((path) => path !== '');
      expect(renewed.toSorted(), `${leaf} by ${edge.source || 'the root'} ${edge.trigger.name} to ${edge.target}`).toEqual(
        entered.toSorted(),
      );
    }
  });

  it('renews an ancestor that is targeted from its own leaf', () => {
    const starting = standing(database, 'Upgrading.Replacing.Starting');
    const after = followed(database, starting, { command: commandFor(starting, 'restart'), nowMs: laterMs });
    expect(after).toMatchObject({ state: 'Upgrading.Checking', enteredMs: { Upgrading: laterMs, 'Upgrading.Checking': laterMs } });
  });
});

/** The states that XState enters when it takes one edge: every entry action replaced by one that tells, every other edge gone. */
function enteredByXState(leaf: string, edge: ChartEdge): readonly string[] {
  const telling = (config: StateConfig, path: string): object => {
    const section = edge.trigger.type === 'timeout' ? config.after : config.on;
    const taken = path === edge.source ? toEdgeConfigs(section?.[edge.trigger.name] ?? [])[edge.order] : undefined;
    return {
      entry: `enter ${path}`,
      ...(config.initial === undefined ? {} : { initial: config.initial }),
      ...(taken === undefined ? {} : { on: { TAKE: { target: taken.target, reenter: taken.reenter } } }),
      states: Object.fromEntries(
        Object.entries(config.states ?? {}).map(([name, child]) => [name, telling(child, path === '' ? name : `${path}.${name}`)]),
      ),
    };
  };
  const machine = createMachine({ id: 'Database', ...telling(database.config, '') });
  const value = leaf.split('.').reduceRight<object | string>((below, name) => (below === '' ? name : { [name]: below }), '');
  const [, actions] = transition(machine, machine.resolveState({ value: value as string, context: {} }), { type: 'TAKE' });
  return actions.map(({ type }) => type.slice('enter '.length));
}

describe('settle', () => {
  const asked = { spec: { size: 1 }, generation: 7 };

  it('moves the generation of a spec that is equal by value, and of no other', () => {
    const pending = standing(database, 'Pending');
    expect(settle(database, pending, asked).accepted).toEqual({ generation: 7, spec: { size: 1 } });
    expect(settle(database, pending, { spec: { size: 2 }, generation: 7 })).toBe(pending);
    expect(settle(database, { ...pending, accepted: undefined }, asked).accepted).toBeUndefined();
  });

  it('makes the accepted spec the stable one in a Current phase only', () => {
    const accepted = { generation: 7, spec: { size: 1 } };
    expect(settle(database, standing(database, 'Running', { accepted }), asked).stable).toEqual(accepted);
    expect(settle(database, standing(database, 'Failed', { accepted }), asked).stable).toBeUndefined();
  });

  it('gives back the same position when there is nothing to change', () => {
    const accepted = { generation: 7, spec: { size: 1 } };
    const settled = standing(database, 'Running', { accepted, stable: { ...accepted } });
    expect(settle(database, settled, asked)).toBe(settled);
  });
});
