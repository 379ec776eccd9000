import type { KStatus } from './machine-config.ts';
import type { TriggerType } from './chart.ts';

/** A name with its params as the config gives them, and where it stands. */
export interface DraftReference {
  readonly place: string;
  readonly name: string;
  /** Undefined when the config gives none. */
  readonly params: Readonly<Record<string, unknown>> | undefined;
}

export interface DraftEdge {
  readonly place: string;
  readonly trigger: { readonly type: TriggerType; readonly name: string };
  /** As written, with the place it is written at. */
  readonly target: { readonly place: string; readonly text: string } | undefined;
  readonly guard: DraftReference | undefined;
  readonly actions: readonly DraftReference[];
}

/**
 * A state of a config that may be full of faults: what could be read of it. What could not be read was reported and is left out, so
 * that one fault does not cause others.
 */
export interface DraftState {
  readonly place: string;
  /** With dots; `''` is the root. */
  readonly path: string;
  readonly parent: DraftState | undefined;
  readonly children: Map<string, DraftState>;
  readonly initial: string | undefined;
  readonly kstatus: KStatus | undefined;
  readonly entry: readonly DraftReference[];
  readonly edges: readonly DraftEdge[];
}

/** Every state of a draft, parents before their children. */
export function allStates(state: DraftState): readonly DraftState[] {
  return [state, ...[...state.children.values()].flatMap(allStates)];
}

/** The state and those above it, itself first, the root last. */
export function withParents(state: DraftState): readonly DraftState[] {
  return state.parent === undefined ? [state] : [state, ...withParents(state.parent)];
}

/** The state at the end of a path of names below another. */
export function stateBelow(state: DraftState | undefined, path: string): DraftState | undefined {
  let at = state;
  for (const name of path.split('.')) at = at?.children.get(name);
  return at;
}

/** The leaf entered when a state is the target; undefined when an `initial` on the way is missing or wrong. */
export function initialLeafOf(state: DraftState): DraftState | undefined {
  if (state.children.size === 0) return state;
  const first = state.initial === undefined ? undefined : state.children.get(state.initial);
  return first === undefined ? undefined : initialLeafOf(first);
}
