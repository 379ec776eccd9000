import { Pod, type PodObject } from '../resource/core-kinds.ts';
import type { Cluster } from '../cluster/cluster.ts';

/** How far a node's drain is. */
export type Drained =
  | { readonly type: 'empty' }
  | { readonly type: 'evicting'; readonly pods: number }
  | { readonly type: 'blocked'; readonly pod: string };

/**
 * Evicts what runs on a node, through the eviction API so that PodDisruptionBudgets are honoured. Pods of DaemonSets and mirror
 * pods stay, as `kubectl drain --ignore-daemonsets` leaves them; finished pods do not count. Call it again until `empty`.
 *
 * The phase's ensure is to cordon the node first, or the scheduler fills it again.
 */
export async function drainNode(cluster: Cluster, node: string): Promise<Drained> {
  const { items } = await cluster.list(Pod, { fieldSelector: `spec.nodeName=${node}` });
  const evictable = items.filter(isEvictable);
  let blocked: string | undefined;
  for (const pod of evictable) {
    if (pod.metadata.deletionTimestamp !== undefined) continue;
    const answer = await cluster.evict(pod);
    if (answer === 'blocked') blocked ??= `${pod.metadata.namespace}/${pod.metadata.name}`;
  }
  if (blocked !== undefined) return { type: 'blocked', pod: blocked };
  return evictable.length === 0 ? { type: 'empty' } : { type: 'evicting', pods: evictable.length };
}

function isEvictable(pod: PodObject): boolean {
  const finished = pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed';
  const mirror = pod.metadata.annotations?.['kubernetes.io/config.mirror'] !== undefined;
  const daemon = (pod.metadata.ownerReferences ?? []).some((reference) => reference.controller === true && reference.kind === 'DaemonSet');
  return !finished && !mirror && !daemon;
}
