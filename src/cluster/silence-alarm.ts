import type { Clock, Scheduled } from '../clock/clock.ts';

/** Goes off when nothing was heard for a while. Hearing costs one read of the clock, not a timer. */
export class SilenceAlarm {
  readonly #clock: Clock;
  readonly #silenceMs: number;
  readonly #ring: () => void;
  #heardMs: number;
  #timer: Scheduled;

  constructor(clock: Clock, silenceMs: number, ring: () => void) {
    this.#clock = clock;
    this.#silenceMs = silenceMs;
    this.#ring = ring;
    this.#heardMs = clock.monotonicMs();
    this.#timer = this.#arm(silenceMs);
  }

  heard(): void {
    this.#heardMs = this.#clock.monotonicMs();
  }

  cancel(): void {
    this.#timer.cancel();
  }

  #arm(delayMs: number): Scheduled {
    return this.#clock.schedule(delayMs, () => {
      const leftMs = this.#heardMs + this.#silenceMs - this.#clock.monotonicMs();
      if (leftMs > 0) this.#timer = this.#arm(leftMs);
      else this.#ring();
    });
  }
}
