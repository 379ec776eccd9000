import { describe, expect, it } from 'vitest';
import { nodePool } from '../../machines/nodepool/definition.ts';
import type { KubernetesObject } from '../../src/resource/kubernetes-object.ts';
import type { Position } from '../../src/machine/position.ts';
import { restore } from '../../src/machine/restore.ts';
import { decided, followed, minuteMs, type Situation, standing, startMs } from './situation.ts';

const good = { minSize: 2, maxSize: 10, systemDiskCategory: 'cloud_essd' };
const bad = { ...good, minSize: 5 };
const phases = nodePool.chart.leaves.filter((leaf) => leaf !== 'Deleting');

function node(ordinal: number, ready: boolean): KubernetesObject {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name: `demo-${ordinal}`,
      uid: `uid-${ordinal}`,
      resourceVersion: '1',
      labels: { 'ack.alibabacloud.com/system-disk-category': 'cloud_essd' },
    },
    status: { conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }] },
  };
}

/** A world in which the first nodes are Ready and the others are not; it stays as it is. */
function world(ready: number, notReady = 0): Situation {
  const nodes = Array.from({ length: ready + notReady }, (_, ordinal) => node(ordinal, ordinal < ready));
  return { spec: good, dependents: { nodes } };
}

/** Follows every edge until the machine stays, and tells the phases on the way. */
function driven(position: Position, situation: Situation): { readonly end: Position; readonly path: readonly string[] } {
  const path: string[] = [position.state];
  let end = position;
  for (let edges = 0; edges < 20; edges++) {
    const decision = decided(nodePool, end, situation);
    if (decision.type !== 'move') return { end, path: decision.type === 'stay' ? path : [...path, decision.type] };
    end = followed(nodePool, end, situation);
    path.push(end.state);
  }
  return { end, path: [...path, 'for ever'] };
}

describe('NodePool', () => {
  it('B06 goes from Pending to Running by its edges at once when everything is ready', () => {
    const start = restore(nodePool, { state: 'Pending', sequence: 0 });
    if (start.type !== 'absent') throw new Error('the default is absent');
    const { end, path } = driven(start.position, world(2));
    expect(path).toEqual(['Pending', 'ScalingUp', 'Running']);
    expect(end).toMatchObject({ sequence: 2, accepted: { generation: 4, spec: good } });
    expect(end.history.map(({ event, cause }) => `${event}: ${cause}`)).toEqual([
      'fact unaccepted: no spec was accepted yet',
      'fact nodesReady: 2 of 2 nodes ready',
    ]);
  });

  it.each(phases)('B19 comes back by itself from %s when a bad spec is reverted', (phase) => {
    const stuck = standing(nodePool, phase, { memory: { attempts: 0 }, accepted: { generation: 3, spec: bad } });
    const { end, path } = driven(stuck, world(2));
    expect(path.at(-1)).toBe('Running');
    expect(end.accepted?.spec).toEqual(good);
  });

  it.each(phases)('B19 comes back by itself from %s when a bad spec is reverted before anything accepted it', (phase) => {
    const before = standing(nodePool, phase, { memory: { attempts: 0 }, accepted: { generation: 3, spec: good } });
    const hurt = driven(before, { ...world(2), spec: bad }).end;
    expect(hurt.accepted?.spec).toEqual(bad);
    const { end, path } = driven(hurt, world(2));
    expect(path.at(-1)).toBe('Running');
    expect(end.accepted?.spec).toEqual(good);
  });

  it('B19 comes back from Failed, where a timeout of the bad spec led', () => {
    const stuck = standing(nodePool, 'ScalingUp', { memory: { attempts: 0 }, accepted: { generation: 3, spec: bad } });
    const failed = driven(stuck, { ...world(2), spec: bad, nowMs: startMs + 15 * minuteMs });
    expect(failed.path).toEqual(['ScalingUp', 'Failed']);
    expect(driven(failed.end, world(2)).path).toEqual(['Failed', 'Pending', 'ScalingUp', 'Running']);
  });

  it.each<[string, Situation, string]>([
    ['the cause goes', world(2), 'Running'],
    ['a new spec comes', { ...world(1, 1), spec: { ...good, minSize: 1 } }, 'Pending'],
    ['it is told to retry', { ...world(1, 1), command: { raw: 'retry/5/a', name: 'retry', sequence: 5, token: 'a' } }, 'Pending'],
  ])('B22 leaves Failed when %s', (_what, situation, next) => {
    const failed = standing(nodePool, 'Failed', { sequence: 5, memory: { attempts: 1 }, accepted: { generation: 3, spec: good } });
    expect(driven(failed, world(1, 1)).path).toEqual(['Failed']);
    expect(driven(failed, situation).path[1]).toBe(next);
  });
});
