import type { Clock, Scheduled } from '../clock/clock.ts';
import { Backoff } from './backoff.ts';

export interface ConnectGateOptions {
  readonly clock: Clock;
  /** 0 (included) to 1 (excluded). */
  readonly random: () => number;
  /** Least distance between the starts of two attempts after one that succeeded. After a failure it is 1,000 and grows to 5,000. */
  readonly spacingMs: number;
}

interface Turn {
  readonly start: () => void;
  readonly refuse: (error: unknown) => void;
}

/**
 * Lets one connection attempt through at a time, and never two failing ones within a second.
 *
 * A failure is the answer to everyone who was waiting for a turn: whoever asks after it waits for the next attempt.
 */
export class ConnectGate {
  readonly #clock: Clock;
  readonly #spacingMs: number;
  readonly #backoff: Backoff;
  readonly #turns: Turn[] = [];
  #notBeforeMs = Number.NEGATIVE_INFINITY;
  #busy = false;
  #pause: { readonly timer: Scheduled; readonly refuse: (error: unknown) => void } | undefined;

  constructor(options: ConnectGateOptions) {
    this.#clock = options.clock;
    this.#spacingMs = options.spacingMs;
    this.#backoff = new Backoff({ firstMs: 1_000, limitMs: 5_000, random: options.random });
  }

  /** Runs `connect` when its turn comes; rejects with its error, or with that of the attempt it waited for. */
  async attempt<T>(connect: () => Promise<T>): Promise<T> {
    if (this.#busy) await new Promise<void>((start, refuse) => this.#turns.push({ start, refuse }));
    this.#busy = true;
    try {
      await this.#untilAllowed();
      const startMs = this.#clock.monotonicMs();
      this.#notBeforeMs = startMs + this.#backoff.nextMs();
      const connected = await connect();
      this.#backoff.reset();
      this.#notBeforeMs = startMs + this.#spacingMs;
      this.#handOver();
      return connected;
    } catch (error) {
      this.#busy = false;
      for (const turn of this.#turns.splice(0)) turn.refuse(error);
      throw error;
    }
  }

  /** A connection that was opened broke before it carried anything: the next attempt waits as after a failure. */
  blame(): void {
    this.#notBeforeMs = Math.max(this.#notBeforeMs, this.#clock.monotonicMs() + this.#backoff.nextMs());
  }

  /** Refuses whoever waits. */
  close(error: unknown): void {
    this.#pause?.timer.cancel();
    this.#pause?.refuse(error);
    for (const turn of this.#turns.splice(0)) turn.refuse(error);
  }

  #handOver(): void {
    const next = this.#turns.shift();
    if (next === undefined) this.#busy = false;
    else next.start();
  }

  #untilAllowed(): Promise<void> | undefined {
    const waitMs = this.#notBeforeMs - this.#clock.monotonicMs();
    if (!(waitMs > 0)) return undefined;
    return new Promise<void>((resolve, refuse) => {
      const start = () => {
        this.#pause = undefined;
        resolve();
      };
      this.#pause = { timer: this.#clock.schedule(waitMs, start), refuse };
    });
  }
}
