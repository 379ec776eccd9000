import type { TransitionEntry } from '../definition/lifecycle-record.ts';
import type { KubernetesObject } from '../resource/kubernetes-object.ts';
import { type DependentLine, dependentLines } from './dependent-line.ts';
import { type LegalMove, movesFrom } from './legal-move.ts';
import type { NextStep } from './next-step.ts';
import { type ObjectSummary, sinceMs, summaryOf } from './object-summary.ts';

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
  readonly moves: readonly LegalMove[];
  /** Instead of the moves, where the definition is at hand. */
  readonly explained?: readonly NextStep[] | undefined;
  /** Where the definition is at hand. */
  readonly dependents?: readonly KubernetesObject[] | undefined;
  /** Whether equal dependents share a line. */
  readonly group: boolean;
}

/** Puts together what is known about an object. */
export function describeObject({ object, moves, explained, dependents, group }: DescribeInput): Description {
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
    next: explained ?? (record === undefined ? [] : stepsOf(moves, record.state)),
    dependents: dependents === undefined ? undefined : dependentLines(dependents, group),
    history: (record?.history ?? []).toReversed(),
    conditions: summary.conditions,
  };
}

function stepsOf(moves: readonly LegalMove[], state: string): readonly NextStep[] {
  return movesFrom(moves, state).map(({ event, to, guard }) => ({ event, to, guard }));
}
