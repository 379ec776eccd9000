import type { Chart } from '../definition/chart.ts';
import { edgesFrom } from '../definition/chart-walk.ts';

/**
 * The leaves that one edge can lead to, for each leaf, in the order the edges are judged, each once. A leaf is among its own
 * where an edge leads back onto it or a command acts without leaving it: such an edge counts as a transition too.
 */
export function legalMoves(chart: Chart): ReadonlyMap<string, readonly string[]> {
  return new Map(chart.leaves.map((leaf) => [leaf, [...new Set(edgesFrom(chart, leaf).map((edge) => edge.leaf ?? leaf))]]));
}
