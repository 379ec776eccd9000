import type { ProxiedRequest, RequestPredicate } from './proxied-request.ts';

/** Counts at one moment; all of the proxy's life unless said otherwise. */
export interface TrafficCounters {
  readonly requests: number;
  readonly writes: number;
  /** Sockets that clients hold open now. */
  readonly openConnections: number;
  /** The most at once. */
  readonly peakOpenConnections: number;
  /** Every connection that was opened, refused ones included. */
  readonly connections: number;
  /** Watches open now, by path; none is listed as 0. */
  readonly liveWatches: Readonly<Record<string, number>>;
  /** The most at once, by path. */
  readonly peakLiveWatches: Readonly<Record<string, number>>;
}

const everything: RequestPredicate = () => true;

/** The books of a proxy: every request and connection it saw. */
export class Traffic {
  readonly #requests: ProxiedRequest[] = [];
  readonly #connections: () => { readonly open: number; readonly acceptedAtMs: readonly number[] };
  readonly #liveWatches = new Map<string, number>();
  readonly #peakLiveWatches = new Map<string, number>();
  #peakOpenConnections = 0;

  constructor(connections: () => { readonly open: number; readonly acceptedAtMs: readonly number[] }) {
    this.#connections = connections;
  }

  requestArrived(request: ProxiedRequest): void {
    this.#requests.push(request);
    this.#notePeak();
  }

  /** Counts a watch until the promise resolves. */
  watchOpened(path: string, closed: Promise<void>): void {
    const live = (this.#liveWatches.get(path) ?? 0) + 1;
    this.#liveWatches.set(path, live);
    this.#peakLiveWatches.set(path, Math.max(live, this.#peakLiveWatches.get(path) ?? 0));
    void closed.then(() => this.#watchClosed(path));
  }

  /** In the order of arrival. */
  requests(when: RequestPredicate = everything): readonly ProxiedRequest[] {
    return this.#requests.filter(when);
  }

  counters(): TrafficCounters {
    this.#notePeak();
    const { open, acceptedAtMs } = this.#connections();
    return {
      requests: this.#requests.length,
      writes: this.#requests.filter(({ isWrite }) => isWrite).length,
      openConnections: open,
      peakOpenConnections: this.#peakOpenConnections,
      connections: acceptedAtMs.length,
      liveWatches: Object.fromEntries(this.#liveWatches),
      peakLiveWatches: Object.fromEntries(this.#peakLiveWatches),
    };
  }

  /** The most requests that arrived within any one second. */
  peakRequestsPerSecond(when: RequestPredicate = everything): number {
    return peakPerSecond(this.requests(when).map(({ atMs }) => atMs));
  }

  /** The most connections that were opened within any one second; `sinceMs` on the monotonic clock. */
  peakConnectionsPerSecond(sinceMs = 0): number {
    return peakPerSecond(this.#connections().acceptedAtMs.filter((atMs) => atMs >= sinceMs));
  }

  #watchClosed(path: string): void {
    const live = (this.#liveWatches.get(path) ?? 1) - 1;
    if (live === 0) this.#liveWatches.delete(path);
    else this.#liveWatches.set(path, live);
  }

  #notePeak(): void {
    this.#peakOpenConnections = Math.max(this.#peakOpenConnections, this.#connections().open);
  }
}

/** The largest number of instants, in ascending order, that lie within less than one second of each other. */
export function peakPerSecond(instantsMs: readonly number[]): number {
  let peak = 0;
  let first = 0;
  for (const [index, instantMs] of instantsMs.entries()) {
    while (instantMs - (instantsMs[first] ?? instantMs) >= 1000) first++;
    peak = Math.max(peak, index - first + 1);
  }
  return peak;
}
