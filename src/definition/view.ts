import type { KubernetesObject, ObjectMeta } from '../resource/kubernetes-object.ts';
import type { Kind } from '../resource/kind.ts';

/** Names of kinds, as an author lists them under `dependents`. */
export type Kinds = Readonly<Record<string, Kind>>;

/** The cached objects of each listed kind, each list ordered by name. */
export type ObjectsOf<D> = { readonly [K in keyof D]: readonly (D[K] extends Kind<infer O> ? O : KubernetesObject)[] };

/**
 * What facts, guards, ensures, deletes and report read. Never stored status: what was reported must not decide what happens.
 *
 * Reading a probe whose answer is missing, failed or too old makes whatever reads it *unknown*: a fact is skipped, a guard
 * disables its edge, an ensure waits.
 */
export interface View<Spec, Memory, Dependents, Watches = unknown, Probes = unknown> {
  readonly object: ObjectMeta;
  /** What is asked now. */
  readonly spec: Spec;
  /** What the phases work towards: the spec of the last edge that accepted, the spec itself before that. */
  readonly accepted: Spec;
  /** The last accepted spec that reached a settled steady phase: what a rollback returns to. */
  readonly stable: Spec | undefined;
  readonly memory: Memory;
  /** Owned objects, our own writes included. */
  readonly dependents: Dependents;
  /** Objects that are read but not owned. */
  readonly watches: Watches;
  readonly probes: Probes;
}

type Json = Readonly<Record<string, unknown>>;

/** A view whose types are gone: what the engine passes around. */
export type AnyView = View<
  Json,
  Json,
  Readonly<Record<string, readonly KubernetesObject[]>>,
  Readonly<Record<string, readonly KubernetesObject[]>>,
  Json
>;
