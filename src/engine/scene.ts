import type { EventRecorder } from '../cluster/event-recorder.ts';
import type { Cluster } from '../cluster/cluster.ts';
import type { ObjectCache } from '../cluster/object-cache.ts';
import type { Lifecycle } from '../definition/lifecycle.ts';
import type { KubernetesObject } from '../resource/kubernetes-object.ts';
import type { Log } from '../cluster/log.ts';
import type { ProbeRunner } from './probe-runner.ts';
import type { RecentSet } from './recent-set.ts';

/** Where the reconciles of one lifecycle take place: its caches and the doors to the cluster. */
export interface Scene {
  readonly lifecycle: Lifecycle;
  readonly cluster: Cluster;
  readonly primaries: ObjectCache<KubernetesObject>;
  /** By name under `dependents`; each has the index `owner` over the owner label. */
  readonly dependents: Readonly<Record<string, ObjectCache<KubernetesObject>>>;
  /** By name under `watches`; each has an index of the watch's own name over the keys it wakes. */
  readonly watches: Readonly<Record<string, ObjectCache<KubernetesObject>>>;
  /** UIDs of dependents that left the caches lately. */
  readonly departed: RecentSet;
  readonly probes: ProbeRunner;
  /** Undefined: no Kubernetes Events are written. */
  readonly events: EventRecorder | undefined;
  readonly log: Log;
  /** Name of this operator instance, as history shows it. */
  readonly instance: string;
}

/** Name of the index over the owner label. */
export const ownerIndex = 'owner';
