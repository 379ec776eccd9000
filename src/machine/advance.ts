import type { ChartEdge } from '../definition/chart.ts';
import type { AcceptedSpec, TransitionEntry } from '../definition/lifecycle-record.ts';
import { historyLength } from '../definition/lifecycle-record.ts';
import type { Lifecycle } from '../definition/lifecycle.ts';
import { cutText } from '../resource/cut-text.ts';
import type { Move } from './decision.ts';
import { instantText } from './instant-text.ts';
import type { Position } from './position.ts';
import { timedLevels } from './state-plan.ts';

/** When and over what a move is made. */
export interface Occasion {
  /** The server's time, milliseconds since 1970. */
  readonly nowMs: number;
  /** What is asked now; an edge that accepts keeps it. */
  readonly spec: Readonly<Record<string, unknown>>;
  readonly generation: number;
  /** The operator instance; the sender stands in its place when a command moved the object. */
  readonly by?: string;
}

/** Words in the history are kept short: the record has a budget. */
const longestCause = 256;

/** The position after a move: what is written, as one status write. */
// oxlint-disable-next-line eslint/max-params -- the four words of the engine's sentence: whose machine, from where, by what, when
export function advance(lifecycle: Lifecycle, position: Position, move: Move, at: Occasion): Position {
  const { edge, command } = move;
  const state = edge.leaf ?? position.state;
  const sequence = position.sequence + 1;
  const now = instantText(at.nowMs);
  const by = command?.by ?? at.by;
  const entry: TransitionEntry = {
    sequence,
    from: position.state,
    to: state,
    event: move.event.type,
    at: now,
    cause: cutText(move.cause, longestCause),
    ...(by === undefined ? {} : { by }),
  };
  const accepted: AcceptedSpec | undefined = edge.accepts ? { generation: at.generation, spec: at.spec } : position.accepted;
  return {
    state,
    sequence,
    enteredMs: enteredAfter(lifecycle, position, { edge, state, nowMs: at.nowMs }),
    memory: move.memory,
    accepted,
    stable: position.stable,
    lastCommand:
      command === undefined
        ? position.lastCommand
        : { token: command.token, name: command.name, result: 'done', at: now, ...(command.by === undefined ? {} : { by: command.by }) },
    history: [...position.history, entry].slice(-historyLength),
    recorded: true,
  };
}

/** Levels that stay active keep their instant, those that are entered, again or for the first time, get a new one. */
function enteredAfter(
  lifecycle: Lifecycle,
  position: Position,
  { edge, state, nowMs }: { readonly edge: ChartEdge; readonly state: string; readonly nowMs: number },
): Readonly<Record<string, number>> {
  const kept = edge.target === undefined ? state : domainOf(edge, edge.target);
  const entered: Record<string, number> = {};
  for (const path of timedLevels(lifecycle, state)) {
    const stays = kept !== undefined && (kept === path || kept.startsWith(`${path}.`));
    entered[path] = stays ? (position.enteredMs[path] ?? nowMs) : nowMs;
  }
  return entered;
}

/**
 * The innermost state that an edge neither leaves nor enters, as XState works it out: the source itself for a target at or under
 * it, else the nearest proper ancestor of both. Undefined for the root, which has no instant, and above.
 */
function domainOf({ source, reenter }: ChartEdge, target: string): string | undefined {
  if (!reenter && (target === source || target.startsWith(`${source}.`))) return source;
  for (let path = parentOf(target); path !== undefined; path = parentOf(path)) {
    if (source !== path && (path === '' || source.startsWith(`${path}.`))) return path;
  }
  return undefined;
}

function parentOf(path: string): string | undefined {
  if (path === '') return undefined;
  const dot = path.lastIndexOf('.');
  return dot < 0 ? '' : path.slice(0, dot);
}
