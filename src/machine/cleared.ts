import type { Lifecycle } from '../definition/lifecycle.ts';
import type { AnyView } from '../definition/view.ts';
import { activeEntries } from './active-entries.ts';

/**
 * Whether nothing is left that the state's deletes choose: the fact `cleared`. What is being deleted is still there.
 * A state without deletes is clear.
 *
 * @throws what a delete's `only` throws, an UnknownSignal included
 */
export function isCleared(lifecycle: Lifecycle, state: string, view: AnyView): boolean {
  const { deletes } = lifecycle.vocabulary;
  return activeEntries(lifecycle, state).every(({ name, params }) => {
    const removal = Object.hasOwn(deletes, name) ? deletes[name] : undefined;
    if (removal === undefined) return true;
    const candidates = view.dependents[removal.from] ?? [];
    return !candidates.some((dependent) => removal.only(dependent, view, params));
  });
}
