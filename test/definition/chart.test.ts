import { describe, expect, it } from 'vitest';
import { type AnyMachineSnapshot, transition } from 'xstate';
import type { ChartEdge, NamedReference } from '../../src/definition/chart.ts';
import { edgesFrom, levelsOf, nodeAt } from '../../src/definition/chart-walk.ts';
import type { Lifecycle } from '../../src/definition/lifecycle.ts';
import { timeoutEvent } from '../../src/definition/xstate-machine.ts';
import { nodePool } from '../../machines/nodepool/definition.ts';
import { mysql } from '../types/mysql-kit.ts';
import { configWith, define, steady } from './greenhouse.ts';

const turning = define(
  configWith({
    Empty: {
      ...steady,
      on: {
        warm: [
          { target: 'Full', guard: { type: 'isAbove', params: { degrees: 30 } } },
          { target: '#Greenhouse.Full.Ripe', guard: 'cold' },
          { target: 'Gone', guard: { type: 'not', params: { guard: 'hasWater' } } },
        ],
      },
      after: { grow: [{ target: 'Full.Ripe', guard: 'hasWater' }, { target: 'Full' }] },
    },
    Full: {
      initial: 'Green',
      on: { retry: { target: '.Green', reenter: true }, water: { actions: ['grown', 'attempt'] } },
      after: { grow: 'Empty' },
      states: {
        Green: { ...steady, on: { cold: 'Ripe' } },
        Ripe: { ...steady, on: { cold: '#Greenhouse.Full', warm: '#Greenhouse.Empty' } },
      },
    },
  }),
);

const lifecycles: readonly (readonly [string, Lifecycle])[] = [
  ['NodePool', nodePool],
  ['MySQLCluster', mysql],
  ['Greenhouse', turning],
];

function snapshotAt({ machine }: Lifecycle, leaf: string, judge: (guard: NamedReference) => boolean): AnyMachineSnapshot {
  const value = leaf.split('.').reduceRight<unknown>((below, name) => (below === undefined ? name : { [name]: below }), undefined);
  return machine.resolveState({ value: value as string, context: { judge } }) as AnyMachineSnapshot;
}

function eventOf({ chart, vocabulary }: Lifecycle, { trigger, source }: ChartEdge): { readonly type: string } {
  return { type: trigger.type === 'timeout' ? timeoutEvent(vocabulary.kind, nodeAt(chart, source).path, trigger.name) : trigger.name };
}

function leafOf(snapshot: AnyMachineSnapshot): string {
  const path: string[] = [];
  for (let value: unknown = snapshot.value; value !== undefined; ) {
    const [name, below] = typeof value === 'string' ? [value, undefined] : (Object.entries(value as object)[0] ?? []);
    if (name !== undefined) path.push(name);
    value = below;
  }
  return path.join('.');
}

function sameGuard(left: NamedReference, right: NamedReference | undefined): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

describe.each(lifecycles)('the chart of %s', (_, lifecycle) => {
  const { chart } = lifecycle;

  it('D03 leads each edge of each leaf where XState leads it', () => {
    for (const leaf of chart.leaves) {
      const edges = levelsOf(chart, leaf).flatMap((level) => level.edges);
      for (const edge of edges) {
        // The first enabled edge wins: only the guard of this one holds, so that one before it without a guard hides it.
        const { type } = eventOf(lifecycle, edge);
        const before = edges.slice(0, edges.indexOf(edge)).filter((other) => eventOf(lifecycle, other).type === type);
        if (before.some((other) => other.guard === undefined)) continue;
        const start = snapshotAt(lifecycle, leaf, (guard) => sameGuard(guard, edge.guard));
        const [next] = transition(lifecycle.machine, start, { type });
        expect([leaf, edge.trigger, edge.order, leafOf(next as AnyMachineSnapshot)]).toEqual([
          leaf,
          edge.trigger,
          edge.order,
          edge.leaf ?? leaf,
        ]);
      }
    }
  });

  it('has no edge that XState does not know, and XState none that it lacks', () => {
    for (const leaf of chart.leaves) {
      const events = new Set(levelsOf(chart, leaf).flatMap((level) => level.edges.map((edge) => eventOf(lifecycle, edge).type)));
      const known = snapshotAt(lifecycle, leaf, () => true)._nodes.flatMap((node) => [...node.transitions.keys()]);
      expect(new Set(known)).toEqual(events);
    }
  });

  it('starts where XState starts', () => {
    expect(chart.initial).toBe(nodeAt(chart, '').initialLeaf);
    expect(chart.leaves).toContain(chart.initial);
  });

  it('hands each guard to the judge by its name and params', () => {
    const asked: NamedReference[] = [];
    const guarded = chart.leaves.flatMap((leaf) => levelsOf(chart, leaf).flatMap((level) => level.edges.map((edge) => ({ leaf, edge }))));
    for (const { leaf, edge } of guarded.filter((each) => each.edge.guard !== undefined)) {
      const start = snapshotAt(lifecycle, leaf, (guard) => {
        asked.push(guard);
        return false;
      });
      transition(lifecycle.machine, start, eventOf(lifecycle, edge));
      expect(asked.some((guard) => sameGuard(guard, edge.guard))).toBe(true);
    }
  });
});

describe('the chart', () => {
  it('keeps the order of the config: on, then after, then the parents', () => {
    const words = edgesFrom(turning.chart, 'Empty').map(({ trigger, order, leaf }) => `${trigger.type} ${trigger.name} ${order} ${leaf}`);
    expect(words).toEqual([
      'fact warm 0 Full.Green',
      'fact warm 1 Full.Ripe',
      'fact warm 2 Gone',
      'timeout grow 0 Full.Ripe',
      'timeout grow 1 Full.Green',
      'fact deleted 0 Gone',
    ]);
  });

  it('says what a command does that leads nowhere', () => {
    const water = nodeAt(turning.chart, 'Full').edges.find(({ trigger }) => trigger.name === 'water');
    expect(water).toEqual({
      source: 'Full',
      trigger: { type: 'command', name: 'water' },
      order: 0,
      reenter: false,
      actions: [
        { name: 'grown', params: {} },
        { name: 'attempt', params: {} },
      ],
      accepts: false,
    });
  });

  it('knows phases, leaves, kstatus and what changes memory', () => {
    expect(turning.chart.phases).toEqual(['Empty', 'Gone', 'Full']);
    expect(turning.chart.leaves).toEqual(['Empty', 'Gone', 'Full.Green', 'Full.Ripe']);
    expect(nodeAt(turning.chart, 'Gone').kstatus).toBe('Terminating');
    expect(nodeAt(turning.chart, 'Full').kstatus).toBeUndefined();
    expect([...turning.chart.remembers]).toEqual(['attempt', 'attemptsSet']);
    expect(turning.chart.accepts).toBe(false);
    expect(nodePool.chart.accepts).toBe(true);
  });
});
