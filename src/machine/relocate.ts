import { historyLength } from '../definition/lifecycle-record.ts';
import type { Lifecycle } from '../definition/lifecycle.ts';
import { instantText } from './instant-text.ts';
import type { Position } from './position.ts';
import type { MigratedPosition, Quarantined } from './restore.ts';
import { restore } from './restore.ts';
import { timedLevels } from './state-plan.ts';

/** When a state that the machine lacks is left, and who writes it. */
export interface Departure {
  /** The server's time, milliseconds since 1970. */
  readonly nowMs: number;
  readonly by?: string;
}

/**
 * The position after leaving a state that the machine does not have: by its migration, or from quarantine by the root's deletion
 * edge. One transition like any other. Undefined from a quarantine that has no way out.
 */
export function relocate(lifecycle: Lifecycle, lost: MigratedPosition | Quarantined, at: Departure): Position | undefined {
  const entered = (state: string) => Object.fromEntries(timedLevels(lifecycle, state).map((path) => [path, at.nowMs]));
  if (lost.type === 'migrated') {
    const { position } = lost;
    const enteredMs = { ...entered(position.state), ...position.enteredMs };
    return moved({ ...position, enteredMs }, { from: lost.from, event: 'migration', ...at });
  }
  if (lost.deletionTarget === undefined) return undefined;
  const start = restore(lifecycle, undefined);
  if (start.type !== 'absent') return undefined;
  const { accepted, stable, lastCommand, history = [] } = lost.record ?? {};
  const kept = { accepted, stable, lastCommand, history, sequence: lost.sequence };
  const arrived = { ...start.position, ...kept, state: lost.deletionTarget, enteredMs: entered(lost.deletionTarget) };
  return moved(arrived, { from: lost.state, event: 'fact deleted', ...at });
}

function moved(position: Position, { from, event, nowMs, by }: Departure & { readonly from: string; readonly event: string }): Position {
  const sequence = position.sequence + 1;
  const entry = { sequence, from, to: position.state, event, at: instantText(nowMs), ...(by === undefined ? {} : { by }) };
  return { ...position, sequence, history: [...position.history, entry].slice(-historyLength), recorded: true };
}
