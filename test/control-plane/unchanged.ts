import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';

/** Asks again and again for a while and fails as soon as the answer is another one than at first. It cannot fail by being slow. */
export async function staysUnchanged<Value>(
  ask: () => Promise<Value> | Value,
  options: { readonly what: string; readonly forMs: number },
): Promise<void> {
  const first = await ask();
  const untilMs = performance.now() + options.forMs;
  while (performance.now() < untilMs) {
    await sleep(250);
    const now = await ask();
    if (!isDeepStrictEqual(now, first)) throw new Error(`${options.what} changed: ${JSON.stringify(first)} -> ${JSON.stringify(now)}`);
  }
}
