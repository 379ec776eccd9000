import type { ProxiedRequest, RequestPredicate } from './proxied-request.ts';

/**
 * Where the n-th write is held.
 *
 * - `beforeSent`: the proxy has it whole, the API server has nothing of it.
 * - `appliedResponseLost`: the API server has answered it, the caller has nothing of the answer.
 * - `afterResponse`: the caller has read the answer (over HTTP/1.1: the answer is sent).
 *
 * From the arrival of the n-th write on, the same caller's later writes are held before they are sent, so that exactly the writes up to the
 * moment reach the API server, however much the caller does at once.
 */
export type HoldMoment = 'beforeSent' | 'appliedResponseLost' | 'afterResponse';

export interface HoldOptions {
  /** Whose writes. Default `operator`. */
  readonly user?: string;
  /** Which of them count. Default: all but those to Events and Leases, whose number depends on time. */
  readonly counts?: RequestPredicate;
}

/** A hold that has been set. */
export interface HeldWrite {
  /** Resolves with the n-th write when it is held. Never, when there are fewer. */
  readonly reached: Promise<ProxiedRequest>;
  readonly isReached: boolean;
  /**
   * Ends the hold. `drop` (the default): what was held before it was sent is never sent, its caller is cut off; `forward`: it is sent now,
   * also when its caller has gone, as a late packet would be. An answer that was held is lost either way.
   */
  release(decision?: HoldDecision): void;
}

export type HoldDecision = 'drop' | 'forward';

interface Hold {
  readonly nth: number;
  readonly moment: HoldMoment;
  readonly user: string;
  readonly counts: RequestPredicate;
  readonly released: Promise<HoldDecision>;
  readonly reach: (request: ProxiedRequest) => void;
  seen: number;
  /** The number of the request that is the n-th write, once it has arrived. */
  requestNumber: number | undefined;
}

const isUncounted = (request: Pick<ProxiedRequest, 'resource' | 'group'>): boolean =>
  request.resource === 'events' || (request.resource === 'leases' && request.group === 'coordination.k8s.io');

/** Counts each user's writes and holds one of them, and those behind it, where a test wants to act. */
export class WriteGate {
  readonly #counted = new Map<string, number>();
  #hold: Hold | undefined;

  /** Starts every user's count again. */
  arm(): void {
    this.#counted.clear();
  }

  /** The number of a write among its user's. */
  count(request: Omit<ProxiedRequest, 'writeNumber'>): number | undefined {
    if (!request.isWrite || request.user === undefined || isUncounted(request)) return undefined;
    const number = (this.#counted.get(request.user) ?? 0) + 1;
    this.#counted.set(request.user, number);
    return number;
  }

  hold(nth: number, moment: HoldMoment, options: HoldOptions = {}): HeldWrite {
    if (this.#hold) throw new Error('a write is held already, or waited for; release that first');
    this.arm();
    const reached = Promise.withResolvers<ProxiedRequest>();
    const released = Promise.withResolvers<HoldDecision>();
    let isReached = false;
    const hold: Hold = {
      nth,
      moment,
      user: options.user ?? 'operator',
      counts: options.counts ?? ((request) => !isUncounted(request)),
      released: released.promise,
      reach: (request) => {
        isReached = true;
        reached.resolve(request);
      },
      seen: 0,
      requestNumber: undefined,
    };
    this.#hold = hold;
    return {
      reached: reached.promise,
      get isReached() {
        return isReached;
      },
      release: (decision = 'drop') => {
        if (this.#hold === hold) this.#hold = undefined;
        released.resolve(decision);
      },
    };
  }

  /** Called with each request before it is forwarded; resolves with what to do with it. */
  async arrived(request: ProxiedRequest): Promise<HoldDecision> {
    const hold = this.#holdFor(request);
    if (!hold) return 'forward';
    if (hold.requestNumber !== undefined) return hold.released;
    if (!hold.counts(request)) return 'forward';
    hold.seen++;
    if (hold.seen < hold.nth) return 'forward';
    hold.requestNumber = request.number;
    if (hold.moment !== 'beforeSent') return 'forward';
    hold.reach(request);
    return hold.released;
  }

  /** Whether the answer to this request is to be kept back. */
  keepsAnswerOf(request: ProxiedRequest): boolean {
    return this.#hold?.requestNumber === request.number && this.#hold.moment === 'appliedResponseLost';
  }

  /** Called when the API server has answered a request whose answer is kept back; resolves when the hold ends. */
  async applied(request: ProxiedRequest): Promise<void> {
    const hold = this.#hold;
    if (hold?.requestNumber !== request.number) return;
    hold.reach(request);
    await hold.released;
  }

  /** Whether the hold begins when the caller has read the answer to this request. */
  waitsForReader(request: ProxiedRequest): boolean {
    return this.#hold?.requestNumber === request.number && this.#hold.moment === 'afterResponse';
  }

  /** Called when the caller has read the answer to such a request. */
  answered(request: ProxiedRequest): void {
    if (this.waitsForReader(request)) this.#hold?.reach(request);
  }

  #holdFor(request: ProxiedRequest): Hold | undefined {
    return this.#hold && request.isWrite && request.user === this.#hold.user ? this.#hold : undefined;
  }
}
