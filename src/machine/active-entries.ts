import type { NamedReference } from '../definition/chart.ts';
import { levelsOf } from '../definition/chart-walk.ts';
import type { Lifecycle } from '../definition/lifecycle.ts';

/**
 * The ensures and deletes that hold in a state, the root's first, the leaf's last.
 *
 * @throws PhasekeeperError UNKNOWN_STATE when the machine has no such state
 */
export function activeEntries(lifecycle: Lifecycle, state: string): readonly NamedReference[] {
  return levelsOf(lifecycle.chart, state)
    .toReversed()
    .flatMap((node) => node.entry);
}
