import { edgesFrom, nodeAt } from '../definition/chart-walk.ts';
import type { Lifecycle } from '../definition/lifecycle.ts';
import type { TransitionRow } from './transition-table.ts';
import { transitionRow } from './transition-table.ts';

/** Stands in `from` for every leaf that an edge of the root can leave. */
export const anyPhase = 'any phase';

/** The transition table with each edge of the root once, at the end, from `any phase`. */
export function collapsedRows(lifecycle: Lifecycle): readonly TransitionRow[] {
  const { chart } = lifecycle;
  const own = chart.leaves.flatMap((leaf) =>
    edgesFrom(chart, leaf)
      .filter((edge) => edge.source !== '')
      .map((edge) => transitionRow(lifecycle, leaf, edge)),
  );
  return [...own, ...nodeAt(chart, '').edges.map((edge) => transitionRow(lifecycle, anyPhase, edge))];
}
