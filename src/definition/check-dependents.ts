import { allStates, type DraftState, withParents } from './draft.ts';
import type { Reading } from './reading.ts';
import { isPlainObject } from './scan-json.ts';

/**
 * Every dependent kind goes with its owner: by an owner reference where scopes allow one, else by a delete of a Terminating phase.
 * A cluster-scoped object cannot be owned by a namespaced one: the garbage collector would remove it at once.
 */
export function checkDependents(root: DraftState, { words, faults }: Reading): void {
  if (!words.isNamespaced) return;
  const removed = removedWhenTerminating(root, words.section('deletes'));
  for (const [name, kind] of Object.entries(words.section('dependents'))) {
    if (!isPlainObject(kind) || kind['scope'] !== 'Cluster' || removed.has(name)) continue;
    faults.add('OWNER_SCOPE', `${words.kind}.dependents.${name}`, {
      reason: `a namespaced ${words.kind} cannot own a cluster-scoped ${String(kind['kind'])}, and no Terminating phase removes it: it would stay for ever`,
      instead: `a delete with from: '${name}', named in entry of a leaf with kstatus Terminating; or scope: 'Cluster'`,
    });
  }
}

function removedWhenTerminating(root: DraftState, deletes: Readonly<Record<string, unknown>>): ReadonlySet<unknown> {
  const names = allStates(root)
    .filter((state) => state.kstatus === 'Terminating' && state.children.size === 0)
    .flatMap((leaf) => withParents(leaf).flatMap((level) => level.entry))
    .map(({ name }) => (Object.hasOwn(deletes, name) ? deletes[name] : undefined));
  return new Set(names.map((each) => (isPlainObject(each) ? each['from'] : undefined)));
}
