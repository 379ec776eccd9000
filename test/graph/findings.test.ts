import { describe, expect, it } from 'vitest';
import { nodePool } from '../../machines/nodepool/definition.ts';
import type { ChartEdge, ChartNode } from '../../src/definition/chart.ts';
import type { Lifecycle } from '../../src/definition/lifecycle.ts';
import { PhasekeeperError } from '../../src/failure/phasekeeper-error.ts';
import { findings } from '../../src/graph/findings.ts';
import { requireSound } from '../../src/graph/require-sound.ts';
import { rollout } from '../manifest/rollout.ts';

/** The fixture with other edges: the definition itself refuses some of these machines, and must not be what is tested. */
function withEdges(change: (edge: ChartEdge, node: ChartNode) => boolean): Lifecycle {
  const nodes = [...rollout.chart.nodes].map(
    ([path, node]) => [path, { ...node, edges: node.edges.filter((edge) => change(edge, node)) }] as const,
  );
  return { ...rollout, chart: { ...rollout.chart, nodes: new Map(nodes) } };
}

describe('the first static checks', () => {
  it('find nothing in a sound machine', () => {
    expect(findings(nodePool)).toEqual([]);
    expect(findings(rollout)).toEqual([]);
    expect(() => requireSound(nodePool)).not.toThrow();
  });

  it('find a leaf that nothing leads to; a migration leads to its target', () => {
    const cut = withEdges((edge) => edge.target !== 'Upgrading.Replacing' && edge.leaf !== 'Upgrading.Checking');
    expect(findings(cut)).toMatchObject([{ code: 'UNREACHABLE_STATE', state: 'Upgrading.Replacing' }]);
    const unmigrated = { ...cut, vocabulary: { ...cut.vocabulary, migrations: {} } };
    expect(findings(unmigrated).map(({ state }) => state)).toEqual(['Upgrading.Checking', 'Upgrading.Replacing']);
  });

  it('find a leaf that nothing but deletion leads out of, unless it is steady', () => {
    const stuck = withEdges((_, node) => node.path !== 'Failed' && node.path !== 'Running');
    expect(findings(stuck).filter(({ code }) => code === 'DEAD_END')).toMatchObject([
      { state: 'Failed', hint: expect.stringContaining('Failed') as unknown },
    ]);
  });

  it('find the leaves that a deletion does not leave, where there is a Terminating one', () => {
    const kept = withEdges((edge) => edge.trigger.name !== 'deleted');
    const codes = findings(kept).map(({ code, state }) => `${code} ${state}`);
    expect(codes).toEqual([
      'NO_DELETION_EDGE Pending',
      'NO_DELETION_EDGE Running',
      'NO_DELETION_EDGE Upgrading.Checking',
      'NO_DELETION_EDGE Upgrading.Replacing',
      'NO_DELETION_EDGE Failed',
      'UNREACHABLE_STATE Deleting',
    ]);
  });

  it('refuse an unsound machine with all that was found and what to write', () => {
    const unsound = withEdges((edge) => edge.trigger.name !== 'deleted');
    expect(() => requireSound(unsound)).toThrow(PhasekeeperError);
    expect(() => requireSound(unsound)).toThrow(
      /Rollout 2\.0\.0 .* is not sound\n.*NO_DELETION_EDGE: .*Pending.*on: \{ deleted: '\.Deleting' \}/,
    );
  });
});
