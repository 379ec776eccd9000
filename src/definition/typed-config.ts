import type { KStatus, Many } from './machine-config.ts';
import type { acceptAction } from './reserved-names.ts';

/** The words a config may use, as types: what the vocabulary declared. */
export interface Words {
  readonly id: string;
  readonly facts: string;
  readonly commands: string;
  readonly timeouts: string;
  readonly guard: unknown;
  readonly entry: unknown;
  readonly action: unknown;
  /** The actions that make a fact false: `accept` and the remembers. */
  readonly change: unknown;
}

/** Where in the tree of states a node stands: the whole tree, its own level, its name and its path. */
interface Place {
  readonly root: unknown;
  readonly level: unknown;
  readonly name: string;
  readonly path: string;
}

/** Every dotted path below a tree of states: `A | A.B | A.B.C`. A leaf is not an object. */
type Paths<T> = T extends object
  ? { [K in keyof T & string]: K | (T[K] extends object ? `${K}.${Paths<T[K]>}` : never) }[keyof T & string]
  : never;

/** The dotted paths of the leaves of a tree of states. */
export type Leaves<T> = T extends object
  ? { [K in keyof T & string]: T[K] extends object ? `${K}.${Leaves<T[K]>}` : K }[keyof T & string]
  : never;

/** What a node may name as a target: a sibling and below, its own child and below, or anything by its full path. */
type Target<X extends Words, T, At extends Place> = Paths<At['level']> | `.${Paths<T>}` | `#${X['id']}.${Paths<At['root']>}`;

/** The node itself: an edge there changes nothing unless an action does. */
type Self<X extends Words, At extends Place> = At['name'] | `#${X['id']}.${At['path']}`;

interface Edge<X extends Words, Target extends string> {
  readonly target: Target;
  readonly guard?: X['guard'];
  readonly actions?: Many<X['action']>;
  readonly reenter?: true;
  readonly description?: string;
}

interface Act<X extends Words> {
  readonly target?: never;
  readonly guard?: X['guard'];
  readonly actions: Many<X['action']>;
  readonly reenter?: never;
  readonly description?: string;
}

/** Onto its own phase, with an action that makes the fact false: among the first three. */
interface Renewal<X extends Words, Target extends string> {
  readonly target: Target;
  readonly guard?: X['guard'];
  readonly actions:
    | X['change']
    | readonly [X['change'], ...X['action'][]]
    | readonly [X['action'], X['change'], ...X['action'][]]
    | readonly [X['action'], X['action'], X['change'], ...X['action'][]];
  readonly reenter?: true;
  readonly description?: string;
}

type FactEdges<X extends Words, Elsewhere extends string, Here extends string> = Elsewhere | Many<Edge<X, Elsewhere> | Renewal<X, Here>>;

type CommandEdges<X extends Words, Target extends string> = Target | Many<Edge<X, Target> | Act<X>>;

type TimeoutEdges<X extends Words, Target extends string> = Target | Many<Edge<X, Target>>;

/** A parent says where it starts, a leaf what it means to kstatus. */
type Shape<T> = T extends object
  ? { readonly initial: keyof T & string }
  : { readonly meta: { readonly kstatus: KStatus; readonly message?: string } };

interface Node<X extends Words, T, At extends Place> {
  readonly description?: string;
  readonly meta?: { readonly kstatus?: KStatus; readonly message?: string };
  readonly entry?: Many<X['entry']>;
  readonly on?: {
    readonly [K in X['facts']]?: FactEdges<
      X,
      Exclude<Target<X, NoInfer<T>, At>, Self<X, At>>,
      Extract<Target<X, NoInfer<T>, At>, Self<X, At>>
    >;
  } & { readonly [K in X['commands']]?: CommandEdges<X, Target<X, NoInfer<T>, At>> };
  readonly after?: { readonly [K in X['timeouts']]?: TimeoutEdges<X, Target<X, NoInfer<T>, At>> };
  readonly initial?: keyof NoInfer<T> & string;
  readonly states?: Nodes<X, T, { root: At['root']; prefix: `${At['path']}.` }>;
}

type Nodes<X extends Words, T, Above extends { root: unknown; prefix: string }> = {
  readonly [K in keyof T]: Node<
    X,
    T[K],
    { root: Above['root']; level: NoInfer<T>; name: K & string; path: `${Above['prefix']}${K & string}` }
  > &
    Shape<NoInfer<T[K]>>;
};

/**
 * A machine's config with every name and target checked. `T` is the tree of its states: parents are objects, leaves are not.
 *
 * The compiler does not see everything; what it misses (an own phase by way of its parent, dead ends, scopes) is refused when the
 * machine is made.
 */
export interface TypedConfig<X extends Words, T> {
  readonly description?: string;
  readonly initial: keyof NoInfer<T> & string;
  /** In every phase. */
  readonly entry?: Many<X['entry']>;
  /** From every phase; targets start with a dot. */
  readonly on?: { readonly [K in X['facts']]?: TimeoutEdges<X, `.${Paths<NoInfer<T>>}`> } & {
    readonly [K in X['commands']]?: CommandEdges<X, `.${Paths<NoInfer<T>>}`>;
  };
  readonly states: Nodes<X, T, { root: NoInfer<T>; prefix: '' }>;
}

/** The params a function takes after the view; `unknown` if it takes none. */
type ParamsOf<F> = F extends (view: never, params: infer P) => unknown ? P : unknown;

/** How a named function is referred to: by its name, or with its params if it takes any. */
export type ReferenceTo<V> = {
  [K in keyof V & string]: unknown extends ParamsOf<V[K]> ? K : { readonly type: K; readonly params: ParamsOf<V[K]> };
}[keyof V & string];

/** How a delete is referred to: its params are the third of its `only`. */
export type ReferenceToDelete<V> = {
  [K in keyof V & string]: V[K] extends { only: (live: never, view: never, params: infer P) => unknown }
    ? unknown extends P
      ? K
      : { readonly type: K; readonly params: P }
    : K;
}[keyof V & string];

/** The action that accepts the asked spec. */
export type Accept = typeof acceptAction;
