import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../src/clock/manual-clock.ts';
import { backoffMs } from '../../src/queue/backoff.ts';
import { type Failure, WorkQueue } from '../../src/queue/work-queue.ts';

/** A queue whose work is answered by hand. */
function scripted(options: { workers?: number } = {}) {
  const clock = new ManualClock();
  const started: string[] = [];
  const failures: Failure[] = [];
  const open = new Map<string, { resolve: (dueInMs?: number) => void; reject: (error: Error) => void }>();
  const queue = new WorkQueue({
    clock,
    ...options,
    work: (key) => {
      started.push(key);
      return new Promise((resolve, reject) => open.set(key, { resolve, reject }));
    },
    onFailure: (failure) => failures.push(failure),
  });
  const stop = new AbortController();
  const running = queue.run(stop.signal);
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  const end = async (key: string, dueInMs?: number) => {
    open.get(key)?.resolve(dueInMs);
    await settle();
  };
  const fail = async (key: string) => {
    open.get(key)?.reject(new Error(`${key} failed`));
    await settle();
  };
  return { clock, queue, started, failures, stop, running, end, fail };
}

describe('work queue', () => {
  it('works on a key that was added twice once', () => {
    const { queue, started } = scripted({ workers: 1 });
    queue.add('busy');
    queue.add('a');
    queue.add('a');
    expect(queue.depth).toBe(1);
    expect(started).toEqual(['busy']);
  });

  it('B11 works on one key in one worker at a time and brings it back once when it was added meanwhile', async () => {
    const { queue, started, end } = scripted();
    queue.add('a');
    queue.add('a');
    queue.add('a');
    expect(started).toEqual(['a']);
    await end('a');
    expect(started).toEqual(['a', 'a']);
    await end('a');
    expect(started).toEqual(['a', 'a']);
  });

  it('starts keys in the order they were added and no more than there are workers', async () => {
    const { queue, started, end } = scripted({ workers: 2 });
    for (const key of ['a', 'b', 'c', 'd']) queue.add(key);
    expect(started).toEqual(['a', 'b']);
    await end('b');
    expect(started).toEqual(['a', 'b', 'c']);
  });

  it('B09 doubles the wait of a key that fails from 100 ms to 10 s and starts over after a success', async () => {
    const { clock, queue, failures, fail, end } = scripted();
    queue.add('a');
    for (let failure = 1; failure <= 8; failure++) {
      await fail('a');
      clock.advance(failures.at(-1)?.retryInMs ?? 0);
    }
    expect(failures.map((failure) => failure.retryInMs)).toEqual([100, 200, 400, 800, 1_600, 3_200, 6_400, 10_000]);
    await end('a');
    queue.add('a');
    await fail('a');
    expect(failures.at(-1)).toMatchObject({ failures: 1, retryInMs: 100 });
  });

  it('does not work on a failed key before its wait is over', async () => {
    const { clock, queue, started, fail } = scripted();
    queue.add('a');
    await fail('a');
    clock.advance(99);
    expect(started).toHaveLength(1);
    clock.advance(1);
    expect(started).toHaveLength(2);
  });

  it('brings a key back after the time its work asked for, the latest outcome counting', async () => {
    const { clock, queue, started, end } = scripted();
    queue.add('a');
    await end('a', 1_000);
    queue.add('a');
    await end('a', 5_000);
    clock.advance(4_999);
    expect(started).toHaveLength(2);
    clock.advance(1);
    expect(started).toHaveLength(3);
  });

  it('lets work that has begun end, and starts none, once it is told to stop', async () => {
    const { queue, started, stop, running, end } = scripted({ workers: 1 });
    queue.add('a');
    queue.add('b');
    stop.abort();
    let ended = false;
    void running.then(() => {
      ended = true;
    });
    await Promise.resolve();
    expect(ended).toBe(false);
    await end('a', 1);
    await running;
    expect(started).toEqual(['a']);
  });

  it('keeps other keys going while one waits for its backoff', async () => {
    const { queue, started, fail, end } = scripted({ workers: 1 });
    queue.add('poison');
    await fail('poison');
    for (const key of ['a', 'b']) queue.add(key);
    await end('a');
    expect(started).toEqual(['poison', 'a', 'b']);
  });

  it('waits as documented after each failure in a row', () => {
    expect([1, 4, 7, 20].map((failures) => backoffMs(failures))).toEqual([100, 800, 6_400, 10_000]);
  });
});
