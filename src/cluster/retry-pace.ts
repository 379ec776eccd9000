import type { Clock } from '../clock/clock.ts';
import { Backoff } from './backoff.ts';

export interface RetryPaceOptions {
  readonly clock: Clock;
  /** 0 (included) to 1 (excluded). */
  readonly random: () => number;
}

/** No two attempts start closer together. */
const spacingMs = 1_000;

/** A server that asks for more is asked again anyway. */
const longestRetryAfterMs = 300_000;

/** When the next attempt may start: a second after the last one, later after failures (0.8 s doubling to 30 s, with jitter). */
export class RetryPace {
  readonly #clock: Clock;
  readonly #backoff: Backoff;
  #notBeforeMs = Number.NEGATIVE_INFINITY;

  constructor(options: RetryPaceOptions) {
    this.#clock = options.clock;
    this.#backoff = new Backoff({ firstMs: 800, limitMs: 30_000, random: options.random });
  }

  /** Waits for the next attempt's turn. @returns false when the signal came */
  async next(signal: AbortSignal): Promise<boolean> {
    const waitMs = this.#notBeforeMs - this.#clock.monotonicMs();
    if (waitMs > 0 && !signal.aborted) await this.#sleep(waitMs, signal);
    this.#notBeforeMs = this.#clock.monotonicMs() + spacingMs;
    return !signal.aborted;
  }

  /** @param retryAfterMs what the server asked for; the longer delay counts */
  failed(retryAfterMs = 0): void {
    const delayMs = Math.max(this.#backoff.nextMs(), Math.min(retryAfterMs, longestRetryAfterMs));
    this.#notBeforeMs = Math.max(this.#notBeforeMs, this.#clock.monotonicMs() + delayMs);
  }

  healthy(): void {
    this.#backoff.reset();
  }

  #sleep(delayMs: number, signal: AbortSignal): Promise<void> {
    return new Promise<void>((resolve) => {
      const wake = () => {
        timer.cancel();
        signal.removeEventListener('abort', wake);
        resolve();
      };
      const timer = this.#clock.schedule(delayMs, wake);
      signal.addEventListener('abort', wake);
    });
  }
}
