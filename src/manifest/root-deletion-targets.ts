import type { Chart } from '../definition/chart.ts';
import { nodeAt } from '../definition/chart-walk.ts';

/** The leaves that a deletion leads to from anywhere, also from a state that the machine no longer knows. */
export function rootDeletionTargets(chart: Chart): readonly string[] {
  const edges = nodeAt(chart, '').edges.filter((edge) => edge.trigger.type === 'fact' && edge.trigger.name === 'deleted');
  return [...new Set(edges.flatMap((edge) => edge.leaf ?? []))];
}
