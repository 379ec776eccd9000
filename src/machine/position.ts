import type { AcceptedSpec, LifecycleRecord, TransitionEntry } from '../definition/lifecycle-record.ts';

/** Where one object stands in its lifecycle: the restored memory that a decision starts from. Never changed, only replaced. */
export interface Position {
  /** Path of the active leaf: `Upgrading.Draining`. */
  readonly state: string;
  /** Number of transitions ever. */
  readonly sequence: number;
  /** Since when each active level is, by path, in milliseconds since 1970 on the server. The root has none. */
  readonly enteredMs: Readonly<Record<string, number>>;
  /** Parsed by the memory schema. */
  readonly memory: Readonly<Record<string, unknown>>;
  readonly accepted: AcceptedSpec | undefined;
  readonly stable: AcceptedSpec | undefined;
  readonly lastCommand: LifecycleRecord['lastCommand'];
  /** Oldest first, the last ten. */
  readonly history: readonly TransitionEntry[];
  /** Whether the operator ever stored it: only the API server's default has no entry instants. */
  readonly recorded: boolean;
}
