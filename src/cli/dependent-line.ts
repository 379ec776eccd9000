import { z } from 'zod';
import type { KubernetesObject } from '../resource/kubernetes-object.ts';

/** One dependent, or several that are in the same state, as a line of the tree. */
export interface DependentLine {
  readonly kind: string;
  /** In order. */
  readonly names: readonly string[];
  /** `Ready`, `NotReady`, `Deleting`, what its phase says, or `-`. */
  readonly state: string;
  /** Why it is not ready; empty where nothing says so. */
  readonly message: string;
  /** When the oldest was created, RFC 3339. */
  readonly created: string;
}

const statusSchema = z.object({
  phase: z.string().optional(),
  conditions: z.array(z.object({ type: z.string(), status: z.string(), message: z.string().default('') })).default([]),
});

/** Fewer equal dependents than this each have a line of their own. */
const leastToGroup = 4;

/** Lines for a list of dependents, in their order; equal ones stand together where there are many and `group` is set. */
export function dependentLines(dependents: readonly KubernetesObject[], group: boolean): readonly DependentLine[] {
  const lines = dependents.map(lineOf);
  if (!group) return lines;
  const alike = Map.groupBy(lines, ({ kind, state, message }) => JSON.stringify([kind, state, message]));
  return [...alike.values()].flatMap((same) => {
    const [first] = same;
    if (first === undefined || same.length < leastToGroup) return same;
    const created = same.map((line) => line.created).toSorted()[0] ?? first.created;
    return [{ ...first, names: same.flatMap(({ names }) => names), created }];
  });
}

/** `Node/gpu-1`, or `Node/gpu-1, gpu-4, gpu-5, … (12)` for many. */
export function dependentName({ kind, names }: Pick<DependentLine, 'kind' | 'names'>): string {
  const shown = names.slice(0, 3).join(', ');
  return names.length === 1 ? `${kind}/${shown}` : `${kind}/${shown}, … (${names.length})`;
}

function lineOf(object: KubernetesObject): DependentLine {
  const { kind, metadata } = object;
  const status = statusSchema.safeParse(object['status'] ?? {}).data;
  const ready = status?.conditions.find(({ type }) => type === 'Ready');
  const line = { kind, names: [metadata.name], created: metadata.creationTimestamp ?? '' };
  if (metadata.deletionTimestamp !== undefined) return { ...line, state: 'Deleting', message: (metadata.finalizers ?? []).join(', ') };
  if (ready !== undefined)
    return { ...line, state: ready.status === 'True' ? 'Ready' : 'NotReady', message: ready.status === 'True' ? '' : ready.message };
  return { ...line, state: status?.phase ?? '-', message: '' };
}
