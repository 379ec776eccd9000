import type { Lifecycle } from '../definition/lifecycle.ts';
import { mermaid } from './mermaid.ts';

/** The files of `visualizations/` as they must be: path from the repository's root to text. */
export function renderVisualizations(lifecycles: readonly Lifecycle[]): ReadonlyMap<string, string> {
  return new Map(lifecycles.map((lifecycle) => [`visualizations/${lifecycle.name}.mmd`, mermaid(lifecycle)]));
}
