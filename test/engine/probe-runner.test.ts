import { Duration } from 'luxon';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ManualClock } from '../../src/clock/manual-clock.ts';
import { ServerTime } from '../../src/clock/server-time.ts';
import type { AnyProbe } from '../../src/definition/lifecycle.ts';
import { UnknownSignal } from '../../src/definition/unknown-signal.ts';
import { ProbeRunner } from '../../src/engine/probe-runner.ts';

const minute = 60_000;

function setUp(ask: AnyProbe['ask'] = () => Promise.resolve(1)) {
  const clock = new ManualClock();
  const woken: string[] = [];
  const warned: unknown[] = [];
  const log = { debug: () => {}, info: () => {}, warn: (fields: object) => void warned.push(fields), error: () => {} };
  const runner = new ProbeRunner({ clock, time: new ServerTime(clock), log, onAnswer: (key) => void woken.push(key) });
  const asked: unknown[] = [];
  const probe: AnyProbe = {
    timeout: Duration.fromMillis(1_000),
    maxAge: Duration.fromMillis(minute),
    answer: z.number(),
    input: () => undefined,
    ask: (input, signal) => {
      asked.push(input);
      return ask(input, signal);
    },
  };
  const read = (at: { readonly input?: unknown; readonly enteredMs?: number; readonly uid?: string } = {}): unknown => {
    try {
      return runner.read({
        key: 'ns/a',
        uid: at.uid ?? 'u1',
        name: 'price',
        probe,
        input: at.input ?? 'bread',
        enteredMs: at.enteredMs ?? 0,
      });
    } catch (error) {
      if (error instanceof UnknownSignal) return 'unknown';
      throw error;
    }
  };
  return { clock, runner, read, woken, warned, asked };
}

/** Lets what is under way in promises come to its end. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('a probe runner', () => {
  it('is unknown until the answer is there, and wakes the object then', async () => {
    const { read, woken, asked } = setUp();
    expect(read()).toBe('unknown');
    expect(read()).toBe('unknown');
    await settle();
    expect(woken).toEqual(['ns/a']);
    expect(read()).toBe(1);
    expect(asked).toEqual(['bread']);
  });

  it('asks anew for another input, and does not hand out the answer to the old one', async () => {
    const { read, asked } = setUp((input) => Promise.resolve(input === 'bread' ? 1 : 2));
    read();
    await settle();
    expect(read({ input: 'milk' })).toBe('unknown');
    await settle();
    expect(read({ input: 'milk' })).toBe(2);
    expect(asked).toEqual(['bread', 'milk']);
  });

  it('forgets an answer that is older than its maximum age, and wakes the object so that it is asked again', async () => {
    const { clock, read, woken, asked } = setUp();
    read();
    await settle();
    clock.advance(minute);
    expect(read()).toBe(1);
    expect(woken).toHaveLength(1);
    clock.advance(1);
    expect(woken).toHaveLength(2);
    expect(read()).toBe('unknown');
    await settle();
    expect(read()).toBe(1);
    expect(asked).toHaveLength(2);
  });

  it('does not keep asking for somebody who no longer reads', async () => {
    const { clock, read, woken, asked } = setUp();
    read();
    await settle();
    clock.advance(10 * minute);
    expect(asked).toHaveLength(1);
    expect(woken).toHaveLength(2);
    expect(clock.nextInMs()).toBeUndefined();
  });

  it('does not count an answer that was asked for before the phase was entered', async () => {
    const { clock, read } = setUp();
    read();
    await settle();
    clock.advance(5);
    expect(read({ enteredMs: clock.nowMs() })).toBe('unknown');
    await settle();
    expect(read({ enteredMs: clock.nowMs() })).toBe(1);
  });

  it('gives up after the timeout, aborts the question, and asks again ten seconds later', async () => {
    let aborted = false;
    const { clock, read, warned, asked } = setUp((_, signal) => {
      signal.addEventListener('abort', () => (aborted = true));
      return new Promise(() => {});
    });
    read();
    clock.advance(1_000);
    await settle();
    expect(aborted).toBe(true);
    expect(warned).toMatchObject([{ key: 'ns/a', probe: 'price', err: { code: 'PROBE_TIMEOUT' } }]);
    clock.advance(9_000);
    expect(read()).toBe('unknown');
    expect(asked).toHaveLength(1);
    clock.advance(1);
    read();
    expect(asked).toHaveLength(2);
  });

  it.each([
    ['throws', () => Promise.reject(new Error('no line'))],
    [
      'throws at once',
      () => {
        throw new Error('no line');
      },
    ],
    ['does not fit', () => Promise.resolve('many')],
  ])('is unknown when the answer %s', async (_, ask) => {
    const { read, warned, woken } = setUp(ask);
    read();
    await settle();
    expect(read()).toBe('unknown');
    expect(warned).toHaveLength(1);
    expect(woken).toEqual(['ns/a']);
  });

  it('forgets an object that is gone: its question ends, wakes nobody and leaves no answer', async () => {
    const answer = Promise.withResolvers<unknown>();
    const { clock, runner, read, woken, warned } = setUp(() => answer.promise);
    read();
    runner.forget('u1');
    answer.resolve(1);
    await settle();
    expect(woken).toEqual([]);
    expect(warned).toEqual([]);
    expect(clock.nextInMs()).toBeUndefined();
    expect(read()).toBe('unknown');
  });

  it('ends everything when it stops', async () => {
    const { clock, runner, read, woken } = setUp();
    read();
    await settle();
    read({ uid: 'u2' });
    runner.stop();
    await settle();
    clock.advance(10 * minute);
    expect(woken).toEqual(['ns/a']);
    expect(clock.nextInMs()).toBeUndefined();
  });
});
