/** One value or a list of them, as XState accepts it. */
export type Many<T> = T | readonly T[];

/** A name, or a name with its params. */
export type Reference = string | { readonly type: string; readonly params?: Readonly<Record<string, unknown>> };

/** What a phase means to kstatus: `Current` is steady, `Failed` is stalled, the others are on their way. */
export type KStatus = 'InProgress' | 'Current' | 'Failed' | 'Terminating';

/** One edge in `on` or `after`; without a target only a command may act. */
export interface EdgeConfig {
  readonly target?: string;
  readonly guard?: Reference;
  readonly actions?: Many<Reference>;
  readonly reenter?: true;
  readonly description?: string;
}

/** One state: a leaf with `meta.kstatus`, or a parent with `initial` and `states`. */
export interface StateConfig {
  readonly description?: string;
  readonly initial?: string;
  readonly meta?: { readonly kstatus?: KStatus; readonly message?: string };
  /** Ensures and deletes that hold while the state is active. */
  readonly entry?: Many<Reference>;
  /** Fact or command to edges, in order of priority. */
  readonly on?: Readonly<Record<string, string | Many<EdgeConfig>>>;
  /** Timeout to edges. */
  readonly after?: Readonly<Record<string, string | Many<EdgeConfig>>>;
  readonly states?: Readonly<Record<string, StateConfig>>;
}

/** The config of a machine: JSON, a verbatim XState v5 config restricted to what survives a crash. */
export interface MachineConfig extends StateConfig {
  readonly initial: string;
  readonly states: Readonly<Record<string, StateConfig>>;
}
