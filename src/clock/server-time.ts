import type { Clock } from './clock.ts';

/** How long the HTTP `Date` header stands for: it carries whole seconds. */
const dateResolutionMs = 1_000;

/**
 * The API server's time, carried forward by the monotonic clock, so that a jump of the local wall clock changes nothing.
 *
 * Each answer bounds the difference between the two clocks: the server read its clock after the request was sent and before
 * the answer came, and its header cut off less than a second. The intersection of those bounds narrows with each answer. An
 * answer that contradicts it means that the server's clock jumped: the bounds start over from that answer.
 */
export class ServerTime {
  readonly #clock: Clock;
  #lowMs = Number.NEGATIVE_INFINITY;
  #highMs = Number.POSITIVE_INFINITY;
  /** What was last told. */
  #lastMs = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether any answer has been seen; before that `nowMs` is the local wall clock. */
  get known(): boolean {
    return Number.isFinite(this.#lowMs);
  }

  /**
   * @param date the header's value, as sent
   * @param sentMs monotonic instant at which the request left
   * @param receivedMs monotonic instant at which the headers came
   */
  observe(date: string, sentMs: number, receivedMs: number): void {
    const dateMs = Date.parse(date);
    if (Number.isNaN(dateMs)) return;
    const lowMs = dateMs - receivedMs;
    const highMs = dateMs + dateResolutionMs - sentMs;
    const agrees = lowMs <= this.#highMs && highMs >= this.#lowMs;
    if (!agrees) this.#lastMs = Number.NEGATIVE_INFINITY;
    this.#lowMs = agrees ? Math.max(lowMs, this.#lowMs) : lowMs;
    this.#highMs = agrees ? Math.min(highMs, this.#highMs) : highMs;
  }

  /** Milliseconds since 1970 on the server. It goes back only when the server's clock did: a better estimate waits for its time. */
  nowMs(): number {
    if (!this.known) return this.#clock.nowMs();
    const estimateMs = Math.floor((this.#lowMs + this.#highMs) / 2 + this.#clock.monotonicMs());
    this.#lastMs = Math.max(this.#lastMs, estimateMs);
    return this.#lastMs;
  }
}
