import type { Clock } from '../clock/clock.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { EventRecorder } from '../cluster/event-recorder.ts';
import type { Log } from '../cluster/log.ts';
import { ObjectCache } from '../cluster/object-cache.ts';
import { Reflector } from '../cluster/reflector.ts';
import type { Transport } from '../cluster/transport.ts';
import type { Lifecycle } from '../definition/lifecycle.ts';
import { names } from '../definition/reserved-names.ts';
import type { Kind } from '../resource/kind.ts';
import type { KubernetesObject } from '../resource/kubernetes-object.ts';
import { Controller } from './controller.ts';
import { ownerLabelValue } from './owner-label.ts';
import { ownerIndex } from './scene.ts';

export interface ManagerOptions {
  readonly lifecycles: readonly Lifecycle[];
  readonly cluster: Cluster;
  readonly transport: Transport;
  readonly clock: Clock;
  /** 0 (included) to 1 (excluded). */
  readonly random: () => number;
  readonly log: Log;
  /** Name of this instance, as history and Events show it. */
  readonly instance: string;
  /** Only objects of this namespace; default all. */
  readonly namespace?: string | undefined;
  /** Objects of one kind worked on at once. Default 10. */
  readonly workers?: number | undefined;
  /** Whether Kubernetes Events are written. Default true. */
  readonly events?: boolean | undefined;
}

/** Events that are not written by then are given up at the end. */
const flushLimitMs = 5_000;

/** A reflector and what it reads. */
interface Source {
  readonly kind: Kind;
  readonly reflector: Reflector<KubernetesObject>;
}

/**
 * The operator: for each lifecycle its caches and its controller.
 *
 * Flow: reflectors fill the caches, caches wake keys, controllers work on them.
 * Guarantees: no object is worked on before every cache has held everything once; what had begun ends before `run` resolves.
 * Errors: `run` rejects when a kind cannot be read at all at the start (no CRD, no rights, no server).
 */
export class Manager {
  readonly #options: ManagerOptions;
  readonly #events: EventRecorder | undefined;
  readonly #sources: Source[] = [];
  readonly #controllers: Controller[];
  #ready = false;

  constructor(options: ManagerOptions) {
    this.#options = options;
    const { cluster, random, log, instance } = options;
    this.#events =
      options.events === false
        ? undefined
        : new EventRecorder({ cluster, random, instance, onError: (error) => log.warn({ err: error }, 'event dropped') });
    this.#controllers = options.lifecycles.map((lifecycle) => this.#controllerOf(lifecycle));
  }

  /** Whether every cache is synced and every watch is connected. */
  get ready(): boolean {
    return this.#ready && this.#sources.every(({ reflector }) => reflector.status.connected);
  }

  /** How each watch is. */
  get watches(): readonly {
    readonly kind: string;
    readonly connected: boolean;
    readonly restarts: number;
    readonly lastError?: string | undefined;
  }[] {
    return this.#sources.map(({ kind, reflector }) => ({ kind: kind.kind, ...reflector.status }));
  }

  /**
   * Works until the signal aborts.
   * @param onReady called once every cache is synced
   */
  async run(signal: AbortSignal, onReady: () => void = () => {}): Promise<void> {
    await this.#preflight();
    const stop = new AbortController();
    const both = AbortSignal.any([signal, stop.signal]);
    const reflecting = this.#sources.map(({ reflector }) => reflector.run(both));
    try {
      await Promise.race([Promise.all(this.#sources.map(({ reflector }) => reflector.synced)), aborted(both)]);
      if (signal.aborted) return;
      this.#ready = true;
      onReady();
      await Promise.all(this.#controllers.map((controller) => controller.run(signal)));
      await this.#flushEvents();
    } finally {
      this.#ready = false;
      stop.abort();
      await Promise.allSettled(reflecting);
    }
  }

  async #flushEvents(): Promise<void> {
    const late = new AbortController();
    const timer = this.#options.clock.schedule(flushLimitMs, () => late.abort());
    await this.#events?.flush(late.signal);
    timer.cancel();
  }

  /** One object of each kind is read, so that a missing CRD or right is an error at once and not a silent wait. */
  async #preflight(): Promise<void> {
    const { cluster, namespace } = this.#options;
    await Promise.all(this.#sources.map(({ kind }) => cluster.list(kind, { limit: 1, namespace: namespaceOf(kind, namespace) })));
  }

  #controllerOf(lifecycle: Lifecycle): Controller {
    const { cluster, log, instance, workers = 10 } = this.#options;
    const label = (object: KubernetesObject) => [ownerLabelValue(lifecycle.name, object.metadata)];
    const primaries = this.#cache(lifecycle.kind, { keep: withoutManagedFields, indexes: { label } });
    const manager = names.fieldManager(lifecycle.name);
    const owner = (object: KubernetesObject) => object.metadata.labels?.[names.ownerLabel] ?? [];
    const dependents = mapEntries(lifecycle.vocabulary.dependents, (_, kind) =>
      this.#cache(kind, {
        keep: onlyFieldsOf(manager),
        indexes: { [ownerIndex]: (object) => [owner(object)].flat() },
        labelSelector: names.ownerLabel,
      }),
    );
    const watches = mapEntries(lifecycle.vocabulary.watches, (name, watch) =>
      this.#cache(watch.kind, { keep: withoutManagedFields, indexes: { [name]: (object) => [watch.of(object) ?? []].flat() } }),
    );
    return new Controller({ lifecycle, cluster, primaries, dependents, watches, events: this.#events, log, instance, workers });
  }

  #cache(
    kind: Kind,
    options: {
      readonly keep: (object: KubernetesObject) => KubernetesObject;
      readonly indexes: Readonly<Record<string, (object: KubernetesObject) => readonly string[]>>;
      readonly labelSelector?: string;
    },
  ): ObjectCache<KubernetesObject> {
    const { cluster, transport, clock, random, log, namespace } = this.#options;
    const { keep, indexes, labelSelector } = options;
    const cache = new ObjectCache<KubernetesObject>({ kind, keep, indexes });
    const onError = (error: unknown) => log.warn({ kind: kind.kind, err: error }, 'watch failed');
    const where = { namespace: namespaceOf(kind, namespace), labelSelector };
    const reflector = new Reflector<KubernetesObject>({ cluster, transport, cache, kind, clock, random, log, onError, ...where });
    this.#sources.push({ kind, reflector });
    return cache;
  }
}

function namespaceOf(kind: Kind, namespace: string | undefined): string | undefined {
  return kind.scope === 'Namespaced' ? namespace : undefined;
}

function withoutManagedFields(object: KubernetesObject): KubernetesObject {
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

/** Keeps the one entry that says which fields are ours. */
function onlyFieldsOf(manager: string): (object: KubernetesObject) => KubernetesObject {
  return (object) => {
    const managedFields = (object.metadata.managedFields ?? []).filter((entry) => entry.manager === manager && entry.operation === 'Apply');
    return { ...object, metadata: { ...object.metadata, managedFields } };
  };
}

function mapEntries<T, R>(record: Readonly<Record<string, T>>, map: (name: string, value: T) => R): Readonly<Record<string, R>> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(name, value)]));
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
