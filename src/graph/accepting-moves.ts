import type { Chart } from '../definition/chart.ts';
import { edgesFrom } from '../definition/chart-walk.ts';

/** Like `legalMoves`, for the edges that accept the spec; leaves without one are left out. */
export function acceptingMoves(chart: Chart): ReadonlyMap<string, readonly string[]> {
  const moves = new Map<string, readonly string[]>();
  for (const leaf of chart.leaves) {
    const accepting = edgesFrom(chart, leaf).filter((edge) => edge.accepts);
    if (accepting.length > 0) moves.set(leaf, [...new Set(accepting.map((edge) => edge.leaf ?? leaf))]);
  }
  return moves;
}
