import { allStates, type DraftState, stateBelow } from './draft.ts';
import { nearestName } from './nearest-name.ts';

/**
 * The state a target names, by XState's rules: a sibling and below, its own child and below after a dot, anything by its full path
 * after `#<Kind>.`; the root names its phases after a dot.
 */
export function resolveTarget(text: string, from: DraftState, kind: string): DraftState | undefined {
  if (text.startsWith('#')) {
    return text.startsWith(`#${kind}.`) ? stateBelow(rootOf(from), text.slice(kind.length + 2)) : undefined;
  }
  if (text.startsWith('.')) return stateBelow(from, text.slice(1));
  return from.parent === undefined ? undefined : stateBelow(from.parent, text);
}

/** How to write the target that was probably meant. */
export function suggestTarget(text: string, from: DraftState, kind: string): string {
  const states = allStates(rootOf(from)).filter((state) => state.path !== '');
  const typed = text.replace(/^#[^.]*\./, '').replace(/^\./, '');
  const named = states.find((state) => state.path === typed) ?? states.find((state) => state.path.endsWith(`.${typed}`));
  const meant =
    named ??
    byPath(
      states,
      nearestName(
        typed,
        states.map((state) => state.path),
      ),
    );
  if (meant !== undefined) return `write ${nameFrom(meant, from, kind)}`;
  return `use one of ${states.map((state) => nameFrom(state, from, kind)).join(', ')}`;
}

/** The shortest way to write a target in a state. */
function nameFrom(state: DraftState, from: DraftState, kind: string): string {
  if (from.parent === undefined) return `.${state.path}`;
  return state.parent === from.parent ? state.path.slice(state.path.lastIndexOf('.') + 1) : `#${kind}.${state.path}`;
}

function byPath(states: readonly DraftState[], path: string | undefined): DraftState | undefined {
  return states.find((state) => state.path === path);
}

function rootOf(state: DraftState): DraftState {
  return state.parent === undefined ? state : rootOf(state.parent);
}
