import type { Lifecycle } from '../definition/lifecycle.ts';
import { collapsedRows } from './collapsed-rows.ts';
import { edgeWords } from './edge-words.ts';
import { lifecycleTitle } from './lifecycle-title.ts';

/**
 * The transition table as plain text, for `kubectl explain <kind>.status.phase`: one line per edge, which says all by itself.
 * kubectl wraps longer lines at 76 characters, so nothing hangs on columns.
 */
export function transitionTableText(lifecycle: Lifecycle): string {
  const edges = collapsedRows(lifecycle).map((row) => `${row.from} -> ${row.to}: ${edgeWords(row)}`);
  return [`Legal transitions of ${lifecycleTitle(lifecycle)}. Everything else is refused.`, ...edges].join('\n');
}
