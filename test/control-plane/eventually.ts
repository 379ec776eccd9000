import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';

export interface EventuallyOptions {
  /** Completes "gave up waiting for …". */
  readonly what: string;
  /** The bound, not an expectation. Default 30,000. */
  readonly withinMs?: number;
  /** Default 50. */
  readonly everyMs?: number;
}

function shown(value: unknown): string {
  return value instanceof Error ? value.message : inspect(value, { depth: 8, breakLength: 140 });
}

/**
 * Asks again and again until the answer is neither undefined nor false, and returns it. An answer that throws counts as "not yet", so that
 * `expect(…)` can be used inside; the error that ends the wait shows the last answer.
 */
export async function eventually<Value>(
  ask: () => Promise<Value | undefined | false> | Value | undefined | false,
  options: EventuallyOptions,
): Promise<Value> {
  const withinMs = options.withinMs ?? 30_000;
  const untilMs = performance.now() + withinMs;
  let last: unknown;
  for (;;) {
    try {
      const value = await ask();
      if (value !== undefined && value !== false) return value;
      last = value;
    } catch (error) {
      last = error;
    }
    if (performance.now() >= untilMs) {
      throw new Error(`gave up waiting for ${options.what} after ${withinMs} ms; last: ${shown(last)}`, { cause: last });
    }
    await sleep(options.everyMs ?? 50);
  }
}
