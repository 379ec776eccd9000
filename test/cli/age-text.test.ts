import { expect, it } from 'vitest';
import { ageText } from '../../src/cli/age-text.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

it.each([
  [-5 * second, '0s'],
  [0, '0s'],
  [119 * second, '119s'],
  [2 * minute, '2m'],
  [3 * minute + 5 * second, '3m5s'],
  [41 * minute + 30 * second, '41m'],
  [179 * minute, '179m'],
  [3 * hour + 20 * minute, '3h20m'],
  [47 * hour, '47h'],
  [2 * day, '2d'],
  [2 * day + 5 * hour, '2d5h'],
  [400 * day, '400d'],
  [2 * 365 * day + 3 * day, '2y3d'],
  [9 * 365 * day, '9y'],
])('shows an age of %d ms as kubectl does: %s', (ms, text) => {
  expect(ageText(ms)).toBe(text);
});
