import { ApiError } from '../cluster/api-error.ts';
import type { NamedReference } from '../definition/chart.ts';
import type { Kind } from '../resource/kind.ts';
import type { KubernetesObject } from '../resource/kubernetes-object.ts';
import { keyOf } from '../resource/object-key.ts';
import { declaredDelete, deletableNow, mayDelete } from './declared-delete.ts';
import { drainNode } from './drain-node.ts';
import { EffectError } from './effect-error.ts';
import { type Asserted, mergeAsserted, nothingAsserted as nothing } from './asserted.ts';
import { ownershipOf } from './ownership.ts';
import type { Problem } from './problem.ts';
import type { Run } from './run.ts';
import { StaleViewError } from './stale-view-error.ts';

/** An eviction ends without a sign for us unless the lifecycle watches pods: look again this often. */
const drainRetryMs = 2_000;
/** The dependent changed between our read and our delete. */
const conflictRetryMs = 100;

/**
 * Removes what a declared delete of the active phase selects. Before the first one the object itself is read live: a destructive
 * step never rests on a stale spec. Each dependent is read live and judged again, then deleted with its UID and version.
 * @throws StaleViewError when the object changed meanwhile: the reconcile starts over
 * @throws EffectError, retry, for what the server did not do
 */
export async function removeDependents(run: Run, entry: NamedReference): Promise<Asserted> {
  const declared = declaredDelete(run, entry);
  const candidates = deletableNow(run, entry);
  const leaving = candidates.filter((candidate) => candidate.metadata.deletionTimestamp !== undefined);
  const chosen = candidates.filter((candidate) => candidate.metadata.deletionTimestamp === undefined);
  const now = declared.oneAtATime === true ? (leaving.length > 0 ? [] : chosen.slice(0, 1)) : chosen;
  if (now.length === 0) return nothing;
  try {
    await refuseStaleView(run);
    let result: Asserted = nothing;
    for (const candidate of now) {
      result = mergeAsserted(result, await removeOne(run, entry, candidate));
    }
    return result;
  } catch (error) {
    if (error instanceof StaleViewError) throw error;
    throw new EffectError(`delete ${entry.name}`, run.name, { reason: 'DeleteFailed', disposition: 'retry', cause: error });
  }
}

async function refuseStaleView(run: Run): Promise<void> {
  const live = await run.scene.cluster.get(run.scene.lifecycle.kind, run.key);
  if (live?.metadata.uid === run.object.metadata.uid && live.metadata.resourceVersion === run.object.metadata.resourceVersion) return;
  if (live === undefined) run.scene.primaries.forget(run.key, run.object.metadata.uid);
  else run.scene.primaries.observe(live);
  throw new StaleViewError(run.name);
}

async function removeOne(run: Run, entry: NamedReference, candidate: KubernetesObject): Promise<Asserted> {
  const declared = declaredDelete(run, entry);
  const cache = run.scene.dependents[declared.from];
  const kind: Kind | undefined = run.scene.lifecycle.vocabulary.dependents[declared.from];
  if (cache === undefined || kind === undefined) return nothing;
  const key = keyOf(candidate.metadata);
  const live = await run.scene.cluster.get(kind, key);
  if (live === undefined || live.metadata.uid !== candidate.metadata.uid) {
    cache.forget(key, candidate.metadata.uid);
    if (live !== undefined) cache.upsert(live);
    run.changed();
    return { ...nothing, wrote: true };
  }
  if (ownershipOf(live, run.object.metadata.uid) === 'foreign' || !mayDelete(run, entry, live)) {
    cache.upsert(live);
    run.changed();
    return { ...nothing, retryInMs: drainRetryMs };
  }
  if (declared.how === 'drain') {
    const drained = await drainNode(run.scene.cluster, live.metadata.name);
    if (drained.type === 'blocked') return { ...nothing, problem: blocked(key, drained.pod), retryInMs: drainRetryMs };
    if (drained.type === 'evicting') return { ...nothing, retryInMs: drainRetryMs };
  }
  return await remove(run, { kind, live, group: declared.from });
}

async function remove(
  run: Run,
  { kind, live, group }: { readonly kind: Kind; readonly live: KubernetesObject; readonly group: string },
): Promise<Asserted> {
  const key = keyOf(live.metadata);
  const { uid, resourceVersion } = live.metadata;
  const cache = run.scene.dependents[group];
  try {
    const answer = await run.scene.cluster.delete(kind, key, { uid, resourceVersion, propagationPolicy: 'Background' });
    if (answer.type === 'gone') cache?.forget(key, uid);
    else cache?.observe(answer.object);
    run.changed();
    return { ...nothing, wrote: true };
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 409) throw error;
    return { ...nothing, retryInMs: conflictRetryMs };
  }
}

function blocked(node: string, pod: string): Problem {
  return {
    severity: 'waiting',
    reason: 'DrainBlocked',
    message: `node ${node} is not drained: a PodDisruptionBudget holds pod ${pod}`,
  };
}
