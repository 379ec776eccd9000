import { PhasekeeperError } from '../failure/phasekeeper-error.ts';
import type { Kind } from '../resource/kind.ts';
import type { DesiredObject, KubernetesObject } from '../resource/kubernetes-object.ts';
import { ApiError } from './api-error.ts';
import { Backoff } from './backoff.ts';
import type { Cluster } from './cluster.ts';

export interface EventRecorderOptions {
  readonly cluster: Cluster;
  /** Shown by kubectl as the event's source. Default `phasekeeper`. */
  readonly component?: string | undefined;
  /** Which process: the pod's name. At most 128 characters. Default the component. */
  readonly instance?: string | undefined;
  /** 0 (included) to 1 (excluded); makes names unique. */
  readonly random: () => number;
  /** Events that may wait; the oldest is dropped for a new one. Default 1,000. */
  readonly queueLimit?: number | undefined;
  /** Hears why an event was given up. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** Something to tell people about an object. */
export interface EventNote {
  readonly regarding: KubernetesObject;
  readonly type: 'Normal' | 'Warning';
  /** CamelCase, at most 128 characters. */
  readonly reason: string;
  /** Cut at 1,024 characters, the API's limit. */
  readonly message: string;
  /** What was done or tried; default the reason. */
  readonly action?: string | undefined;
}

const eventKind: Kind = { apiVersion: 'v1', kind: 'Event', plural: 'events', scope: 'Namespaced' };
const attempts = 5;
const messageLimitChars = 1_024;
const nameLimitChars = 253;

/**
 * Writes Kubernetes Events, which `kubectl describe` shows, one at a time and in order. Recording never waits and never fails: an
 * event that cannot be written after some attempts is dropped and counted.
 */
export class EventRecorder {
  readonly #options: EventRecorderOptions;
  readonly #queue: DesiredObject[] = [];
  readonly #backoff: Backoff;
  #draining: Promise<void> | undefined;
  #dropped = 0;

  constructor(options: EventRecorderOptions) {
    this.#options = options;
    this.#backoff = new Backoff({ firstMs: 200, limitMs: 5_000, random: options.random });
  }

  /** Events that were given up: the queue was full, or the server refused them. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Events that wait to be written. */
  get pending(): number {
    return this.#queue.length;
  }

  record(note: EventNote): void {
    this.#queue.push(this.#eventOf(note));
    if (this.#queue.length > (this.#options.queueLimit ?? 1_000)) {
      this.#queue.shift();
      this.#dropped++;
    }
    this.#draining ??= this.#drain().finally(() => {
      this.#draining = undefined;
    });
  }

  /** Resolves when everything recorded so far is written or dropped, or when the signal comes. */
  async flush(signal: AbortSignal): Promise<void> {
    if (this.#draining === undefined || signal.aborted) return;
    const aborted = Promise.withResolvers<void>();
    const stop = () => aborted.resolve();
    signal.addEventListener('abort', stop);
    await Promise.race([this.#draining, aborted.promise]);
    signal.removeEventListener('abort', stop);
  }

  async #drain(): Promise<void> {
    // Starts after the caller's own work: recording costs a reconcile nothing but the push.
    await Promise.resolve();
    for (let event = this.#queue.shift(); event !== undefined; event = this.#queue.shift()) await this.#write(event);
  }

  async #write(event: DesiredObject): Promise<void> {
    this.#backoff.reset();
    for (let attempt = 1; ; attempt++) {
      try {
        await this.#options.cluster.create(eventKind, event);
        return;
      } catch (error) {
        // The answer to an earlier attempt was lost, its event was not.
        if (attempt > 1 && error instanceof ApiError && error.reason === 'AlreadyExists') return;
        const passing = error instanceof PhasekeeperError && error.disposition === 'retry';
        if (!passing || attempt === attempts) return this.#giveUp(error);
        await this.#sleep(Math.max(this.#backoff.nextMs(), error instanceof ApiError ? (error.retryAfterMs ?? 0) : 0));
      }
    }
  }

  #giveUp(error: unknown): void {
    this.#dropped++;
    try {
      this.#options.onError?.(error);
    } catch {
      // Whoever listens must not stop the events of others.
    }
  }

  #sleep(delayMs: number): Promise<void> {
    return new Promise<void>((resolve) => void this.#options.cluster.clock.schedule(delayMs, resolve));
  }

  #eventOf(note: EventNote): DesiredObject {
    const { regarding, type, reason } = note;
    const { name, namespace, uid, resourceVersion } = regarding.metadata;
    const { component = 'phasekeeper' } = this.#options;
    const at = new Date(this.#options.cluster.time.nowMs()).toISOString();
    const suffix = `.${hex(this.#options.random)}${hex(this.#options.random)}`;
    return {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: name.slice(0, nameLimitChars - suffix.length) + suffix, namespace: namespace ?? 'default' },
      involvedObject: { apiVersion: regarding.apiVersion, kind: regarding.kind, name, namespace, uid, resourceVersion },
      type,
      reason,
      message: note.message.slice(0, messageLimitChars),
      action: note.action ?? reason,
      count: 1,
      firstTimestamp: `${at.slice(0, 19)}Z`,
      lastTimestamp: `${at.slice(0, 19)}Z`,
      eventTime: `${at.slice(0, 23)}000Z`,
      source: { component },
      reportingComponent: component,
      reportingInstance: this.#options.instance ?? component,
    };
  }
}

function hex(random: () => number): string {
  return Math.floor(random() * 2 ** 32)
    .toString(16)
    .padStart(8, '0');
}
