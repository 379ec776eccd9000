import { z } from 'zod';
import { phaseOf } from '../definition/chart-walk.ts';
import type { Condition } from '../resource/condition.ts';
import type { Report } from '../definition/lifecycle.ts';
import { messageOf } from '../failure/message-of.ts';
import { deadlinesOf } from '../machine/deadline.ts';
import { toRecord } from '../machine/to-record.ts';
import { worse } from './asserted.ts';
import { checkedConditions } from './checked-conditions.ts';
import { conditionsOf, heldConditions } from './conditions.ts';
import { evaluate } from './evaluate.ts';
import { mergePatch } from './merge-patch.ts';
import type { Problem } from './problem.ts';
import type { Run } from './run.ts';

type Json = Readonly<Record<string, unknown>>;

/** A status that is to be stored, and the merge patch that gets there: undefined when it is stored already. */
export interface ComposedStatus {
  readonly status: Json;
  readonly patch: Json | undefined;
}

/** An instant as `metav1.Time` writes it: whole seconds, UTC. */
function conditionTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

/** Conditions as stored, ours and other writers'; what is not one is left out. */
function storedConditions({ conditions }: Json): readonly Condition[] {
  return Array.isArray(conditions) ? conditions.filter(isCondition) : [];
}

/** Where data enters: the schema of the CRD has checked the rest of it. */
function isCondition(value: unknown): value is Condition {
  return typeof value === 'object' && value !== null && 'type' in value;
}

/** The patch that shows a problem and leaves the rest of the status as it is; undefined when it shows already. */
export function composeProblem(run: Run, problem: Problem): Json | undefined {
  const stored = asJson(run.object.status);
  const next = heldConditions(problem, { generation: run.generation, stored: storedConditions(stored), now: conditionTime(run.nowMs) });
  return mergePatch(stored, { ...stored, conditions: next });
}

/** `status.lifecycle` as stored, unparsed. */
export function storedLifecycle(status: unknown): unknown {
  return asJson(status)['lifecycle'];
}

/** The whole status at the position of `run`, made from what is seen now and what other writers left in it. */
export function composeStatus(run: Run, problem: Problem | undefined): ComposedStatus {
  const { position } = run;
  const stored = asJson(run.object.status);
  const reported = reportOf(run, stored);
  const deadline = deadlinesOf(run.scene.lifecycle, position, run.view())[0];
  const status: Json = {
    ...stored,
    ...reported.status,
    phase: phaseOf(position.state),
    observedGeneration: run.generation,
    lifecycle: toRecord(run.scene.lifecycle, position, deadline),
    conditions: conditionsOf({
      lifecycle: run.scene.lifecycle,
      position,
      spec: run.spec,
      generation: run.generation,
      cause: position.history.at(-1)?.cause,
      problem: worse(problem, reported.problem),
      reported: reported.conditions,
      stored: storedConditions(stored),
      now: conditionTime(run.nowMs),
    }),
  };
  return { status, patch: mergePatch(stored, status) };
}

interface Reported {
  readonly status: Json;
  readonly conditions: NonNullable<Report['conditions']>;
  readonly problem?: Problem;
}

/** The author's fields; the stored ones stay when the report reads something unknown or fails. */
function reportOf(run: Run, stored: Json): Reported {
  const { vocabulary } = run.scene.lifecycle;
  const kept: Reported = { status: {}, conditions: [] };
  if (vocabulary.report === undefined) return kept;
  const author = vocabulary.report;
  try {
    const report = evaluate({ place: 'report', object: run.name }, () => author(run.view()));
    if (report.type === 'unknown') return kept;
    return {
      status: { ...goneFields(run, stored), ...asJson(vocabulary.status.parse(report.value.status)) },
      conditions: checkedConditions(report.value.conditions ?? []),
    };
  } catch (error) {
    return { ...kept, problem: { severity: 'waiting', reason: 'ReportFailed', message: messageOf(error) } };
  }
}

/** The author's fields that are stored: what the report does not give any more is to go. */
function goneFields(run: Run, stored: Json): Readonly<Record<string, undefined>> {
  const schema = run.scene.lifecycle.vocabulary.status;
  const fields: Record<string, undefined> = {};
  if (schema instanceof z.ZodObject) for (const name in schema.shape) if (name in stored) fields[name] = undefined;
  return fields;
}

/** A JSON object as it is, anything else as an empty one. */
export function asJson(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}
