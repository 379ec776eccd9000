import { levelsOf } from '../definition/chart-walk.ts';
import type { AnyDelete, Lifecycle } from '../definition/lifecycle.ts';
import { needsFinalizer } from '../definition/needs-finalizer.ts';
import { groupOf } from '../resource/kind.ts';
import type { ClusterRole, PolicyRule } from './cluster-role.ts';

const reads = ['get', 'list', 'watch'] as const;

/**
 * The least that the operator of a lifecycle must be allowed: to read its kinds, to write status (and finalizers, where it has
 * one), to write dependents, and to delete only those that some state deletes.
 */
export function rbacOf(lifecycle: Lifecycle): ClusterRole {
  const { vocabulary } = lifecycle;
  const { group, plural } = vocabulary;
  const deletes = declaredDeletes(lifecycle);
  const grants = new Grants();
  grants.add(group, plural, [...reads, ...(needsFinalizer(lifecycle) ? ['patch'] : [])]);
  grants.add(group, `${plural}/status`, ['patch']);
  for (const [name, kind] of Object.entries(vocabulary.dependents)) {
    const removes = deletes.some((each) => each.from === name);
    grants.add(groupOf(kind), kind.plural, [...reads, 'create', 'patch', ...(removes ? ['delete'] : [])]);
  }
  for (const { kind } of Object.values(vocabulary.watches)) grants.add(groupOf(kind), kind.plural, reads);
  if (deletes.some((each) => each.how === 'drain')) {
    grants.add('', 'pods', ['list']);
    grants.add('', 'pods/eviction', ['create']);
  }
  grants.add('', 'events', ['create', 'patch']);
  return {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: `phasekeeper:${plural}.${group}` },
    rules: grants.rules(),
  };
}

/** The deletes that some state names. */
function declaredDeletes({ chart, vocabulary }: Lifecycle): readonly AnyDelete[] {
  const named = new Set(chart.leaves.flatMap((leaf) => levelsOf(chart, leaf).flatMap((level) => level.entry.map((entry) => entry.name))));
  return Object.entries(vocabulary.deletes).flatMap(([name, each]) => (named.has(name) ? [each] : []));
}

/** Verbs by resource: what two parts of a lifecycle need of one resource is one rule. */
class Grants {
  readonly #verbs = new Map<string, { readonly group: string; readonly resource: string; readonly verbs: Set<string> }>();

  add(group: string, resource: string, verbs: readonly string[]): void {
    const key = `${group}/${resource}`;
    const known = this.#verbs.get(key) ?? { group, resource, verbs: new Set<string>() };
    for (const verb of verbs) known.verbs.add(verb);
    this.#verbs.set(key, known);
  }

  rules(): readonly PolicyRule[] {
    return [...this.#verbs.values()].map(({ group, resource, verbs }) => ({
      apiGroups: [group],
      resources: [resource],
      verbs: [...verbs],
    }));
  }
}
