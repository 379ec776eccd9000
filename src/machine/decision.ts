import type { ChartEdge } from '../definition/chart.ts';
import type { CommandRequest } from './command-request.ts';

type Json = Readonly<Record<string, unknown>>;

/** An edge to take. */
export interface Move {
  readonly type: 'move';
  readonly edge: ChartEdge;
  /** `fact belowTarget`, `command retry`, `timeout scaleUp`, and what the fact carried. */
  readonly event: { readonly type: string; readonly payload: Json };
  /** The fact's words, the sender's reason, or how long the phase took. */
  readonly cause: string;
  readonly command?: CommandRequest;
  /** After the edge's remembers. */
  readonly memory: Json;
}

/** A true fact or a due timeout whose edges are all disabled, and one guard that disables them. */
export interface GuardedOff {
  /** `fact aboveTarget`. */
  readonly event: string;
  /** `not canShrink`, `retriesLeft(max=3)`. */
  readonly guard: string;
}

/** Nothing to take now. */
export interface Stay {
  readonly type: 'stay';
  /** The nearest instant at which a timeout falls due. */
  readonly nextDeadline?: { readonly atMs: number; readonly timeout: string };
  /** What could not be judged, and what was missing: `fact backupFresh (probe backup)`. */
  readonly unknown: readonly string[];
  readonly guardedOff: readonly GuardedOff[];
}

/** Why a command is not carried out. */
export type RefusalReason = 'malformed' | 'unknownCommand' | 'noEdge' | 'guardedOff' | 'outOfSequence';

/** A command that is not carried out; recorded, and nothing else happens. */
export interface Refusal {
  readonly type: 'refuse';
  readonly command: CommandRequest;
  readonly reason: RefusalReason;
  /** The guards that are off. */
  readonly guards: readonly string[];
  /** The commands that the state has edges for. */
  readonly legal: readonly string[];
  readonly message: string;
}

/** Something the author wrote failed; the object stays where it is. */
export interface Fault {
  readonly type: 'fault';
  /** `fact nodesReady`, `guard canShrink`, `timeout scaleUp`, `remember attempt`. */
  readonly place: string;
  /** `NodePool demo`. */
  readonly object: string;
  readonly error: unknown;
  readonly message: string;
}

/** The answer to one observation: exactly one of four. */
export type Decision = Move | Stay | Refusal | Fault;
