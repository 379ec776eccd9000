import { describe, expect, it } from 'vitest';
import { nodePool } from '../../machines/nodepool/definition.ts';
import { getHead, getRows, lookOf } from '../../src/cli/get-rows.ts';
import { explainObject, movesOf } from '../../src/cli/observed-object.ts';
import type { KubernetesObject } from '../../src/resource/kubernetes-object.ts';
import { failedPool, growingPool, nowMs } from './sample-object.ts';

const columns = ['Name', 'Phase', 'Since', 'Ready', 'Replicas', 'Age'].map((name) => ({ name, priority: 0 }));
const moves = movesOf(nodePool);

function rowOf(
  object: KubernetesObject,
  options: { readonly explain?: boolean; readonly withNamespace?: boolean } = {},
): readonly string[] {
  const explained = options.explain ? explainObject(nodePool, object, { dependents: { nodes: new Map() }, nowMs }) : undefined;
  const rows = [{ cells: [object.metadata.name, 'x', 'x', 'x', '1', 'x'], object }];
  const shown = { withNamespace: options.withNamespace ?? false, wide: false, nowMs, waysOut: () => ({ moves, explained }) };
  return getRows({ columns, rows }, shown)[0] ?? [];
}

function withStatus(status: object): KubernetesObject {
  return { ...growingPool, status: { ...Object(growingPool['status']), ...status } };
}

describe('a row', () => {
  it('has the columns of the head, the author’s between Ready and what is waited for', () => {
    expect(getHead({ columns }, { withNamespace: false, wide: false })).toEqual([
      'NAME',
      'PHASE',
      'SINCE',
      'DEADLINE',
      'READY',
      'REPLICAS',
      'WAITING FOR',
      'AGE',
    ]);
    expect(rowOf(growingPool)).toEqual(['gpu-a', 'ScalingUp', '13m', 'in 105s', 'False', '1', 'nodesReady', '2d']);
  });

  it('has columns of lower priority only when wide', () => {
    const wide = [...columns, { name: 'Zone', priority: 1 }];
    expect(getHead({ columns: wide }, { withNamespace: false, wide: false })).not.toContain('ZONE');
    expect(getHead({ columns: wide }, { withNamespace: true, wide: true })).toEqual(expect.arrayContaining(['NAMESPACE', 'ZONE']));
  });

  it('says what is seen of the fact that is waited for, where the definition is at hand', () => {
    expect(rowOf(growingPool, { explain: true })[6]).toBe('nodesReady (0 of 3 nodes ready)');
  });

  it('says which command and what else leads out of a failed phase', () => {
    expect(rowOf(failedPool)).toEqual(['gpu-b', 'Failed', '40m', '-', 'False', '1', 'command retry, or a new spec, or nodesReady', '2d']);
  });

  it('marks a deadline that has passed', () => {
    const status = Object(growingPool['status']);
    const late = withStatus({ lifecycle: { ...status.lifecycle, deadline: { at: '2026-11-30T11:54:00Z', timeout: 'scaleUp' } } });
    expect(rowOf(late)[3]).toBe('6m overdue');
    expect(lookOf(late, nowMs)).toBe('bad');
  });

  it('waits for nothing in a steady phase', () => {
    expect(rowOf(withStatus({ phase: 'Running', conditions: [{ type: 'Ready', status: 'True', reason: 'Running' }] }))[6]).toBe('-');
  });

  it('waits for the operator before it has acted', () => {
    const fresh = { ...growingPool, status: { phase: 'Pending', lifecycle: { state: 'Pending', sequence: 0 } } };
    expect(rowOf(fresh)).toEqual(['gpu-a', 'Pending', '-', '-', '-', '1', 'the operator', '2d']);
  });

  it('says what holds the operator up before anything else', () => {
    const held = withStatus({
      conditions: [{ type: 'Stalled', status: 'True', reason: 'NameTaken', message: 'Node gpu-a-0 belongs to somebody else' }],
    });
    expect(rowOf(held)[6]).toBe('Node gpu-a-0 belongs to somebody else');
  });

  it('shows what it can of an object without a lifecycle', () => {
    expect(rowOf({ ...growingPool, status: { phase: 7, conditions: 'none' } })).toEqual([
      'gpu-a',
      '-',
      '-',
      '-',
      '-',
      '1',
      'the operator',
      '2d',
    ]);
  });
});
