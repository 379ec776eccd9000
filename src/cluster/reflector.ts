import type { Clock } from '../clock/clock.ts';
import { messageOf } from '../failure/message-of.ts';
import { PhasekeeperError } from '../failure/phasekeeper-error.ts';
import type { Kind } from '../resource/kind.ts';
import type { KubernetesObject } from '../resource/kubernetes-object.ts';
import { resourcePath } from '../resource/resource-path.ts';
import { ApiError } from './api-error.ts';
import { asStatus } from './api-status.ts';
import type { Cluster } from './cluster.ts';
import { ConnectionError } from './connection-error.ts';
import { InitialEvents } from './initial-events.ts';
import type { ListQuery } from './list-query.ts';
import type { Log } from './log.ts';
import type { ObjectCache } from './object-cache.ts';
import { readPages } from './read-pages.ts';
import { compareResourceVersions } from './resource-version.ts';
import { RetryPace } from './retry-pace.ts';
import type { ApiResponse, Transport } from './transport.ts';
import { parseWatchLine, type WatchLine } from './watch-line.ts';
import { withQuery } from './with-query.ts';

export interface ReflectorOptions<O extends KubernetesObject> extends ListQuery {
  readonly cluster: Cluster;
  readonly transport: Transport;
  readonly cache: ObjectCache<O>;
  readonly kind: Kind<O>;
  readonly clock: Clock;
  /** 0 (included) to 1 (excluded). */
  readonly random: () => number;
  readonly log?: Log | undefined;
  /** Hears each failure that the reflector then recovers from. */
  readonly onError: (error: unknown) => void;
  /** A watch without a byte for so long is given up. Default 90,000: an API server sends a bookmark each minute. */
  readonly watchSilenceMs?: number | undefined;
}

export interface ReflectorStatus {
  /** Whether a watch is open, so that the cache follows the server. */
  readonly connected: boolean;
  /** Watches that were opened after the first one. */
  readonly restarts: number;
  /** Why it is not connected. */
  readonly lastError?: string;
  /** When the cache was last made equal to the server's list, milliseconds since 1970 on the server. */
  readonly lastSyncMs?: number;
}

const initialEventsEnd = 'k8s.io/initial-events-end';

/** Answers to a WatchList that mean: this server does not know it. */
const watchListRefusals: ReadonlySet<number> = new Set([400, 405, 422, 501]);

/** A watch that lives this long was healthy: the next failure starts with a short delay again. */
const healthyMs = 60_000;

/** The server ends a watch after a random time in this range, so that not all come back at once. */
const shortestWatchSeconds = 300;
const longestWatchSeconds = 600;

/**
 * Keeps a cache equal to what the server stores of one kind.
 *
 * Flow: a WatchList (else paged consistent lists) fills the cache as one step, a watch follows from there; a watch that ends goes
 * on from its last line. 410, silence and an ERROR in the stream fill the cache anew. Every failure but an expired version is
 * told to `onError` and tried again: after 0.8 s doubling to 30 s, with jitter, or when the server's `Retry-After` says; never
 * more than once a second, never two watches at a time.
 */
export class Reflector<O extends KubernetesObject> {
  /** Resolves when the cache has held everything once; stays pending if the run ends before. */
  readonly synced: Promise<void>;
  readonly #options: ReflectorOptions<O>;
  readonly #pace: RetryPace;
  #markSynced: () => void = () => undefined;
  #knowsWatchList = true;
  /** Version that the watch goes on from; our own writes do not move it. Undefined: fill the cache anew. */
  #position: string | undefined;
  #unreadableLines = 0;
  #running = false;
  #connections = 0;
  #openedMs: number | undefined;
  #status: ReflectorStatus = { connected: false, restarts: 0 };

  constructor(options: ReflectorOptions<O>) {
    this.#options = options;
    this.#pace = new RetryPace(options);
    this.synced = new Promise<void>((resolve) => {
      this.#markSynced = resolve;
    });
    options.cache.reportTo((error) => this.#report(error));
  }

  get status(): ReflectorStatus {
    return this.#status;
  }

  /** Follows the server until the signal; never rejects but for a second call. */
  async run(signal: AbortSignal): Promise<void> {
    if (this.#running) {
      throw new PhasekeeperError(`the reflector of ${this.#options.kind.kind} runs already`, {
        code: 'REFLECTOR_RUNNING',
        disposition: 'fatal',
      });
    }
    this.#running = true;
    while (await this.#pace.next(signal)) {
      try {
        this.#openedMs = undefined;
        await this.#once(signal);
        this.#ended();
      } catch (error) {
        if (!signal.aborted) this.#failed(error);
      }
    }
    this.#status = { ...this.#status, connected: false };
    this.#running = false;
  }

  async #once(signal: AbortSignal): Promise<void> {
    if (this.#position === undefined && !this.#knowsWatchList) await this.#list(signal);
    const initial = this.#position === undefined ? new InitialEvents<O>((object) => this.#options.cache.prepare(object)) : undefined;
    const response = await this.#watch(signal, initial);
    if (response.status === 200) {
      if (this.#position === undefined) throw this.#protocolError('the server ended the watch before its initial events were complete');
      return;
    }
    const error = ApiError.of(`GET ${this.#collection()}`, response);
    if (initial === undefined || !watchListRefusals.has(response.status)) throw error;
    this.#options.log?.info({ kind: this.#options.kind.kind, reason: error.message }, 'server refuses WatchList, listing in pages');
    this.#knowsWatchList = false;
    await this.#once(signal);
  }

  async #list(signal: AbortSignal): Promise<void> {
    const { cluster, cache, kind, namespace, labelSelector, fieldSelector } = this.#options;
    const floor = cache.resourceVersion;
    let objects: O[] = [];
    const version = await readPages((request) => cluster.send(request), {
      kind,
      namespace,
      labelSelector,
      fieldSelector,
      signal,
      onPage: (page) => {
        if (page.first) objects = [];
        for (const object of page.items) objects.push(cache.prepare(object));
      },
    });
    this.#replace(objects, version, floor);
  }

  async #watch(signal: AbortSignal, initial: InitialEvents<O> | undefined): Promise<ApiResponse> {
    const { transport, cluster, clock, watchSilenceMs = 90_000, cache } = this.#options;
    const sentMs = clock.monotonicMs();
    const floor = cache.resourceVersion;
    let pending = initial;
    const onOpen = (response: Pick<ApiResponse, 'headers'>) => {
      const date = response.headers['date'];
      if (date !== undefined) cluster.time.observe(date, sentMs, clock.monotonicMs());
      if (pending === undefined) this.#connected();
    };
    return transport.watch({ path: this.#watchPath(initial !== undefined), signal, silenceMs: watchSilenceMs, onOpen }, (text) => {
      const echo = pending === undefined ? cache.ownEcho(text) : undefined;
      if (echo !== undefined) return this.#follows(echo);
      const line = parseWatchLine<O>(text);
      if (line.type === 'ERROR') throw this.#streamError(line.object);
      if (pending === undefined) return this.#follow(line);
      if (line.type !== 'BOOKMARK') return pending.add(line);
      if (line.object.metadata.annotations?.[initialEventsEnd] !== 'true') {
        this.#knowsWatchList = false;
        throw this.#protocolError('the server sends bookmarks but does not mark the end of the initial events');
      }
      this.#replace(pending.objects(), line.object.metadata.resourceVersion, floor);
      pending = undefined;
      this.#connected();
    });
  }

  #follow(line: Exclude<WatchLine<O>, { readonly type: 'ERROR' }>): void {
    const { cache } = this.#options;
    switch (line.type) {
      case 'ADDED':
      case 'MODIFIED':
        cache.upsert(line.object);
        break;
      case 'DELETED':
        cache.remove(line.object);
        break;
      case 'BOOKMARK':
        cache.bookmark(line.object.metadata.resourceVersion);
        break;
      default:
        line satisfies never;
    }
    this.#follows(line.object.metadata.resourceVersion);
  }

  /** The watch is alive and has told everything up to this version. */
  #follows(version: string): void {
    if (compareResourceVersions(version, this.#position ?? '') > 0) this.#position = version;
    this.#unreadableLines = 0;
    this.#connected();
  }

  /** @param floor highest version seen before the list was asked for */
  #replace(objects: readonly O[], version: string, floor: string): void {
    if (compareResourceVersions(version, floor) < 0) {
      throw this.#protocolError(
        `the list is of version ${version}, but version ${floor} has been seen; it may come from a server that lags`,
      );
    }
    this.#options.cache.replace(objects, version);
    this.#position = version;
    this.#unreadableLines = 0;
    this.#status = { ...this.#status, lastSyncMs: this.#options.cluster.time.nowMs() };
    this.#markSynced();
  }

  #connected(): void {
    if (this.#status.connected) return;
    this.#openedMs = this.#options.clock.monotonicMs();
    const { lastError: _, ...status } = this.#status;
    this.#status = { ...status, connected: true, restarts: this.#connections++ };
  }

  /** The server ended the watch in good order; one that did so at once is not asked again at once. */
  #ended(): void {
    const aliveMs = this.#aliveMs();
    this.#status = { ...this.#status, connected: false };
    if (aliveMs >= healthyMs) this.#pace.healthy();
    if (aliveMs < 1_000) this.#pace.failed();
  }

  #failed(error: unknown): void {
    if (this.#aliveMs() >= healthyMs) this.#pace.healthy();
    this.#status = { ...this.#status, connected: false, lastError: messageOf(error) };
    this.#pace.failed(error instanceof ApiError ? error.retryAfterMs : undefined);
    const expired = error instanceof ApiError && error.status === 410;
    // A server that neither fills the cache nor says why may be one that has never heard of WatchList.
    if (this.#position === undefined && error instanceof ConnectionError && error.code === 'CONNECTION_SILENT')
      this.#knowsWatchList = false;
    if (expired || this.#isSuspect(error)) this.#position = undefined;
    this.#options.log?.debug({ kind: this.#options.kind.kind, error: messageOf(error) }, 'watch ended with an error');
    if (!expired) this.#report(error);
  }

  /** Whether going on from the last line may miss something, or meet the same fault for ever. */
  #isSuspect(error: unknown): boolean {
    if (!(error instanceof PhasekeeperError)) return true;
    if (error.code === 'WATCH_LINE_UNREADABLE') return ++this.#unreadableLines > 1;
    return error.code === 'CONNECTION_SILENT' || error.data['inStream'] === true;
  }

  #aliveMs(): number {
    return this.#openedMs === undefined ? 0 : this.#options.clock.monotonicMs() - this.#openedMs;
  }

  #report(error: unknown): void {
    try {
      this.#options.onError(error);
    } catch (thrown) {
      this.#options.log?.error({ kind: this.#options.kind.kind, error: messageOf(thrown) }, 'error handler failed');
    }
  }

  #streamError(object: unknown): PhasekeeperError {
    const body = asStatus(object);
    return new ApiError({ what: `watch ${this.#collection()}`, status: body?.code ?? 500, body, inStream: true });
  }

  #protocolError(message: string): PhasekeeperError {
    const { kind } = this.#options;
    return new PhasekeeperError(`${kind.kind}: ${message}`, { code: 'WATCH_PROTOCOL', disposition: 'retry', data: { kind: kind.kind } });
  }

  #collection(): string {
    return resourcePath(this.#options.kind, { namespace: this.#options.namespace });
  }

  #watchPath(initial: boolean): string {
    const { labelSelector, fieldSelector, random } = this.#options;
    const start = initial ? { sendInitialEvents: 'true', resourceVersionMatch: 'NotOlderThan' } : { resourceVersion: this.#position };
    const timeoutSeconds = Math.floor(shortestWatchSeconds + random() * (longestWatchSeconds - shortestWatchSeconds));
    return withQuery(this.#collection(), {
      watch: '1',
      allowWatchBookmarks: 'true',
      ...start,
      timeoutSeconds,
      labelSelector,
      fieldSelector,
    });
  }
}
