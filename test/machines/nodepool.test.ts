import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { edgesFrom, nodeAt } from '../../src/definition/chart-walk.ts';
import type { ChartEdge } from '../../src/definition/chart.ts';
import { nodePool } from '../../machines/nodepool/definition.ts';
import { type NodeSketch, viewOf } from './nodepool-view.ts';

const { chart, vocabulary } = nodePool;

/** The table of the state machine: who leads where, by what, on which condition, with which actions. */
const table = `
  Pending     | fact unaccepted    |                | ScalingUp   | accept
  Pending     | fact sizeKnown     |                | ScalingUp   |
  ScalingUp   | fact nodesReady    |                | Running     | attemptsReset
  ScalingUp   | fact specChanged   |                | ScalingUp   | accept
  ScalingUp   | fact aboveTarget   |                | ScalingDown |
  ScalingUp   | fact refused       |                | Failed      | nodesRefused
  ScalingUp   | timeout scaleUp    | not nodesReady | Failed      | scaleUpTimedOut
  Running     | fact askedSmaller  | canShrink      | ScalingDown | accept
  Running     | fact askedLarger   |                | ScalingUp   | accept
  Running     | fact askedOther    | nodesReady     | Running     | accept
  Running     | fact belowTarget   |                | ScalingUp   |
  Running     | fact aboveTarget   | canShrink      | ScalingDown |
  ScalingDown | fact nodesReady    |                | Running     | attemptsReset
  ScalingDown | fact specChanged   |                | ScalingUp   | accept
  ScalingDown | fact belowTarget   | not aboveTarget| ScalingUp   |
  ScalingDown | timeout scaleDown  | not nodesReady | Failed      | scaleDownTimedOut
  Failed      | fact specChanged   |                | Pending     | accept attemptsReset
  Failed      | fact nodesReady    |                | Running     | attemptsReset
  Failed      | command retry      |                | Pending     | attempt
`;

function rowOf(edge: ChartEdge): string {
  const guard = edge.guard === undefined ? '' : edge.guard.name === 'not' ? `not ${String(edge.guard.params['guard'])}` : edge.guard.name;
  const actions = edge.actions.map(({ name }) => name).join(' ');
  return [edge.source, `${edge.trigger.type} ${edge.trigger.name}`, guard, edge.leaf, actions].join('|');
}

function ask(fact: string, view: ReturnType<typeof viewOf>): unknown {
  return vocabulary.facts[fact]?.when(view);
}

/** What an ensure desires, in short: `demo-0`, cordoned ones in brackets. */
function desired(ensure: string, view: ReturnType<typeof viewOf>): string {
  const objects = vocabulary.ensure[ensure]?.(view, {}) ?? [];
  return objects.map((object) => (object['spec'] === undefined ? object.metadata.name : `[${object.metadata.name}]`)).join(' ');
}

function removed(name: string, view: ReturnType<typeof viewOf>): string {
  const nodes = view.dependents['nodes'] ?? [];
  return nodes
    .filter((node) => vocabulary.deletes[name]?.only(node, view, {}))
    .map((node) => node.metadata.name)
    .join(' ');
}

const ready = (...ordinals: readonly number[]): readonly NodeSketch[] => ordinals.map((ordinal) => ({ ordinal }));

describe('the machine', () => {
  it('is exactly the table', () => {
    const rows = table
      .trim()
      .split('\n')
      .map((row) =>
        row
          .split('|')
          .map((cell) => cell.trim())
          .join('|'),
      );
    const edges = chart.phases.flatMap((phase) => nodeAt(chart, phase).edges.map(rowOf));
    expect(edges).toEqual(rows);
  });

  it('has six phases, and deletion leads out of each but Deleting', () => {
    expect(chart.phases).toEqual(['Pending', 'ScalingUp', 'Running', 'ScalingDown', 'Failed', 'Deleting']);
    expect(chart.initial).toBe('Pending');
    for (const phase of chart.phases) {
      const leads = edgesFrom(chart, phase).some(({ trigger, leaf }) => trigger.name === 'deleted' && leaf === 'Deleting');
      expect([phase, leads]).toEqual([phase, phase !== 'Deleting']);
    }
  });

  it('tells kstatus what each phase means', () => {
    expect(chart.leaves.map((leaf) => nodeAt(chart, leaf).kstatus)).toEqual([
      'InProgress',
      'InProgress',
      'Current',
      'InProgress',
      'Failed',
      'Terminating',
    ]);
  });

  it('gives a scale-up 15 minutes and a scale-down 10', () => {
    const minutes = Object.entries(vocabulary.timeouts).map(([name, timeout]) => [
      name,
      typeof timeout === 'function' ? undefined : timeout.as('minutes'),
    ]);
    expect(minutes).toEqual([
      ['scaleUp', 15],
      ['scaleDown', 10],
    ]);
  });
});

describe('the spec', () => {
  it('is what the sample asks', () => {
    const sample: unknown = parse(readFileSync(join(import.meta.dirname, '../../machines/nodepool/sample.yaml'), 'utf8'));
    expect(sample).toEqual({
      apiVersion: nodePool.kind.apiVersion,
      kind: nodePool.kind.kind,
      metadata: { name: 'demo' },
      spec: { minSize: 2, maxSize: 10, systemDiskCategory: 'cloud_essd' },
    });
    expect(vocabulary.spec.safeParse((sample as { spec: unknown }).spec).success).toBe(true);
  });

  it.each([[{ minSize: 3, maxSize: 2 }], [{ minSize: -1 }], [{ minSize: 1.5 }], [{ systemDiskCategory: 'floppy' }]])(
    'refuses %j',
    (change) => {
      const result = vocabulary.spec.safeParse({ minSize: 2, maxSize: 10, systemDiskCategory: 'cloud_essd', ...change });
      expect(result.success).toBe(false);
    },
  );
});

describe('the facts', () => {
  it.each<[string, readonly NodeSketch[], readonly string[]]>([
    ['all wanted nodes are ready', ready(0, 1), ['nodesReady']],
    ['one is missing', ready(0), ['belowTarget']],
    ['one is not ready', [{ ordinal: 0 }, { ordinal: 1, ready: false }], ['belowTarget']],
    ['one is cordoned', [{ ordinal: 0 }, { ordinal: 1, cordoned: true }], ['belowTarget']],
    ['one has another disk', [{ ordinal: 0 }, { ordinal: 1, disk: 'cloud_ssd' }], ['belowTarget']],
    ['one is being deleted', [{ ordinal: 0 }, { ordinal: 1, deleting: true }], ['belowTarget']],
    ['one is beyond', ready(0, 1, 2), ['aboveTarget']],
    ['one beyond is on its way out', [...ready(0, 1), { ordinal: 2, deleting: true }], ['aboveTarget']],
    ['one is missing and one beyond', ready(0, 2), ['belowTarget', 'aboveTarget']],
    ['a node of another pool stands by', [...ready(0, 1), { name: 'demo-1-2' }], ['nodesReady']],
    ['a name is no ordinal', [...ready(0, 1), { name: 'demo-02' }], ['nodesReady']],
  ])('are about the target when %s', (_, nodes, expected) => {
    const view = viewOf({ nodes });
    expect(['nodesReady', 'belowTarget', 'aboveTarget'].filter((fact) => ask(fact, view) === true)).toEqual(expected);
  });

  it.each<[string, Readonly<Record<string, unknown>>, readonly string[]]>([
    ['nothing', {}, []],
    ['fewer', { minSize: 1 }, ['askedSmaller']],
    ['more', { minSize: 3, maxSize: 3 }, ['askedLarger']],
    ['another bound', { maxSize: 9 }, ['askedOther']],
    ['other disks', { systemDiskCategory: 'cloud' }, ['askedOther']],
  ])('tell that %s is asked', (_, spec, expected) => {
    const view = viewOf({ spec, nodes: [] });
    expect(['askedSmaller', 'askedLarger', 'askedOther'].filter((fact) => ask(fact, view) === true)).toEqual(expected);
  });

  it('say what people want to know', () => {
    const { says } = vocabulary.facts['belowTarget'] ?? { says: '' };
    expect(typeof says === 'function' && says(viewOf({ nodes: ready(0) }))).toBe('1 of 2 nodes ready');
  });
});

describe('the nodes that exist', () => {
  it('are the wanted ones, whole and open', () => {
    expect(desired('nodes', viewOf({ nodes: [] }))).toBe('demo-0 demo-1');
    expect(vocabulary.ensure['nodes']?.(viewOf({ nodes: [] }), {})[0]).toEqual({
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: 'demo-0', labels: { 'ack.alibabacloud.com/system-disk-category': 'cloud_essd' } },
    });
  });

  it('are opened again when their removal was called off', () => {
    expect(desired('nodes', viewOf({ nodes: [...ready(0, 1), { ordinal: 2, cordoned: true }] }))).toBe('demo-0 demo-1 demo-2');
  });

  it('are never more than maxSize, also while others are beyond or on their way out', () => {
    const accepted = { minSize: 3, maxSize: 3 };
    expect(desired('nodes', viewOf({ accepted, nodes: ready(0, 5) }))).toBe('demo-0 demo-5 demo-1');
    expect(desired('nodes', viewOf({ accepted, nodes: [...ready(0), { ordinal: 1, deleting: true }, { name: 'demo-x' }] }))).toBe('demo-0');
    expect(desired('nodes', viewOf({ accepted, nodes: ready(4, 5, 6, 7) }))).toBe('demo-4 demo-5 demo-6 demo-7');
  });

  it('are cordoned in ScalingDown if they go, and none is created', () => {
    const nodes = [...ready(1, 2, 4), { ordinal: 3, deleting: true }];
    expect(desired('shrinkingNodes', viewOf({ nodes }))).toBe('demo-1 [demo-2] [demo-4]');
    expect(desired('leavingNodes', viewOf({ nodes }))).toBe('[demo-1] [demo-2] [demo-4]');
  });

  it('are removed beyond the accepted size, but not beyond an asked size that is larger', () => {
    expect(removed('surplus', viewOf({ nodes: [...ready(0, 1, 2, 3), { name: 'demo-x' }] }))).toBe('demo-2 demo-3');
    expect(removed('surplus', viewOf({ spec: { minSize: 3 }, nodes: ready(0, 1, 2, 3) }))).toBe('demo-3');
    expect(removed('surplus', viewOf({ spec: { minSize: 1 }, nodes: ready(0, 1, 2, 3) }))).toBe('demo-2 demo-3');
    expect(removed('all', viewOf({ nodes: [...ready(0), { name: 'demo-x' }] }))).toBe('demo-0 demo-x');
  });
});

describe('the policy for shrinking', () => {
  it.each<[boolean, readonly NodeSketch[]]>([
    [true, ready(0, 1)],
    [true, [...ready(0), { ordinal: 1, ready: false }]],
    [false, [{ ordinal: 0, ready: false }, { ordinal: 1 }]],
    [false, [{ ordinal: 0, deleting: true }, { ordinal: 1 }]],
    [false, ready(1)],
  ])('says %s when the nodes are %j', (expected, nodes) => {
    expect(vocabulary.guards['canShrink']?.(viewOf({ spec: { minSize: 1 }, nodes }), {})).toBe(expected);
  });
});

describe('the report', () => {
  it('counts the nodes that are ready and stay', () => {
    const nodes = [...ready(0, 1), { ordinal: 2, ready: false }, { ordinal: 3, deleting: true }, { ordinal: 4, cordoned: true }];
    expect(vocabulary.report?.(viewOf({ nodes }))).toEqual({ status: { actualReplicas: 3 } });
  });
});

describe('adoption', () => {
  const adopt = (nodes: readonly NodeSketch[]) => vocabulary.adopt?.(viewOf({ spec: { minSize: 1, maxSize: 2 }, nodes }));

  it.each<[string, readonly NodeSketch[], unknown]>([
    ['the size that exists', ready(0, 1, 2), { minSize: 3, maxSize: 3, systemDiskCategory: 'cloud_essd' }],
    ['the bound that is asked if it is wide enough', ready(0), { minSize: 1, maxSize: 2, systemDiskCategory: 'cloud_essd' }],
    [
      'the highest ordinal, so that no node goes for one that is missing',
      ready(0, 3),
      { minSize: 4, maxSize: 4, systemDiskCategory: 'cloud_essd' },
    ],
    ['the disks that exist', [{ ordinal: 0, disk: 'cloud' }], { minSize: 1, maxSize: 2, systemDiskCategory: 'cloud' }],
    [
      'the asked disks while labels are mixed',
      [{ ordinal: 0, disk: 'cloud' }, { ordinal: 1 }],
      { minSize: 2, maxSize: 2, systemDiskCategory: 'cloud_essd' },
    ],
    ['no node on its way out', [...ready(0), { ordinal: 1, deleting: true }], { minSize: 1, maxSize: 2, systemDiskCategory: 'cloud_essd' }],
    ['nothing when no disk is known', [{ ordinal: 0, disk: 'floppy' }], 'unknown'],
    [
      'nothing when mixed labels are not the asked ones',
      [
        { ordinal: 0, disk: 'cloud' },
        { ordinal: 1, disk: 'cloud_ssd' },
      ],
      'unknown',
    ],
    ['nothing when every node is on its way out', [{ ordinal: 0, deleting: true }], 'unknown'],
  ])('takes %s', (_, nodes, expected) => {
    expect(adopt(nodes)).toEqual(expected);
  });
});

describe('the pods', () => {
  it.each([
    ['demo-0', 'demo'],
    ['demo-1-12', 'demo-1'],
    ['elsewhere', undefined],
    [undefined, undefined],
  ])('on %s concern %s', (nodeName, pool) => {
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'p', namespace: 'n', uid: 'u', resourceVersion: '1' },
      spec: { nodeName },
    };
    expect(vocabulary.watches['pods']?.of(pod)).toBe(pool);
  });
});

describe('the invariant', () => {
  const holds = (to: string, actualReplicas: number) =>
    vocabulary.invariants['replicasWithinBounds']?.({
      ...viewOf({ accepted: { minSize: 2, maxSize: 3 }, nodes: [] }),
      transition: { from: 'ScalingUp', to, before: {}, after: { actualReplicas } },
    });

  it('keeps a running pool within its bounds and says nothing about others', () => {
    expect([1, 2, 3, 4].map((replicas) => holds('Running', replicas))).toEqual([false, true, true, false]);
    expect(holds('Failed', 0)).toBe(true);
  });
});
