import { setImmediate as turn } from 'node:timers/promises';
import type { ManualClock } from '../../src/clock/manual-clock.ts';

export interface UntilOptions {
  /** Completes "gave up waiting for …". */
  readonly what: string;
  /** Moves by `stepMs` (default 50) between two looks. */
  readonly clock?: ManualClock;
  readonly stepMs?: number;
}

/** A bound on a test that hangs, not an expectation. */
const boundMs = 30_000;

/** Looks again and again, letting sockets and the clock move on in between, until the condition holds. */
export async function until(condition: () => boolean, options: UntilOptions): Promise<void> {
  const endMs = performance.now() + boundMs;
  while (!condition()) {
    if (performance.now() > endMs) throw new Error(`gave up waiting for ${options.what}`);
    await settle();
    options.clock?.advance(options.stepMs ?? 50);
  }
}

/** Lets what is in flight on loopback arrive. */
export async function settle(turns = 8): Promise<void> {
  for (let i = 0; i < turns; i++) await turn();
}

/** Lets that much time pass, in steps, so that sockets see it pass. */
export async function pass(clock: ManualClock, options: { readonly ms: number; readonly stepMs: number }): Promise<void> {
  for (let passedMs = 0; passedMs < options.ms; passedMs += options.stepMs) {
    clock.advance(options.stepMs);
    await settle();
  }
}
