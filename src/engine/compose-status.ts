import { z } from 'zod';
import { phaseOf } from '../definition/chart-walk.ts';
import type { Condition } from '../resource/condition.ts';
import type { Report } from '../definition/lifecycle.ts';
import { messageOf } from '../failure/message-of.ts';
import { deadlinesOf } from '../machine/deadline.ts';
import { toRecord } from '../machine/to-record.ts';
import { conditionsOf, heldConditions } from './conditions.ts';
import { evaluate } from './evaluate.ts';
import { mergePatch } from './merge-patch.ts';
import type { Problem } from './problem.ts';
import type { Run } from './run.ts';

type Json = Readonly<Record<string, unknown>>;

const storedStatusSchema = z.object({
  lifecycle: z.record(z.string(), z.unknown()).optional(),
  conditions: z.array(z.custom<Condition>((value) => typeof value === 'object' && value !== null && 'type' in value)).optional(),
});

/** A status that is to be stored, and the merge patch that gets there: undefined when it is stored already. */
export interface ComposedStatus {
  readonly status: Json;
  readonly patch: Json | undefined;
}

/** An instant as `metav1.Time` writes it: whole seconds, UTC. */
function conditionTime(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');
}

/** The patch that shows a problem and leaves the rest of the status as it is; undefined when it shows already. */
export function composeProblem(run: Run, problem: Problem): Json | undefined {
  const stored = asJson(run.object.status);
  const conditions = storedStatusSchema.safeParse(stored).data?.conditions ?? [];
  const next = heldConditions(problem, { generation: run.generation, stored: conditions, now: conditionTime(run.nowMs) });
  return mergePatch(stored, { ...stored, conditions: next });
}

/** `status.lifecycle` as stored, unparsed. */
export function storedLifecycle(status: unknown): unknown {
  return storedStatusSchema.safeParse(status ?? {}).data?.lifecycle;
}

/** The whole status at the position of `run`, made from what is seen now and what other writers left in it. */
export function composeStatus(run: Run, problem: Problem | undefined): ComposedStatus {
  const { position } = run;
  const stored = asJson(run.object.status);
  const conditions = storedStatusSchema.safeParse(stored).data?.conditions ?? [];
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
      problem: reported.problem ?? problem,
      reported: reported.conditions,
      stored: conditions,
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
    const gone = Object.fromEntries(Object.keys(stored).map((name) => [name, undefined]));
    return {
      status: { ...pick(gone, Object.keys(authorFields(run))), ...asJson(vocabulary.status.parse(report.value.status)) },
      conditions: report.value.conditions ?? [],
    };
  } catch (error) {
    return { ...kept, problem: { severity: 'waiting', reason: 'ReportFailed', message: messageOf(error) } };
  }
}

function authorFields(run: Run): Json {
  const schema = run.scene.lifecycle.vocabulary.status;
  return schema instanceof z.ZodObject ? schema.shape : {};
}

function pick(values: Readonly<Record<string, undefined>>, keys: readonly string[]): Readonly<Record<string, undefined>> {
  return Object.fromEntries(keys.filter((key) => key in values).map((key) => [key, undefined]));
}

/** A JSON object as it is, anything else as an empty one. */
export function asJson(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}
