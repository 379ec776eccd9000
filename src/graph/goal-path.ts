import type { Chart } from '../definition/chart.ts';
import { legalMoves } from './legal-moves.ts';

/**
 * A shortest way from a leaf into a state, as leaves, both ends included; the leaf alone when it is there already. Undefined when
 * no sequence of edges leads there, whatever the facts and guards say.
 *
 * @param goal a leaf, or a parent, which any of its leaves fulfils
 */
export function goalPath(chart: Chart, from: string, goal: string): readonly string[] | undefined {
  const moves = legalMoves(chart);
  const seen = new Set([from]);
  const paths: (readonly string[])[] = [[from]];
  for (const path of paths) {
    const leaf = path.at(-1) ?? from;
    if (leaf === goal || leaf.startsWith(`${goal}.`)) return path;
    for (const next of moves.get(leaf) ?? []) {
      if (seen.has(next)) continue;
      seen.add(next);
      paths.push([...path, next]);
    }
  }
  return undefined;
}
