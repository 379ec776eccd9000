import { expect, it } from 'vitest';
import { nodePool } from '../../machines/nodepool/definition.ts';
import { acceptingMoves } from '../../src/graph/accepting-moves.ts';
import { goalPath } from '../../src/graph/goal-path.ts';
import { legalMoves } from '../../src/graph/legal-moves.ts';
import { rollout, rolloutMoves } from '../manifest/rollout.ts';

it('knows the leaves that one edge leads to, parents and the root included', () => {
  const moves = [...legalMoves(rollout.chart)].map(([leaf, targets]) => [leaf, targets.toSorted()]);
  expect(Object.fromEntries(moves)).toEqual(
    Object.fromEntries(Object.entries(rolloutMoves).map(([leaf, targets]) => [leaf, targets.toSorted()])),
  );
});

it('counts a leaf among its own moves where an edge or a command that only acts leads back onto it, and nowhere else', () => {
  const ontoThemselves = [...legalMoves(nodePool.chart), ...legalMoves(rollout.chart)].filter(([leaf, targets]) => targets.includes(leaf));
  expect(ontoThemselves.map(([leaf]) => leaf)).toEqual(['ScalingUp', 'Running', 'Failed']);
});

it('lists the moves that accept the spec', () => {
  expect(Object.fromEntries(acceptingMoves(nodePool.chart))).toEqual({
    Pending: ['ScalingUp'],
    ScalingUp: ['ScalingUp'],
    Running: ['ScalingDown', 'ScalingUp', 'Running'],
    ScalingDown: ['ScalingUp'],
    Failed: ['Pending'],
  });
});

it('finds a shortest way to a leaf or into a parent, or says that there is none', () => {
  const { chart } = rollout;
  expect(goalPath(chart, 'Pending', 'Upgrading.Replacing')).toEqual(['Pending', 'Running', 'Upgrading.Checking', 'Upgrading.Replacing']);
  expect(goalPath(chart, 'Failed', 'Upgrading')).toEqual(['Failed', 'Pending', 'Running', 'Upgrading.Checking']);
  expect(goalPath(chart, 'Upgrading.Checking', 'Upgrading')).toEqual(['Upgrading.Checking']);
  expect(goalPath(chart, 'Deleting', 'Running')).toBeUndefined();
});
