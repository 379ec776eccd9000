import { describe, expect, it } from 'vitest';
import { compareResourceVersions } from '../../src/cluster/resource-version.ts';

describe('resource versions', () => {
  it.each<[string, string, number]>([
    ['9', '10', -1],
    ['10', '9', 1],
    ['10', '10', 0],
    ['', '1', -1],
    ['18446744073709551616', '18446744073709551615', 1],
    ['99999999999999999999999', '100000000000000000000000', -1],
    ['123', '124', -1],
  ])('orders %s and %s as whole numbers of any length', (left, right, sign) => {
    expect(Math.sign(compareResourceVersions(left, right))).toBe(sign);
    expect(Math.sign(compareResourceVersions(right, left))).toBe(sign === 0 ? 0 : -sign);
  });
});
