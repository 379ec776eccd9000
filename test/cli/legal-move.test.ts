import { expect, it } from 'vitest';
import { nodePool } from '../../machines/nodepool/definition.ts';
import { movesFrom, parseMoves } from '../../src/cli/legal-move.ts';
import { movesOf } from '../../src/cli/observed-object.ts';
import { transitionTableText } from '../../src/graph/transition-table-text.ts';

it('reads the same moves from the words of a CRD as from the definition', () => {
  const fromWords = parseMoves(transitionTableText(nodePool));
  const fromDefinition = movesOf(nodePool);
  for (const state of nodePool.chart.leaves) {
    const moves = (list: typeof fromWords) => movesFrom(list, state).map(({ to, event, guard }) => ({ to, event, guard }));
    expect(moves(fromWords)).toEqual(moves(fromDefinition));
  }
});

it('reads no moves from other words', () => {
  expect(parseMoves('The phase of a pod: Running -> maybe')).toEqual([]);
});
