import type { RequestPredicate, ProxiedRequest } from './proxied-request.ts';
import type { RefusalStatus } from './status-body.ts';

/**
 * How an exchange is broken off: `end` closes the answer as if it were whole, `stream` resets this one request, `connection` resets the
 * socket and with it every request on it.
 */
export type CutScope = 'end' | 'stream' | 'connection';

/**
 * What the proxy does to the requests that a fault is for.
 *
 * - `delay`: waits before it forwards a request, and before each line of a watch (order kept).
 * - `cut`: breaks off instead of forwarding. Watches that are open already are broken off at once.
 * - `halfOpen`: takes the request and never answers; open watches go silent for good, also after the fault is removed. The connection itself
 *   stays alive, pings are answered: for a dead peer see `FaultProxy.goSilent`.
 * - `midLineCut`: a watch is broken off in the middle of its next line.
 * - `answer`: refuses with this status and a `metav1.Status` instead of forwarding.
 * - `lostResponse`: forwards, waits for the whole answer, and breaks off instead of passing it on.
 * - `errorEvent`: a watch, open or new, gets an ERROR line with this status and ends.
 * - `frozenView`: see `FaultProxy.freezeView`.
 */
export type Fault =
  | { readonly kind: 'delay'; readonly delayMs: number }
  | { readonly kind: 'cut'; readonly scope: CutScope }
  | { readonly kind: 'halfOpen' }
  | { readonly kind: 'midLineCut'; readonly scope: CutScope }
  | { readonly kind: 'answer'; readonly status: RefusalStatus; readonly retryAfterSeconds?: number }
  | { readonly kind: 'lostResponse'; readonly scope: CutScope }
  | { readonly kind: 'errorEvent'; readonly status: RefusalStatus }
  | { readonly kind: 'frozenView'; readonly reads: 'fresh' | 'held' }
  | { readonly kind: 'frozenView'; readonly reads: 'old'; readonly resourceVersion: string };

export interface FaultOptions {
  /** Default: every request. */
  readonly when?: RequestPredicate;
  /** Removes the fault after it has struck this often. Default: never. */
  readonly times?: number;
}

/** A fault that has been switched on. */
export class ActiveFault {
  readonly fault: Fault;
  /** Resolves when the fault is switched off. */
  readonly removed: Promise<void>;
  readonly #when: RequestPredicate;
  readonly #times: number;
  readonly #resolveRemoved: () => void;
  #hits = 0;
  #isActive = true;

  constructor(fault: Fault, options: FaultOptions) {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.fault = fault;
    this.removed = promise;
    this.#resolveRemoved = resolve;
    this.#when = options.when ?? (() => true);
    this.#times = options.times ?? Number.POSITIVE_INFINITY;
  }

  /** How often it has struck. */
  get hits(): number {
    return this.#hits;
  }

  get isActive(): boolean {
    return this.#isActive;
  }

  /** Switches it off; what it holds goes on. */
  remove(): void {
    this.#isActive = false;
    this.#resolveRemoved();
  }

  matches(request: ProxiedRequest): boolean {
    return this.#isActive && this.#when(request);
  }

  strike(): void {
    this.#hits++;
    if (this.#hits >= this.#times) this.remove();
  }
}
