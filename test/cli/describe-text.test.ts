import { describe, expect, it } from 'vitest';
import { nodePool } from '../../machines/nodepool/definition.ts';
import { dependentLines, dependentName } from '../../src/cli/dependent-line.ts';
import { describeObject } from '../../src/cli/description.ts';
import { describeText } from '../../src/cli/describe-text.ts';
import { parseMoves } from '../../src/cli/legal-move.ts';
import { dependentsOf, explainObject, movesOf } from '../../src/cli/observed-object.ts';
import { ownerLabelValue } from '../../src/engine/owner-label.ts';
import { transitionTableText } from '../../src/graph/transition-table-text.ts';
import type { KubernetesObject } from '../../src/resource/kubernetes-object.ts';
import { failedPool, nowMs } from './sample-object.ts';

const plain = { paint: (_: unknown, text: string) => text, isUnicode: false, nowMs };

function node(ordinal: number, ready: 'True' | 'False', message = ''): KubernetesObject {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: `gpu-b-${ordinal}`, uid: `n-${ordinal}`, resourceVersion: '1', creationTimestamp: '2026-11-28T12:00:00Z' },
    status: { conditions: [{ type: 'Ready', status: ready, message }] },
  };
}

const nodes = [node(0, 'True'), node(1, 'False', 'kubelet stopped posting node status')];
const dependents = { nodes: new Map([[ownerLabelValue(nodePool.name, failedPool.metadata), nodes]]) };

const known = {
  object: failedPool,
  moves: movesOf(nodePool),
  explained: explainObject(nodePool, failedPool, { dependents, nowMs }),
  dependents: dependentsOf(nodePool, dependents, failedPool)['nodes'],
  group: true,
};

describe('a description', () => {
  it('says where the object is, why, what comes next, what it owns and what happened', () => {
    process.env['TZ'] = 'UTC';
    const description = describeObject(known);
    expect(describeText(description, plain)).toBe(
      [
        'NodePool gpu-b   machine 1.0.0   generation 4, observed 4   transition 7',
        'Phase  Failed for 40m   Ready=False   Stalled=True',
        'Why    ScalingUp -> Failed by timeout scaleUp: longer than 15m in ScalingUp',
        'Next   a new spec     -> Pending',
        '       nodesReady     -> Running   0 of 3 nodes ready',
        '       command retry  -> Pending',
        '       deletion       -> Deleting',
        '',
        'NodePool/gpu-b',
        '|- Node/gpu-b-0  Ready     2d',
        '`- Node/gpu-b-1  NotReady  2d  kubelet stopped posting node status',
        '',
        'Last transitions',
        '  7  Nov 30 11:19:02  ScalingUp -> Failed   timeout scaleUp   after 15m  longer than 15m in ScalingUp  pk-1',
        '  6  Nov 30 11:04:02  Running -> ScalingUp  fact belowTarget             2 of 3 nodes ready            pk-1',
        '',
        'Conditions',
        '  Ready        False  40m  Failed  out of time',
        '  Reconciling  False  40m  Failed  out of time',
        '  Stalled      True   40m  Failed  out of time',
        '',
      ].join('\n'),
    );
  });

  it('names the legal moves also where there is no project', () => {
    const moves = parseMoves(transitionTableText(nodePool));
    const text = describeText(describeObject({ object: failedPool, moves, group: true }), plain);
    expect(text).toContain(
      'Next   a new spec     -> Pending\n       nodesReady     -> Running\n       command retry  -> Pending\n       deletion       -> Deleting\n',
    );
    expect(text).not.toContain('NodePool/gpu-b');
  });

  it('draws the tree with lines where the locale allows', () => {
    const description = describeObject(known);
    expect(describeText(description, { ...plain, isUnicode: true })).toContain('├─ Node/gpu-b-0  Ready     2d\n└─ Node/gpu-b-1');
  });
});

describe('dependents', () => {
  it('that are alike share a line where there are many', () => {
    const many = [...Array.from({ length: 5 }, (_, ordinal) => node(ordinal, 'True')), node(9, 'False', 'gone')];
    expect(dependentLines(many, true).map(dependentName)).toEqual(['Node/gpu-b-0, gpu-b-1, gpu-b-2, … (5)', 'Node/gpu-b-9']);
    expect(dependentLines(many, false)).toHaveLength(6);
  });

  it('that are being deleted say what holds them', () => {
    const [, leaving] = nodes.map((each) => ({
      ...each,
      metadata: { ...each.metadata, deletionTimestamp: '2026-11-30T11:00:00Z', finalizers: ['a/b'] },
    }));
    expect(dependentLines([leaving ?? node(1, 'True')], true)).toMatchObject([{ state: 'Deleting', message: 'a/b' }]);
  });
});
