import type { Cluster } from '../cluster/cluster.ts';
import { names } from '../definition/reserved-names.ts';
import type { Lifecycle } from '../definition/lifecycle.ts';
import { UnknownSignal } from '../definition/unknown-signal.ts';
import type { AnyView } from '../definition/view.ts';
import { ownerLabelValue } from '../engine/owner-label.ts';
import { ownershipOf } from '../engine/ownership.ts';
import { eventWords } from '../graph/event-words.ts';
import { transitionTable } from '../graph/transition-table.ts';
import { explain } from '../machine/explain.ts';
import { referenceText } from '../machine/reference-text.ts';
import { restore } from '../machine/restore.ts';
import type { KubernetesObject } from '../resource/kubernetes-object.ts';
import type { LegalMove } from './legal-move.ts';
import type { NextStep } from './next-step.ts';

type Json = Readonly<Record<string, unknown>>;

/** The dependents of one lifecycle that the cluster holds, by group and owner label. */
export type Dependents = Readonly<Record<string, ReadonlyMap<string, readonly KubernetesObject[]>>>;

/** Reads the dependents of all objects of a lifecycle, or of one. Undefined where we may not. */
export async function readDependents(cluster: Cluster, lifecycle: Lifecycle, of?: KubernetesObject): Promise<Dependents | undefined> {
  const label = names.ownerLabel;
  const labelSelector = of === undefined ? label : `${label}=${ownerLabelValue(lifecycle.name, of.metadata)}`;
  try {
    const groups = Object.entries(lifecycle.vocabulary.dependents).map(async ([group, kind]) => {
      const { items } = await cluster.list(kind, { labelSelector });
      return [group, Map.groupBy(items, ({ metadata }) => metadata.labels?.[label] ?? '')] as const;
    });
    return Object.fromEntries(await Promise.all(groups));
  } catch {
    // What it would add is words: the question itself is answered without them.
    return undefined;
  }
}

/** The dependents of one object, by group, each list by name; those that another object controls are left out. */
export function dependentsOf(
  lifecycle: Lifecycle,
  dependents: Dependents,
  { metadata }: KubernetesObject,
): Readonly<Record<string, readonly KubernetesObject[]>> {
  const label = ownerLabelValue(lifecycle.name, metadata);
  const byName = new Intl.Collator('en', { numeric: true });
  return Object.fromEntries(
    Object.entries(dependents).map(([group, byOwner]) => {
      const own = (byOwner.get(label) ?? []).filter((dependent) => ownershipOf(dependent, metadata.uid) !== 'foreign');
      return [group, own.toSorted((a, b) => byName.compare(a.metadata.name, b.metadata.name))];
    }),
  );
}

/** The moves of a lifecycle that is at hand. */
export function movesOf(lifecycle: Lifecycle): readonly LegalMove[] {
  return transitionTable(lifecycle).map(({ from, to, event, guard }) => ({ from, to, event, ...(guard === undefined ? {} : { guard }) }));
}

/**
 * Every edge out of the object's state with what it waits for. Watches and probes are not read: what hangs on them is unknown.
 * Undefined when this lifecycle does not know the state the object is in.
 */
export function explainObject(
  lifecycle: Lifecycle,
  object: KubernetesObject,
  { dependents, nowMs }: { readonly dependents: Dependents; readonly nowMs: number },
): readonly NextStep[] | undefined {
  const restored = restore(lifecycle, asJson(object['status'])['lifecycle']);
  if (restored.type !== 'restored' && restored.type !== 'absent') return undefined;
  const { position } = restored;
  const { vocabulary } = lifecycle;
  const spec = asJson(object['spec']);
  const view: AnyView = {
    object: object.metadata,
    spec,
    accepted: position.accepted?.spec ?? spec,
    stable: position.stable?.spec,
    memory: position.memory,
    dependents: dependentsOf(lifecycle, dependents, object),
    watches: unread('watch', Object.keys(vocabulary.watches)),
    probes: unread('probe', Object.keys(vocabulary.probes)),
  };
  const { generation = 0, name } = object.metadata;
  const explanations = explain(lifecycle, position, { view, nowMs, generation, name: `${object.kind} ${name}` });
  return explanations.map(({ edge, trigger, target, enabled, reason }) => ({
    event: eventWords(lifecycle, trigger),
    to: target,
    guard: edge.guard === undefined ? undefined : referenceText(edge.guard),
    enabled,
    reason: reason.replace(`${trigger.name}: `, '').replace(/^waits for .*/, ''),
  }));
}

/** An object whose fields are unknown. */
function unread<T>(what: string, fields: readonly string[]): Readonly<Record<string, T>> {
  const result: Record<string, T> = {};
  for (const name of fields) {
    const get = (): T => {
      // A signal on its way, not an error: the evaluation that meets it answers `unknown`
      throw new UnknownSignal(`${what} ${name}`);
    };
    Object.defineProperty(result, name, { enumerable: true, get });
  }
  return result;
}

function asJson(value: unknown): Json {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
