import { names } from '../definition/reserved-names.ts';
import type { Lifecycle } from '../definition/lifecycle.ts';
import { PhasekeeperError } from '../failure/phasekeeper-error.ts';
import type { Kind } from '../resource/kind.ts';
import type { DesiredObject, KubernetesObject } from '../resource/kubernetes-object.ts';
import { keyOf, type ObjectKey } from '../resource/object-key.ts';
import type { Run } from './run.ts';

/** A dependent as it is to be applied: with owner label and, where scopes allow, owner reference. */
export interface DesiredDependent {
  /** Name under `dependents`. */
  readonly group: string;
  readonly kind: Kind;
  readonly key: ObjectKey;
  readonly body: DesiredObject;
}

/**
 * Completes what an ensure desires.
 * @throws PhasekeeperError ENSURE_KIND, terminal: a kind that the lifecycle does not list under `dependents`
 */
export function desiredDependent(run: Run, desired: DesiredObject): DesiredDependent {
  const { object: owner } = run;
  const { lifecycle } = run.scene;
  const found = Object.entries(lifecycle.vocabulary.dependents).find(
    ([, kind]) => kind.kind === desired.kind && kind.apiVersion === desired.apiVersion,
  );
  if (found === undefined) {
    const listed = Object.values(lifecycle.vocabulary.dependents).map((kind) => `${kind.apiVersion} ${kind.kind}`);
    throw new PhasekeeperError(
      `${lifecycle.kind.kind} ${keyOf(owner.metadata)}: an ensure desires ${desired.apiVersion} ${desired.kind}, which is not among its dependents (${listed.join(', ')})`,
      { code: 'ENSURE_KIND', disposition: 'terminal', data: { kind: desired.kind }, hint: 'list the kind under dependents' },
    );
  }
  const [group, kind] = found;
  const namespace = kind.scope === 'Namespaced' ? (desired.metadata.namespace ?? owner.metadata.namespace) : undefined;
  const label = { [names.ownerLabel]: run.memory.ownerLabel };
  const metadata = {
    ...desired.metadata,
    ...(namespace === undefined ? {} : { namespace }),
    labels: { ...desired.metadata.labels, ...label },
    ...(canOwn(owner, namespace) ? { ownerReferences: [ownerReference(lifecycle, owner)] } : {}),
  };
  return { group, kind, key: keyOf(metadata), body: { ...desired, metadata } };
}

/** Whether an owner reference is allowed: a cluster-scoped owner owns anything, a namespaced one only in its namespace. */
function canOwn(owner: KubernetesObject, namespace: string | undefined): boolean {
  return owner.metadata.namespace === undefined || owner.metadata.namespace === namespace;
}

function ownerReference(lifecycle: Lifecycle, owner: KubernetesObject) {
  return {
    apiVersion: lifecycle.kind.apiVersion,
    kind: lifecycle.kind.kind,
    name: owner.metadata.name,
    uid: owner.metadata.uid,
    controller: true,
  };
}
