import type { Clock, Scheduled } from './clock.ts';

interface Timer {
  readonly dueMs: number;
  readonly order: number;
  readonly run: () => void;
}

/** A clock that moves only when told to. Timers run in order of their instant, then of their creation. */
export class ManualClock implements Clock {
  #nowMs: number;
  readonly #startMs: number;
  #order = 0;
  readonly #timers = new Set<Timer>();

  /** @param startMs wall clock at the start, milliseconds since 1970; default 2026-01-01T00:00:00Z */
  constructor(startMs: number = Date.UTC(2026, 0, 1)) {
    this.#nowMs = startMs;
    this.#startMs = startMs;
  }

  nowMs(): number {
    return this.#nowMs;
  }

  monotonicMs(): number {
    return this.#nowMs - this.#startMs;
  }

  schedule(delayMs: number, run: () => void): Scheduled {
    const timer: Timer = { dueMs: this.#nowMs + Math.max(0, delayMs), order: this.#order++, run };
    this.#timers.add(timer);
    return { cancel: () => void this.#timers.delete(timer) };
  }

  /** Milliseconds until the next timer, or undefined when none is pending. */
  nextInMs(): number | undefined {
    const next = this.#next();
    return next === undefined ? undefined : next.dueMs - this.#nowMs;
  }

  /** Moves time forward and runs what falls due on the way. */
  advance(byMs: number): void {
    const endMs = this.#nowMs + byMs;
    for (let next = this.#next(); next !== undefined && next.dueMs <= endMs; next = this.#next()) {
      this.#timers.delete(next);
      this.#nowMs = next.dueMs;
      next.run();
    }
    this.#nowMs = endMs;
  }

  #next(): Timer | undefined {
    let next: Timer | undefined;
    for (const timer of this.#timers) {
      if (next === undefined || timer.dueMs < next.dueMs || (timer.dueMs === next.dueMs && timer.order < next.order)) next = timer;
    }
    return next;
  }
}
