import { describe, expect, it } from 'vitest';

import { peakPerSecond } from './traffic.ts';

describe('the peak within one second', () => {
  it.each([
    { instantsMs: [], peak: 0 },
    { instantsMs: [5], peak: 1 },
    { instantsMs: [0, 1000, 2000], peak: 1 },
    { instantsMs: [0, 999, 1000], peak: 2 },
    { instantsMs: [0, 900, 950, 999, 1500, 5000], peak: 4 },
  ])('of $instantsMs is $peak', ({ instantsMs, peak }) => {
    expect(peakPerSecond(instantsMs)).toBe(peak);
  });
});
