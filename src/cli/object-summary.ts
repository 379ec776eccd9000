import { z } from 'zod';
import { lifecycleRecordSchema } from '../definition/lifecycle-record.ts';
import type { KubernetesObject } from '../resource/kubernetes-object.ts';

const conditionSchema = z.object({
  type: z.string(),
  status: z.string(),
  reason: z.string().default(''),
  message: z.string().default(''),
  lastTransitionTime: z.string().optional(),
});

// Whatever another version stored is shown as far as it can be read.
const statusSchema = z.object({
  phase: z.string().optional().catch(undefined),
  observedGeneration: z.int().optional().catch(undefined),
  lifecycle: lifecycleRecordSchema.optional().catch(undefined),
  conditions: z.array(conditionSchema).default([]).catch([]),
});

/** The status of an object as far as it is ours, read tolerantly. */
export type ObjectSummary = z.output<typeof statusSchema>;

/** Reads what the operator stored about an object; everything may be missing. */
export function summaryOf(object: KubernetesObject): ObjectSummary {
  return statusSchema
    .catch({ phase: undefined, observedGeneration: undefined, lifecycle: undefined, conditions: [] })
    .parse(object['status'] ?? {});
}

/** A condition by type. */
export function conditionOf(summary: ObjectSummary, type: string): ObjectSummary['conditions'][number] | undefined {
  return summary.conditions.find((condition) => condition.type === type);
}

/** Since when the object is in its phase, milliseconds since 1970; undefined where nothing was recorded. */
export function sinceMs({ lifecycle }: ObjectSummary): number | undefined {
  const instant =
    lifecycle?.history?.at(-1)?.at ??
    Object.values(lifecycle?.entered ?? {})
      .toSorted()
      .at(-1);
  const ms = Date.parse(instant ?? '');
  return Number.isNaN(ms) ? undefined : ms;
}

/** Milliseconds until the deadline, negative when it has passed; undefined without one. */
export function leftMs({ lifecycle }: ObjectSummary, nowMs: number): number | undefined {
  const ms = Date.parse(lifecycle?.deadline?.at ?? '');
  return Number.isNaN(ms) ? undefined : ms - nowMs;
}
