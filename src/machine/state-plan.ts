import type { ChartEdge, NamedReference } from '../definition/chart.ts';
import { edgesFrom, levelsOf } from '../definition/chart-walk.ts';
import type { Lifecycle } from '../definition/lifecycle.ts';

/** A fact or timeout of one level of a state. */
export interface LevelTrigger {
  /** Path of the level that declares it; `''` is the root. */
  readonly source: string;
  readonly name: string;
}

/** What a decision in one leaf has to look at, worked out once. */
export interface StatePlan {
  /** Edges that mean something here; XState knows others, which it would take for nothing. */
  readonly live: ReadonlySet<ChartEdge>;
  readonly hasDeletion: boolean;
  /** In the order they are judged, `deleted` apart. */
  readonly facts: readonly LevelTrigger[];
  /** The leaf's first, the root's last. */
  readonly timeouts: readonly LevelTrigger[];
  /** Commands that have an edge here, in order. */
  readonly commands: readonly string[];
  /** Ensures and deletes, the root's first. */
  readonly entries: readonly NamedReference[];
  readonly hasDeletes: boolean;
}

const plans = new WeakMap<Lifecycle, Map<string, StatePlan>>();

/** @throws PhasekeeperError UNKNOWN_STATE when the machine has no such state */
export function statePlan(lifecycle: Lifecycle, leaf: string): StatePlan {
  let ofLifecycle = plans.get(lifecycle);
  if (ofLifecycle === undefined) plans.set(lifecycle, (ofLifecycle = new Map<string, StatePlan>()));
  let plan = ofLifecycle.get(leaf);
  if (plan === undefined) ofLifecycle.set(leaf, (plan = planFor(lifecycle, leaf)));
  return plan;
}

function planFor(lifecycle: Lifecycle, leaf: string): StatePlan {
  const edges = edgesFrom(lifecycle.chart, leaf);
  const entries = levelsOf(lifecycle.chart, leaf)
    .toReversed()
    .flatMap((node) => node.entry);
  const facts = levelTriggers(edges, 'fact');
  return {
    live: new Set(edges),
    hasDeletion: facts.some(({ name }) => name === 'deleted'),
    facts: facts.filter(({ name }) => name !== 'deleted'),
    timeouts: levelTriggers(edges, 'timeout').filter(({ source }) => source !== ''),
    commands: [...new Set(edges.flatMap(({ trigger }) => (trigger.type === 'command' ? [trigger.name] : [])))],
    entries,
    hasDeletes: entries.some(({ name }) => Object.hasOwn(lifecycle.vocabulary.deletes, name)),
  };
}

/** Each name once per level. */
function levelTriggers(edges: readonly ChartEdge[], type: 'fact' | 'timeout'): readonly LevelTrigger[] {
  const triggers: LevelTrigger[] = [];
  for (const { source, trigger } of edges) {
    if (trigger.type !== type || triggers.some((other) => other.source === source && other.name === trigger.name)) continue;
    triggers.push({ source, name: trigger.name });
  }
  return triggers;
}

/** The active levels of a leaf that have an entry instant: all but the root, the leaf first. */
export function timedLevels(lifecycle: Lifecycle, leaf: string): readonly string[] {
  return levelsOf(lifecycle.chart, leaf).flatMap(({ path }) => (path === '' ? [] : [path]));
}
