import type { KStatus } from './machine-config.ts';

/** A name and its params (empty when it has none). */
export interface NamedReference {
  readonly name: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** A fact is judged, a command asked, a timeout due. */
export type TriggerType = 'fact' | 'command' | 'timeout';

/** What makes an edge possible. */
export interface Trigger {
  readonly type: TriggerType;
  readonly name: string;
}

/** One edge: what makes it possible, where it leads and what it does. */
export interface ChartEdge {
  /** Path of the state that declares it; `''` is the root. */
  readonly source: string;
  readonly trigger: Trigger;
  /** Position among the edges of the same source and trigger: the first enabled one wins. */
  readonly order: number;
  readonly guard?: NamedReference;
  /** Path of the declared target; absent for a command that only acts. */
  readonly target?: string;
  /** The leaf that is entered; absent like `target`. */
  readonly leaf?: string;
  readonly reenter: boolean;
  /** Announcements, remembers and `accept`, in order, by name. */
  readonly actions: readonly NamedReference[];
  readonly accepts: boolean;
  readonly description?: string;
}

/** One state, its parents and children by path. */
export interface ChartNode {
  /** Full path with dots; `''` is the root. */
  readonly path: string;
  /** Undefined for the root only. */
  readonly parent: string | undefined;
  readonly children: readonly string[];
  /** The leaf that is entered when this state is the target; the path itself for a leaf. */
  readonly initialLeaf: string;
  /** On leaves only. */
  readonly kstatus?: KStatus;
  readonly message?: string;
  readonly description?: string;
  readonly entry: readonly NamedReference[];
  /** In the order they are judged: as `on` lists them, then as `after` does. */
  readonly edges: readonly ChartEdge[];
}

/** A machine as plain data with every name resolved: what the graph, the manifests and the engine read. */
export interface Chart {
  /** The leaf an object without a record is in. */
  readonly initial: string;
  /** Every state by path, the root under `''`, in document order. */
  readonly nodes: ReadonlyMap<string, ChartNode>;
  readonly leaves: readonly string[];
  /** The heads of the leaves: what `status.phase` can be. */
  readonly phases: readonly string[];
  /** Whether any edge accepts: then `accepted` and `stable` are kept. */
  readonly accepts: boolean;
  /** Names of the actions that change memory. */
  readonly remembers: ReadonlySet<string>;
}
