import type { LifecycleRecord } from '../definition/lifecycle-record.ts';
import type { Lifecycle } from '../definition/lifecycle.ts';
import { instantText } from './instant-text.ts';
import type { Position } from './position.ts';
import { statePlan } from './state-plan.ts';

/**
 * The position as `status.lifecycle` stores it; `restore` reads it back. Instants are RFC 3339 in UTC with milliseconds. The allowed
 * commands are those with an edge out of the state, whatever their guards say now.
 *
 * @throws PhasekeeperError UNKNOWN_STATE when the position's state is none of the machine's
 */
export function toRecord(
  lifecycle: Lifecycle,
  position: Position,
  deadline?: { readonly atMs: number; readonly timeout: string },
): LifecycleRecord {
  const { accepted, stable, lastCommand } = position;
  const { commands } = statePlan(lifecycle, position.state);
  const entered = Object.entries(position.enteredMs).map(([path, ms]) => [path, instantText(ms)] as const);
  const hasMemory = Object.keys(position.memory).length > 0;
  return {
    machineVersion: lifecycle.vocabulary.machineVersion,
    state: position.state,
    sequence: position.sequence,
    ...(entered.length === 0 ? {} : { entered: Object.fromEntries(entered) }),
    ...(deadline === undefined ? {} : { deadline: { at: instantText(deadline.atMs), timeout: deadline.timeout } }),
    ...(hasMemory ? { memory: { ...position.memory } } : {}),
    ...(accepted === undefined ? {} : { accepted }),
    ...(stable === undefined ? {} : { stable }),
    ...(lastCommand === undefined ? {} : { lastCommand }),
    allowedCommands: [...commands],
    ...(position.history.length === 0 ? {} : { history: [...position.history] }),
  };
}
