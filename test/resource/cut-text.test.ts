import { expect, it } from 'vitest';
import { cutText } from '../../src/resource/cut-text.ts';

it('leaves a text alone that is short enough', () => {
  expect(cutText('abcdef', 6)).toBe('abcdef');
});

it('cuts a longer one to the limit, dots included', () => {
  expect(cutText('abcdefg', 6)).toBe('abc...');
});

it('leaves no half of a surrogate pair', () => {
  const cut = cutText('ab😀😀😀', 6);
  expect(cut).toHaveLength(6);
  expect(cut.isWellFormed()).toBe(true);
});
