import type { Duration } from 'luxon';
import type { XStateMachine } from './xstate-machine.ts';
import type { z } from 'zod';
import type { Kind } from '../resource/kind.ts';
import type { DesiredObject, KubernetesObject } from '../resource/kubernetes-object.ts';
import type { ObjectKey } from '../resource/object-key.ts';
import type { Condition } from '../resource/condition.ts';
import type { Chart } from './chart.ts';
import type { MachineConfig } from './machine-config.ts';
import type { AnyView } from './view.ts';

type Json = Readonly<Record<string, unknown>>;

/** Words for people: fixed, or made from what is seen. */
export type Says = string | ((view: AnyView) => string);

/** Something that is true or not, now. An object means true and carries the payload. */
export interface AnyFact {
  readonly when: (view: AnyView) => boolean | Json;
  readonly says: Says;
}

export interface AnyCommand {
  /** What it does, for help and refusals. */
  readonly says?: string;
}

/** The only door to the outside. Its answer belongs to its input. */
export interface AnyProbe {
  /** After this the answer counts as failed. */
  readonly timeout: Duration;
  /** An older answer is unknown. */
  readonly maxAge: Duration;
  readonly answer: z.ZodType;
  /** JSON that the answer depends on. */
  readonly input: (view: AnyView) => unknown;
  readonly ask: (input: unknown, signal: AbortSignal) => Promise<unknown>;
}

export interface AnyWatch {
  readonly kind: Kind;
  /** The keys of the objects that an object of this kind concerns. */
  readonly of: (object: KubernetesObject) => ObjectKey | readonly ObjectKey[] | undefined;
}

export interface AnyDelete {
  /** Name of the dependents it removes from. */
  readonly from: string;
  /** `drain` evicts a node's pods first, honouring PodDisruptionBudgets. Default `delete`. */
  readonly how?: 'delete' | 'drain';
  /** Whether the next one starts only when the last one is gone. Default false. */
  readonly oneAtATime?: boolean;
  /** Judged on the cached object to choose it and again on a live read just before the delete. */
  readonly only: (live: KubernetesObject, view: AnyView, params: Json) => boolean;
}

export interface AnyAnnouncement {
  readonly type: 'Normal' | 'Warning';
  /** CamelCase. */
  readonly reason: string;
  readonly message: (view: AnyView) => string;
}

/** What a lifecycle tells about its object beside its phase. */
export interface Report {
  /** The author's own status fields. */
  readonly status: Json;
  /** Conditions beside Ready, Reconciling and Stalled; the engine keeps their transition times. */
  readonly conditions?: readonly Pick<Condition, 'type' | 'status' | 'reason' | 'message'>[];
}

/** What a remember sees beside the view. */
export interface Fired {
  /** `fact belowTarget`, `command retry`, `timeout scaleUp`. */
  readonly event: string;
  readonly payload: Json;
  /** The server's time, milliseconds since 1970. */
  readonly atMs: number;
}

/** What an invariant judges: the status about to be written, as it will read. */
export interface Transition {
  readonly from: string;
  readonly to: string;
  readonly before: Json;
  readonly after: Json;
}

/** The vocabulary of a lifecycle with its types gone and its defaults filled in. */
export interface AnyVocabulary {
  readonly group: string;
  /** The storage version. */
  readonly version: string;
  /** Every served version, the storage version included. */
  readonly versions: readonly string[];
  readonly kind: string;
  readonly plural: string;
  readonly shortNames: readonly string[];
  readonly scope: 'Cluster' | 'Namespaced';
  readonly machineVersion: string;
  readonly spec: z.ZodType;
  readonly status: z.ZodType;
  readonly memory: z.ZodType;
  readonly dependents: Readonly<Record<string, Kind>>;
  readonly watches: Readonly<Record<string, AnyWatch>>;
  readonly probes: Readonly<Record<string, AnyProbe>>;
  readonly facts: Readonly<Record<string, AnyFact>>;
  readonly commands: Readonly<Record<string, AnyCommand>>;
  readonly guards: Readonly<Record<string, (view: AnyView, params: Json) => boolean>>;
  readonly timeouts: Readonly<Record<string, Duration | ((view: AnyView) => Duration)>>;
  readonly remembers: Readonly<Record<string, (view: AnyView & { readonly fired: Fired }, params: Json) => Json>>;
  readonly ensure: Readonly<Record<string, (view: AnyView, params: Json) => readonly DesiredObject[]>>;
  readonly deletes: Readonly<Record<string, AnyDelete>>;
  readonly announce: Readonly<Record<string, AnyAnnouncement>>;
  readonly report: ((view: AnyView) => Report) | undefined;
  /** What dependents that exist without a status run. */
  readonly adopt: ((view: AnyView) => Json | 'unknown') | undefined;
  readonly invariants: Readonly<Record<string, (view: AnyView & { readonly transition: Transition }) => boolean>>;
  /** State the machine no longer has -> state it has. */
  readonly migrations: Readonly<Record<string, string>>;
  /** Columns of `kubectl get` beside Phase, Since, Ready and Age. */
  readonly columns: readonly { readonly name: string; readonly type: 'string' | 'integer'; readonly jsonPath: string }[];
}

/** A lifecycle: everything the operator, the CRD and the diagrams are made from. */
export interface Lifecycle<Phase extends string = string, State extends string = string, Event = unknown> {
  /** Lower case kind; names the field manager `phasekeeper/<name>`. */
  readonly name: string;
  readonly kind: Kind;
  readonly vocabulary: AnyVocabulary;
  /** As the author wrote it. */
  readonly config: MachineConfig;
  /** The genuine XState machine. Its guards read a `MachineContext`. */
  readonly machine: XStateMachine;
  readonly chart: Chart;
  /** First seven hex digits of the SHA-256 of config and vocabulary names. */
  readonly hash: string;
  /** Never set; carry the types. */
  readonly $phase?: Phase;
  readonly $state?: State;
  readonly $event?: Event;
}

/** What `status.phase` of a lifecycle can be. */
export type PhaseOf<L> = L extends Lifecycle<infer Phase> ? Phase : never;

/** What `status.lifecycle.state` of a lifecycle can be: the paths of its leaves. */
export type StateOf<L> = L extends Lifecycle<string, infer State> ? State : never;

/** The facts (with their payloads) and commands that a lifecycle knows. */
export type EventOf<L> = L extends Lifecycle<string, string, infer Event> ? Event : never;
