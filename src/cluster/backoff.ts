export interface BackoffOptions {
  readonly firstMs: number;
  readonly limitMs: number;
  /** 0 (included) to 1 (excluded). */
  readonly random: () => number;
}

/** Delays that double from `firstMs` to `limitMs`, each stretched by up to its own length so that a crowd spreads out. */
export class Backoff {
  readonly #options: BackoffOptions;
  #failures = 0;

  constructor(options: BackoffOptions) {
    this.#options = options;
  }

  /** The delay before the next attempt, milliseconds. */
  nextMs(): number {
    const { firstMs, limitMs, random } = this.#options;
    const stepMs = Math.min(limitMs, firstMs * 2 ** this.#failures);
    if (stepMs < limitMs) this.#failures++;
    return Math.min(limitMs, stepMs * (1 + random()));
  }

  reset(): void {
    this.#failures = 0;
  }
}
