import type { Clock, Scheduled } from '../clock/clock.ts';
import { ConnectionError } from './connection-error.ts';

export interface DeadlineOptions {
  readonly clock: Clock;
  readonly method: string;
  readonly path: string;
  /** Undefined: no limit but the signal. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Ends one exchange early, by time or by its caller's signal. Whoever works on it at the moment says how it is stopped. */
export class Deadline {
  readonly #options: DeadlineOptions;
  readonly #timer: Scheduled | undefined;
  readonly #signal: AbortSignal | undefined;
  readonly #abort = () => this.#end(new ConnectionError(`${this.what}: stopped by its caller`, { code: 'CONNECTION_ABORTED' }));
  #stop: ((error: ConnectionError) => void) | undefined;
  #error: ConnectionError | undefined;

  constructor(options: DeadlineOptions) {
    const { clock, timeoutMs, signal } = options;
    this.#options = options;
    this.#signal = signal;
    if (signal?.aborted) this.#abort();
    else signal?.addEventListener('abort', this.#abort);
    if (timeoutMs !== undefined && this.#error === undefined) {
      this.#timer = clock.schedule(timeoutMs, () =>
        this.#end(
          new ConnectionError(`${this.what}: no answer within ${timeoutMs} ms`, { code: 'CONNECTION_TIMEOUT', data: { timeoutMs } }),
        ),
      );
    }
  }

  /** What is being done, for errors: `GET /api/v1/nodes`. */
  get what(): string {
    const { method, path } = this.#options;
    return `${method} ${path.split('?', 1)[0]}`;
  }

  get ended(): boolean {
    return this.#error !== undefined;
  }

  /** Throws the end's error if the end has come. */
  check(): void {
    if (this.#error !== undefined) throw this.#error;
  }

  /** Replaces what happens at the end; runs at once when the end has come already. */
  onEnd(stop: ((error: ConnectionError) => void) | undefined): void {
    this.#stop = stop;
    if (this.#error !== undefined) stop?.(this.#error);
  }

  /** The promise's result, or a rejection when the end comes first. */
  race<T>(pending: Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.onEnd(reject);
      pending.then(resolve, reject);
    });
  }

  /** The exchange is over: takes the timer and the listener back. */
  done(): void {
    this.#stop = undefined;
    this.#timer?.cancel();
    this.#signal?.removeEventListener('abort', this.#abort);
  }

  #end(error: ConnectionError): void {
    this.#error = error;
    this.#stop?.(error);
  }
}
