import type { Clock, Scheduled } from '../clock/clock.ts';
import { backoffMs, defaultBackoff, type BackoffOptions } from './backoff.ts';

export interface WorkQueueOptions {
  readonly clock: Clock;
  /** How many keys are worked on at once. Default 10. */
  readonly workers?: number;
  readonly backoff?: BackoffOptions;
  /**
   * Works on one key. Resolves with the milliseconds after which the key is due again, or undefined when only a change brings it
   * back. A rejection puts the key back after its backoff.
   */
  readonly work: (key: string, signal: AbortSignal) => Promise<number | undefined>;
  /** Told about each rejection: the key, the error, failures in a row and the wait before the next attempt. */
  readonly onFailure: (failure: Failure) => void;
}

export interface Failure {
  readonly key: string;
  readonly error: unknown;
  readonly failures: number;
  readonly retryInMs: number;
}

/**
 * Which key is next, and when.
 *
 * Guarantees: a key is worked on by one worker at a time; adding it while it waits changes nothing; adding it while it is worked
 * on brings it back exactly once afterwards; keys start in the order they were added; each key has one pending timer at most, and
 * the latest outcome replaces it. Keys only: what happened is observed anew by whoever works on them.
 */
export class WorkQueue {
  readonly #options: Required<WorkQueueOptions>;
  readonly #waiting = new Set<string>();
  readonly #busy = new Set<string>();
  readonly #again = new Set<string>();
  readonly #timers = new Map<string, Scheduled>();
  readonly #failures = new Map<string, number>();
  #signal: AbortSignal | undefined;
  #idle: (() => void) | undefined;

  constructor(options: WorkQueueOptions) {
    this.#options = { workers: 10, backoff: defaultBackoff, ...options };
  }

  /** Keys that wait for a worker. */
  get depth(): number {
    return this.#waiting.size;
  }

  /** Keys that are worked on now. */
  get active(): number {
    return this.#busy.size;
  }

  /** Makes a key due now; a timer it has is dropped. */
  add(key: string): void {
    this.#cancelTimer(key);
    if (this.#busy.has(key)) {
      this.#again.add(key);
      return;
    }
    this.#waiting.add(key);
    this.#pump();
  }

  /** Makes a key due later unless it becomes due before; replaces the key's earlier timer. */
  addAfter(key: string, delayMs: number): void {
    this.#cancelTimer(key);
    this.#timers.set(
      key,
      this.#options.clock.schedule(delayMs, () => {
        this.#timers.delete(key);
        this.add(key);
      }),
    );
  }

  /** Forgets what is known about a key: its failures and its timer. */
  forget(key: string): void {
    this.#cancelTimer(key);
    this.#failures.delete(key);
  }

  /** Works until the signal aborts, then resolves when the work that had begun has ended. */
  async run(signal: AbortSignal): Promise<void> {
    this.#signal = signal;
    this.#pump();
    await new Promise<void>((resolve) => {
      this.#idle = resolve;
      if (signal.aborted) this.#stop();
      else signal.addEventListener('abort', () => this.#stop(), { once: true });
    });
  }

  #stop(): void {
    for (const timer of this.#timers.values()) timer.cancel();
    this.#timers.clear();
    if (this.#busy.size === 0) this.#idle?.();
  }

  #pump(): void {
    const signal = this.#signal;
    if (signal === undefined || signal.aborted) return;
    for (const key of this.#waiting) {
      if (this.#busy.size >= this.#options.workers) return;
      this.#waiting.delete(key);
      this.#busy.add(key);
      void this.#work(key, signal);
    }
  }

  async #work(key: string, signal: AbortSignal): Promise<void> {
    let dueInMs: number | undefined;
    try {
      dueInMs = await this.#options.work(key, signal);
      this.#failures.delete(key);
    } catch (error) {
      dueInMs = this.#failed(key, error, signal);
    }
    this.#busy.delete(key);
    if (signal.aborted) {
      if (this.#busy.size === 0) this.#idle?.();
      return;
    }
    if (this.#again.delete(key)) this.add(key);
    else if (dueInMs !== undefined) this.addAfter(key, dueInMs);
    this.#pump();
  }

  #failed(key: string, error: unknown, signal: AbortSignal): number {
    const failures = (this.#failures.get(key) ?? 0) + 1;
    this.#failures.set(key, failures);
    const retryInMs = backoffMs(failures, this.#options.backoff);
    if (!signal.aborted) this.#options.onFailure({ key, error, failures, retryInMs });
    return retryInMs;
  }

  #cancelTimer(key: string): void {
    this.#timers.get(key)?.cancel();
    this.#timers.delete(key);
  }
}
