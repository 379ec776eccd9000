import type { TransitionEntry } from '../definition/lifecycle-record.ts';
import { eventWords } from '../graph/event-words.ts';
import { referenceText } from '../machine/reference-text.ts';
import type { KubernetesObject } from '../resource/kubernetes-object.ts';
import { dependentsOf, type Dependents, explainObject } from './observed-object.ts';
import { type DependentLine, dependentLines } from './dependent-line.ts';
import { movesFrom } from './legal-move.ts';
import type { Knowledge } from './knowledge.ts';
import { type ObjectSummary, sinceMs, summaryOf } from './object-summary.ts';

/** One way out of the object's state. */
export interface NextStep {
  readonly event: string;
  readonly to: string;
  readonly guard?: string | undefined;
  /** Whether it could be taken now; undefined where the definition is not at hand. */
  readonly enabled?: 'yes' | 'no' | 'unknown' | undefined;
  /** What is seen, or what is missing. */
  readonly reason?: string | undefined;
}

/** Everything `describe` says about one object; what `-o json` prints. */
export interface Description {
  readonly apiVersion: 'report.phasekeeper.dev/v1';
  readonly kind: 'Description';
  readonly object: {
    readonly apiVersion: string;
    readonly kind: string;
    readonly namespace?: string | undefined;
    readonly name: string;
    readonly uid: string;
    readonly generation?: number | undefined;
  };
  readonly observedGeneration?: number | undefined;
  readonly machineVersion?: string | undefined;
  readonly phase?: string | undefined;
  readonly state?: string | undefined;
  readonly sequence?: number | undefined;
  /** RFC 3339. */
  readonly since?: string | undefined;
  readonly deadline?: { readonly at: string; readonly timeout: string } | undefined;
  readonly allowedCommands: readonly string[];
  readonly next: readonly NextStep[];
  /** Undefined where the definition is not at hand. */
  readonly dependents?: readonly DependentLine[] | undefined;
  /** Newest first. */
  readonly history: readonly TransitionEntry[];
  readonly conditions: ObjectSummary['conditions'];
}

export interface DescribeInput {
  readonly object: KubernetesObject;
  readonly knowledge: Knowledge;
  /** Of this object; undefined where they could not be read. */
  readonly dependents: Dependents | undefined;
  readonly nowMs: number;
  /** Whether equal dependents share a line. */
  readonly group: boolean;
}

/** Puts together what is known about an object. */
export function describeObject(input: DescribeInput): Description {
  const { object, knowledge, dependents, group } = input;
  const summary = summaryOf(object);
  const { lifecycle: record } = summary;
  const since = sinceMs(summary);
  const { apiVersion, kind, metadata } = object;
  const { namespace, name, uid, generation } = metadata;
  return {
    apiVersion: 'report.phasekeeper.dev/v1',
    kind: 'Description',
    object: { apiVersion, kind, namespace, name, uid, generation },
    observedGeneration: summary.observedGeneration,
    machineVersion: record?.machineVersion,
    phase: summary.phase,
    state: record?.state,
    sequence: record?.sequence,
    since: since === undefined ? undefined : new Date(since).toISOString(),
    deadline: record?.deadline,
    allowedCommands: record?.allowedCommands ?? [],
    next: nextSteps(input, record?.state),
    dependents:
      knowledge.lifecycle === undefined || dependents === undefined
        ? undefined
        : dependentLines(Object.values(dependentsOf(knowledge.lifecycle, dependents, object)).flat(), group),
    history: (record?.history ?? []).toReversed(),
    conditions: summary.conditions,
  };
}

function nextSteps({ object, knowledge, dependents, nowMs }: DescribeInput, state: string | undefined): readonly NextStep[] {
  const { lifecycle, moves } = knowledge;
  const explained =
    lifecycle === undefined || dependents === undefined ? undefined : explainObject(lifecycle, object, { dependents, nowMs });
  if (lifecycle === undefined || explained === undefined) {
    return state === undefined ? [] : movesFrom(moves, state).map(({ event, to, guard }) => ({ event, to, guard }));
  }
  return explained.map(({ edge, trigger, target, enabled, reason }) => ({
    event: eventWords(lifecycle, trigger),
    to: target,
    guard: edge.guard === undefined ? undefined : referenceText(edge.guard),
    enabled,
    reason: reason.replace(`${trigger.name}: `, '').replace(/^waits for .*/, ''),
  }));
}
