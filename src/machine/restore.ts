import type { ChartNode } from '../definition/chart.ts';
import type { AcceptedSpec, LifecycleRecord } from '../definition/lifecycle-record.ts';
import { lifecycleRecordSchema } from '../definition/lifecycle-record.ts';
import type { Lifecycle } from '../definition/lifecycle.ts';
import { messageOf } from '../failure/message-of.ts';
import type { Position } from './position.ts';
import { timedLevels } from './state-plan.ts';

/** The object stands in a state that this machine knows. */
export interface RestoredPosition {
  readonly type: 'restored';
  readonly position: Position;
}

/** Nothing was ever recorded: the position is the one to start from, at sequence 0. */
export interface AbsentPosition {
  readonly type: 'absent';
  readonly position: Position;
}

/** The stored state is gone from this machine, which declares where its objects go. The move is still to be recorded: `relocate`. */
export interface MigratedPosition {
  readonly type: 'migrated';
  /** In the new state, with the stored sequence. */
  readonly position: Position;
  /** The stored state. */
  readonly from: string;
}

/** What is stored means nothing to this machine: no effects, until a person or another machine changes it. */
export interface Quarantined {
  readonly type: 'quarantined';
  /** As stored. */
  readonly state: string;
  readonly sequence: number;
  readonly reason: string;
  /** What could be read of it; a deletion carries it on. */
  readonly record: LifecycleRecord | undefined;
  /** The leaf that a deletion leads to from anywhere, if this machine has one. */
  readonly deletionTarget?: string;
}

export type Restored = RestoredPosition | AbsentPosition | MigratedPosition | Quarantined;

/** Reads `status.lifecycle` of an object. It never throws: what cannot be read is quarantined. */
export function restore(lifecycle: Lifecycle, stored: unknown): Restored {
  if (stored === undefined || stored === null) return { type: 'absent', position: startOf(lifecycle, lifecycle.chart.initial, undefined) };
  const read = lifecycleRecordSchema.safeParse(stored);
  if (!read.success) return quarantine(lifecycle, stored, `status.lifecycle cannot be read: ${problemOf(read.error.issues)}`);
  const record = read.data;
  const state = knownState(lifecycle, record.state);
  const { machineVersion } = lifecycle.vocabulary;
  if (state === undefined) return quarantine(lifecycle, record, `machine ${machineVersion} has no state ${record.state}`);
  if (state === record.state && neverEntered(record)) return { type: 'absent', position: startOf(lifecycle, state, record.lastCommand) };
  const memory = parsed(lifecycle.vocabulary.memory, record.memory ?? {});
  if (typeof memory === 'string') return quarantine(lifecycle, record, `its memory cannot be read: ${memory}`);
  const enteredMs = neverEntered(record) ? {} : enteredOf(lifecycle, record, state);
  if (enteredMs === undefined) return quarantine(lifecycle, record, 'its record does not say when a state was entered');
  const position: Position = {
    state,
    sequence: record.sequence,
    enteredMs,
    memory,
    accepted: specOf(lifecycle, record.accepted),
    stable: specOf(lifecycle, record.stable),
    lastCommand: record.lastCommand,
    history: record.history ?? [],
    recorded: record.entered !== undefined,
  };
  return state === record.state ? { type: 'restored', position } : { type: 'migrated', position, from: record.state };
}

/** The state itself if it is a leaf, else the leaf that its migration leads to. */
function knownState({ chart, vocabulary }: Lifecycle, state: string): string | undefined {
  if (isLeaf(chart.nodes.get(state))) return state;
  const target = Object.hasOwn(vocabulary.migrations, state) ? vocabulary.migrations[state] : undefined;
  return target === undefined ? undefined : chart.nodes.get(target)?.initialLeaf;
}

function isLeaf(node: ChartNode | undefined): boolean {
  return node !== undefined && node.children.length === 0;
}

/** The schema's default shows a state that nobody entered; all that may be stored beside it is a command that was refused there. */
function neverEntered({ sequence, entered = {} }: LifecycleRecord): boolean {
  return sequence === 0 && Object.keys(entered).length === 0;
}

function startOf(lifecycle: Lifecycle, state: string, lastCommand: Position['lastCommand']): Position {
  const memory = parsed(lifecycle.vocabulary.memory, {});
  return {
    state,
    sequence: 0,
    enteredMs: {},
    // The definition refuses a memory whose fields have no defaults, so that nothing parses.
    memory: typeof memory === 'string' ? {} : memory,
    accepted: undefined,
    stable: undefined,
    lastCommand,
    history: [],
    recorded: false,
  };
}

/**
 * One instant per level. A level that has none (renamed, or new around an old state) gets the latest that is stored: its state
 * was entered then, and a deadline neither starts over nor falls due early. Undefined when nothing is stored.
 */
function enteredOf(lifecycle: Lifecycle, record: LifecycleRecord, state: string): Readonly<Record<string, number>> | undefined {
  const stored = new Map(Object.entries(record.entered ?? {}).map(([path, instant]) => [path, Date.parse(instant)]));
  const instants = [...stored.values(), Date.parse(record.history?.at(-1)?.at ?? '')].filter((ms) => !Number.isNaN(ms));
  if (instants.length === 0) return undefined;
  const latestMs = Math.max(...instants);
  const entered = timedLevels(lifecycle, state).map((path) => {
    const ms = stored.get(path);
    return [path, ms === undefined || Number.isNaN(ms) ? latestMs : ms] as const;
  });
  return Object.fromEntries(entered);
}

/** With the defaults of fields that the spec's schema got since; as it is when the schema no longer takes it. */
function specOf({ vocabulary }: Lifecycle, accepted: AcceptedSpec | undefined): AcceptedSpec | undefined {
  if (accepted === undefined) return undefined;
  const spec = parsed(vocabulary.spec, accepted.spec);
  return typeof spec === 'string' ? accepted : { generation: accepted.generation, spec };
}

/** The value as a schema of the author reads it, or what is wrong with it. */
function parsed(schema: Lifecycle['vocabulary']['memory'], value: unknown): Record<string, unknown> | string {
  try {
    const result = schema.safeParse(value);
    // Memory and spec are objects: the definition refuses any other schema.
    return result.success ? (result.data as Record<string, unknown>) : problemOf(result.error.issues);
  } catch (thrown) {
    // A refinement of the author's may throw.
    return messageOf(thrown);
  }
}

function quarantine(lifecycle: Lifecycle, stored: unknown, reason: string): Quarantined {
  const record = lifecycleRecordSchema.safeParse(stored).data;
  const { state, sequence } = Object(stored) as { readonly state?: unknown; readonly sequence?: unknown }; // read only to show what is stored
  const shown = {
    type: 'quarantined',
    state: typeof state === 'string' ? state : '',
    sequence: typeof sequence === 'number' && Number.isSafeInteger(sequence) ? sequence : 0,
    reason,
    record,
  } as const;
  const deletionTarget = deletionTargetOf(lifecycle, shown.state);
  return deletionTarget === undefined ? shown : { ...shown, deletionTarget };
}

/** Guards cannot be judged without a position, so only an edge without one counts; and none leads from its target to itself. */
function deletionTargetOf({ chart }: Lifecycle, state: string): string | undefined {
  const edges = chart.nodes.get('')?.edges ?? [];
  const deletion = edges.find(({ trigger, guard }) => trigger.type === 'fact' && trigger.name === 'deleted' && guard === undefined);
  return `${state}.`.startsWith(`${deletion?.target}.`) ? undefined : deletion?.leaf;
}

function problemOf(issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[]): string {
  return issues.map(({ path, message }) => (path.length === 0 ? message : `${path.map(String).join('.')}: ${message}`)).join('; ');
}
