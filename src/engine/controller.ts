import type { Cluster } from '../cluster/cluster.ts';
import type { EventRecorder } from '../cluster/event-recorder.ts';
import type { Log } from '../cluster/log.ts';
import type { CacheChange, ObjectCache } from '../cluster/object-cache.ts';
import type { Lifecycle } from '../definition/lifecycle.ts';
import { names } from '../definition/reserved-names.ts';
import { type Failure, WorkQueue } from '../queue/work-queue.ts';
import type { KubernetesObject } from '../resource/kubernetes-object.ts';
import { keyOf, type ObjectKey } from '../resource/object-key.ts';
import { ProbeRunner } from './probe-runner.ts';
import { Reconciler } from './reconciler.ts';
import { RecentSet } from './recent-set.ts';
import type { Scene } from './scene.ts';

export interface ControllerOptions {
  readonly lifecycle: Lifecycle;
  readonly cluster: Cluster;
  readonly primaries: ObjectCache<KubernetesObject>;
  readonly dependents: Readonly<Record<string, ObjectCache<KubernetesObject>>>;
  readonly watches: Readonly<Record<string, ObjectCache<KubernetesObject>>>;
  readonly events: EventRecorder | undefined;
  readonly log: Log;
  readonly instance: string;
  /** Objects worked on at once. */
  readonly workers: number;
}

/** Runs one lifecycle: turns changes in the caches into keys, and works on them one object at a time. */
export class Controller {
  readonly #scene: Scene;
  readonly #queue: WorkQueue;
  readonly #reconciler: Reconciler;
  /** Keys that are worked on now: their own writes do not bring them back. */
  readonly #working = new Set<ObjectKey>();

  constructor(options: ControllerOptions) {
    const { lifecycle, cluster, log } = options;
    this.#queue = new WorkQueue({
      clock: cluster.clock,
      workers: options.workers,
      work: (key) => this.#work(key),
      onFailure: (failure) => this.#logFailure(failure),
    });
    const probes = new ProbeRunner({ clock: cluster.clock, time: cluster.time, log, onAnswer: (key) => this.#queue.add(key) });
    this.#scene = {
      lifecycle,
      cluster,
      primaries: options.primaries,
      dependents: options.dependents,
      watches: options.watches,
      departed: new RecentSet(),
      probes,
      events: options.events,
      log,
      instance: options.instance,
    };
    this.#reconciler = new Reconciler(this.#scene);
  }

  /** Works until the signal aborts; the caches are to be synced before. */
  async run(signal: AbortSignal): Promise<void> {
    const subscriptions = this.#subscribe();
    for (const object of this.#scene.primaries.list()) this.#queue.add(keyOf(object.metadata));
    await this.#queue.run(signal);
    for (const unsubscribe of subscriptions) unsubscribe();
    this.#scene.probes.stop();
  }

  #subscribe(): readonly (() => void)[] {
    const { primaries, dependents, watches } = this.#scene;
    return [
      primaries.subscribe((change) => this.#wake(keyOf(change.object.metadata), change.own)),
      ...Object.values(dependents).map((cache) => cache.subscribe((change) => this.#dependentChanged(change))),
      ...Object.entries(watches).map(([name, cache]) => cache.subscribe((change) => this.#watchedChanged(name, change))),
    ];
  }

  #dependentChanged(change: CacheChange<KubernetesObject>): void {
    if (change.type === 'deleted') this.#scene.departed.add(change.object.metadata.uid);
    const label = labelOf(change.object);
    const before = change.previous === undefined ? label : labelOf(change.previous);
    this.#wakeOwner(label, change.own);
    // A label that was edited by hand: whose it was puts it back. A write that took it was not his.
    if (before !== label) this.#wakeOwner(before, false);
  }

  #wakeOwner(label: string | undefined, own: boolean): void {
    const key = label === undefined ? undefined : this.#ownerOf(label);
    if (key !== undefined) this.#wake(key, own);
  }

  #ownerOf(label: string): ObjectKey | undefined {
    const owner = this.#scene.primaries.by('label', label)[0];
    return owner === undefined ? undefined : keyOf(owner.metadata);
  }

  #watchedChanged(name: string, change: CacheChange<KubernetesObject>): void {
    const watch = this.#scene.lifecycle.vocabulary.watches[name];
    if (watch === undefined) return;
    const keys = new Set(
      [change.object, ...(change.previous === undefined ? [] : [change.previous])].flatMap((object) => watch.of(object) ?? []),
    );
    for (const key of keys) if (this.#scene.primaries.get(key) !== undefined) this.#wake(key, change.own);
  }

  #wake(key: ObjectKey, own: boolean): void {
    if (!own || !this.#working.has(key)) this.#queue.add(key);
  }

  async #work(key: ObjectKey): Promise<number | undefined> {
    this.#working.add(key);
    try {
      return await this.#reconciler.reconcile(key);
    } finally {
      this.#working.delete(key);
    }
  }

  #logFailure({ key, error, failures, retryInMs }: Failure): void {
    this.#scene.log.warn({ kind: this.#scene.lifecycle.kind.kind, key, err: error, failures, retryInMs }, 'reconcile failed');
  }
}

function labelOf({ metadata }: KubernetesObject): string | undefined {
  return metadata.labels?.[names.ownerLabel];
}
