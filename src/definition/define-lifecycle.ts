import type { Duration } from 'luxon';
import type { z } from 'zod';
import type { DesiredObject, KubernetesObject } from '../resource/kubernetes-object.ts';
import type { Kind } from '../resource/kind.ts';
import type { ObjectKey } from '../resource/object-key.ts';
import { createLifecycle } from './create-lifecycle.ts';
import type { AnyCommand, Fired, Lifecycle, Report } from './lifecycle.ts';
import type { BuiltInFact } from './reserved-names.ts';
import type { Accept, Leaves, ReferenceTo, ReferenceToDelete, TypedConfig } from './typed-config.ts';
import type { Kinds, ObjectsOf, View } from './view.ts';

type Json = Readonly<Record<string, unknown>>;
type Nothing = Record<never, never>;
type Schema = z.ZodType<Json>;
type Empty = z.ZodObject<Nothing>;
type ObjectOf<K> = K extends Kind<infer O> ? O : KubernetesObject;

/** A vocabulary's section as the author wrote it; none when it was left out. */
type Given<Section> = string extends keyof Section ? Nothing : Section;

/** What the functions of a vocabulary are given. */
type Seen<Spec extends Schema, Memory extends Schema, Dependents, Watched, Answers> = View<
  z.output<Spec>,
  z.output<Memory>,
  ObjectsOf<Dependents>,
  { readonly [K in keyof Watched]: readonly Watched[K][] },
  Readonly<Answers>
>;

interface Fact<V> {
  readonly when: (view: V) => boolean | Json;
  readonly says: string | ((view: V) => string);
}

interface Watch<O extends KubernetesObject> {
  readonly kind: Kind<O>;
  readonly of: (object: O) => ObjectKey | readonly ObjectKey[] | undefined;
}

interface Announcement<V> {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: (view: V) => string;
}

/** The fields of a value that its schema does not know: none may have a value. */
type Foreign<Value, Known> = { readonly [K in Exclude<keyof Value, keyof Known>]: never };

/** One kind of delete per dependent, told apart by `from`. */
type Delete<Dependents, V> = {
  [K in keyof Dependents & string]: {
    readonly from: K;
    readonly how?: 'delete' | 'drain';
    readonly oneAtATime?: boolean;
    readonly only: (live: ObjectOf<Dependents[K]>, view: V, params: never) => boolean;
  };
}[keyof Dependents & string];

type FactEvent<Facts> = {
  [K in keyof Facts & string]: Facts[K] extends { when: (view: never) => infer R }
    ? { readonly type: K } & ([Exclude<R, boolean>] extends [never] ? unknown : Exclude<R, boolean>)
    : never;
}[keyof Facts & string];

type NamedEvent<Name extends string> = Name extends string ? { readonly type: Name } : never;

/**
 * Declares the words of a lifecycle: what its objects look like, what is true of them, what may be asked, and what must exist.
 * Everything but group, version, kind, scope, machineVersion and spec may be left out.
 *
 * The order of the sections matters to the compiler, not to the machine: schemas, dependents, watches and probes first.
 *
 * Nothing is checked before `createMachine`, which then lists all that is wrong with both.
 */
export function defineLifecycle<
  const Id extends string,
  Spec extends Schema,
  Inputs extends Record<string, unknown>,
  Facts extends Record<string, Fact<Seen<Spec, Memory, Dependents, Watched, Answers>>>,
  const Commands extends Record<string, AnyCommand>,
  Guards extends Record<string, (view: Seen<Spec, Memory, Dependents, Watched, Answers>, params: never) => boolean>,
  const Timeouts extends string,
  Reported extends object,
  Remembers extends Record<
    string,
    (view: Seen<Spec, Memory, Dependents, Watched, Answers> & { readonly fired: Fired }, params: never) => Partial<z.output<Memory>>
  >,
  Ensure extends Record<string, (view: Seen<Spec, Memory, Dependents, Watched, Answers>, params: never) => readonly DesiredObject[]>,
  Deletes extends Record<string, Delete<Dependents, Seen<Spec, Memory, Dependents, Watched, Answers>>>,
  Announce extends Record<string, Announcement<Seen<Spec, Memory, Dependents, Watched, Answers>>>,
  Status extends Schema = Empty,
  Memory extends Schema = Empty,
  Dependents extends Kinds = Nothing,
  Watched extends Record<string, KubernetesObject> = Nothing,
  Answers extends Record<string, unknown> = Nothing,
>(vocabulary: {
  /** API group, such as `cache.example.com`. */
  readonly group: string;
  /** The storage version, such as `v1`. */
  readonly version: string;
  /** Every served version, the storage version included. Default: the storage version alone. */
  readonly versions?: readonly string[];
  /** CamelCase; also the id of the machine, as targets write it. */
  readonly kind: Id;
  /** Default: the kind in lower case with an `s`. */
  readonly plural?: string;
  readonly shortNames?: readonly string[];
  readonly scope: 'Cluster' | 'Namespaced';
  /** Semantic version of the machine, stored with every object it moves. */
  readonly machineVersion: string;
  readonly spec: Spec;
  /** The author's own status fields, filled by `report`. */
  readonly status?: Status;
  /** What is remembered between transitions; every field needs a default. */
  readonly memory?: Memory;
  /** Kinds that the lifecycle owns: watched, cached, written. */
  readonly dependents?: Dependents;
  /** Kinds that it only reads; `of` maps an object to the keys it wakes. */
  readonly watches?: { readonly [K in keyof Watched]: Watch<Watched[K]> };
  /** The only door to the outside. An answer belongs to its input: `ask` declares what it takes, `input` must give it. */
  readonly probes?: {
    readonly [K in keyof Answers]: { readonly timeout: Duration; readonly maxAge: Duration; readonly answer: z.ZodType<Answers[K]> };
  } & {
    readonly [K in keyof Inputs]: {
      readonly input: (view: Omit<Seen<Spec, Memory, Dependents, Watched, Nothing>, 'probes'>) => NoInfer<Inputs[K]>;
      readonly ask: (input: Inputs[K], signal: AbortSignal) => Promise<unknown>;
    };
  };
  /** What is true now, never that something happened. */
  readonly facts?: Facts;
  /** What a person may ask, where an edge carries it. */
  readonly commands?: Commands;
  readonly guards?: Guards;
  readonly timeouts?: { readonly [K in Timeouts]: Duration | ((view: Seen<Spec, Memory, Dependents, Watched, Answers>) => Duration) };
  /** Actions on edges that change memory. */
  readonly remembers?: Remembers;
  /** What must exist while a state is active. */
  readonly ensure?: Ensure;
  /** What a state may remove. */
  readonly deletes?: Deletes;
  /** Words for the Kubernetes Event of an edge. */
  readonly announce?: Announce;
  readonly report?: (
    view: Seen<Spec, Memory, Dependents, Watched, Answers>,
  ) => Pick<Report, 'conditions'> & { readonly status: Reported & z.input<Status> & Foreign<Reported, z.input<Status>> };
  /** The spec that dependents found without a record run. Required where edges accept. */
  readonly adopt?: (view: Omit<Seen<Spec, Memory, Dependents, Watched, Answers>, 'accepted'>) => z.input<Spec> | 'unknown';
  /** Judged on the status about to be written; a violated one refuses the edge. */
  readonly invariants?: Readonly<
    Record<
      string,
      (
        view: Seen<Spec, Memory, Dependents, Watched, Answers> & {
          readonly transition: {
            readonly from: string;
            readonly to: string;
            readonly before: Partial<z.output<Status>>;
            readonly after: z.output<Status>;
          };
        },
      ) => boolean
    >
  >;
  /** A state the machine no longer has -> the state its objects move to. */
  readonly migrations?: Readonly<Record<string, string>>;
  /** Columns of `kubectl get` beside Phase, Since, Ready and Age. */
  readonly columns?: readonly { readonly name: string; readonly type: 'string' | 'integer'; readonly jsonPath: string }[];
}) {
  type FactName = (keyof Given<Facts> & string) | BuiltInFact;
  type Change = Accept | ReferenceTo<Given<Remembers>>;
  type X = {
    id: Id;
    facts: FactName;
    commands: keyof Given<Commands> & string;
    timeouts: string extends Timeouts ? never : Timeouts;
    guard:
      | ReferenceTo<Given<Guards>>
      | FactName
      | { readonly type: 'not'; readonly params: { readonly guard: ReferenceTo<Given<Guards>> | FactName } };
    entry: ReferenceTo<Given<Ensure>> | ReferenceToDelete<Given<Deletes>>;
    action: Change | (keyof Given<Announce> & string);
    change: Change;
  };
  type Event = FactEvent<Given<Facts>> | NamedEvent<BuiltInFact | (keyof Given<Commands> & string)>;
  return {
    /**
     * Makes the lifecycle from a machine's config.
     *
     * @throws DefinitionError with every fault of vocabulary and config, each with its place, the reason and what to write instead
     */
    createMachine<T>(config: TypedConfig<X, T>): Lifecycle<keyof T & string, Leaves<T>, Event> {
      return createLifecycle(vocabulary, config);
    },
  };
}
