import type { NamedReference } from '../definition/chart.ts';
import type { Lifecycle } from '../definition/lifecycle.ts';
import { statePlan } from './state-plan.ts';

/**
 * The ensures and deletes that hold in a state, the root's first, the leaf's last.
 *
 * @throws PhasekeeperError UNKNOWN_STATE when the machine has no such state
 */
export function activeEntries(lifecycle: Lifecycle, state: string): readonly NamedReference[] {
  return statePlan(lifecycle, state).entries;
}
