import { expect, it } from 'vitest';
import { RecentSet } from '../../src/engine/recent-set.ts';

it('keeps the values that were added last, and an added one counts as new', () => {
  const set = new RecentSet(2);
  for (const value of ['a', 'b', 'a', 'c']) set.add(value);
  expect(['a', 'b', 'c'].filter((value) => set.has(value))).toEqual(['a', 'c']);
});
