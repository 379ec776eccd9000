import type { Lifecycle } from '../definition/lifecycle.ts';
import type { AnyView } from '../definition/view.ts';
import type { Position } from './position.ts';
import { statePlan } from './state-plan.ts';
import type { DurationAnswer } from './timeout-duration.ts';
import { timeoutDuration } from './timeout-duration.ts';

/** When a timeout of an active level falls due. */
export interface Deadline {
  readonly timeout: string;
  /** Milliseconds since 1970 on the server: entry of the level plus the timeout's length now. */
  readonly atMs: number;
  /** Path of the level that declares it. */
  readonly source: string;
  readonly durationMs: number;
}

/** The deadlines of a position, and the timeouts that have none because their length is not known or their function failed. */
export interface Deadlines {
  /** The earliest first; of several at one instant the leaf's first. */
  readonly known: readonly Deadline[];
  readonly unknown: readonly string[];
  readonly fault: Extract<DurationAnswer, { type: 'fault' }> | undefined;
}

/** Works out every deadline of a position. */
export function readDeadlines(lifecycle: Lifecycle, position: Position, view: AnyView): Deadlines {
  const known: Deadline[] = [];
  const unknown: string[] = [];
  for (const { source, name } of statePlan(lifecycle, position.state).timeouts) {
    const length = timeoutDuration(lifecycle, name, view);
    if (length.type === 'fault') return { known, unknown, fault: length };
    const enteredMs = position.enteredMs[source];
    if (length.type === 'unknown') unknown.push(length.what);
    // An object that was never stored entered nothing yet: its first write starts its timers.
    else if (enteredMs !== undefined)
      known.push({ timeout: name, atMs: enteredMs + length.durationMs, source, durationMs: length.durationMs });
  }
  // The sort is stable: levels of one instant stay leaf first.
  if (known.length > 1) known.sort((one, other) => one.atMs - other.atMs);
  return { known, unknown, fault: undefined };
}

/** The deadlines that are known, the earliest first, then the leaf's first. A timeout whose function fails is `decide`'s to tell. */
export function deadlinesOf(lifecycle: Lifecycle, position: Position, view: AnyView): readonly Deadline[] {
  return readDeadlines(lifecycle, position, view).known;
}
