import { describe, expect, it } from 'vitest';
import { nodePool } from '../../machines/nodepool/definition.ts';
import { rbacOf } from '../../src/manifest/rbac.ts';
import { rollout } from './rollout.ts';

describe('the ClusterRole of an operator', () => {
  it('grants what NodePool does: status, its finalizer, nodes, evictions', () => {
    expect(rbacOf(nodePool)).toEqual({
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'phasekeeper:nodepools.ack.alibabacloud.com' },
      rules: [
        { apiGroups: ['ack.alibabacloud.com'], resources: ['nodepools'], verbs: ['get', 'list', 'watch', 'patch'] },
        { apiGroups: ['ack.alibabacloud.com'], resources: ['nodepools/status'], verbs: ['patch'] },
        { apiGroups: [''], resources: ['nodes'], verbs: ['get', 'list', 'watch', 'create', 'patch', 'delete'] },
        { apiGroups: [''], resources: ['pods'], verbs: ['get', 'list', 'watch'] },
        { apiGroups: [''], resources: ['pods/eviction'], verbs: ['create'] },
        { apiGroups: [''], resources: ['events'], verbs: ['create', 'patch'] },
      ],
    });
  });

  it('grants no finalizer, eviction or write that no state needs', () => {
    expect(rbacOf(rollout).rules.slice(0, -1)).toEqual([
      { apiGroups: ['test.example.com'], resources: ['rollouts'], verbs: ['get', 'list', 'watch'] },
      { apiGroups: ['test.example.com'], resources: ['rollouts/status'], verbs: ['patch'] },
      { apiGroups: [''], resources: ['pods'], verbs: ['get', 'list', 'watch', 'create', 'patch', 'delete'] },
      { apiGroups: ['test.example.com'], resources: ['zones'], verbs: ['get', 'list', 'watch'] },
    ]);
  });

  it('grants no delete for one that is declared and named by no state', () => {
    const nodes = new Map(
      [...rollout.chart.nodes].map(([path, node]) => [path, { ...node, entry: node.entry.filter(({ name }) => name !== 'oldPods') }]),
    );
    const rule = rbacOf({ ...rollout, chart: { ...rollout.chart, nodes } }).rules.find(({ resources }) => resources[0] === 'pods');
    expect(rule?.verbs).not.toContain('delete');
  });
});
