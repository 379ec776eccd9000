import { describe, expect, it } from 'vitest';

import { eventually } from './eventually.ts';

describe('eventually', () => {
  it('returns the first answer that is neither undefined nor false', async () => {
    const answers = [undefined, false, 0];
    expect(await eventually(() => answers.shift() as number | undefined | false, { what: 'a number', everyMs: 1 })).toBe(0);
  });

  it('takes a throw for "not yet"', async () => {
    let asked = 0;
    const answer = eventually(
      () => {
        if (++asked < 3) throw new Error('too early');
        return asked;
      },
      { what: 'the third time', everyMs: 1 },
    );
    expect(await answer).toBe(3);
  });

  it('gives up with the last thing it saw', async () => {
    const never = eventually(() => Promise.reject(new Error('phase is Pending')), { what: 'Running', withinMs: 5, everyMs: 1 });
    await expect(never).rejects.toThrow('gave up waiting for Running after 5 ms; last: phase is Pending');
  });
});
