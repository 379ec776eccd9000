import { describe, expect, it } from 'vitest';
import { nearest } from '../../src/cli/nearest.ts';
import { parseAddress } from '../../src/cli/object-address.ts';
import { matchingKinds, qualifiedName, type ServedKind } from '../../src/cli/served-kind.ts';

const pool: ServedKind = {
  kind: { apiVersion: 'ack.alibabacloud.com/v1', kind: 'NodePool', plural: 'nodepools', scope: 'Cluster' },
  singular: 'nodepool',
  shortNames: ['np'],
};
const other: ServedKind = { ...pool, kind: { ...pool.kind, apiVersion: 'karpenter.sh/v1' }, shortNames: [] };

describe('a kind', () => {
  it.each([
    'np',
    'NP',
    'nodepool',
    'NodePools',
    'NodePool',
    'np.ack',
    'nodepools.ack.alibabacloud.com',
    'NodePool.v1.ack.alibabacloud.com',
  ])('is found by %s', (typed) => {
    expect(matchingKinds([pool], typed)).toEqual([pool]);
  });

  it.each(['pool', 'np.karpenter.sh', 'nodepools.v2.ack.alibabacloud.com'])('is not found by %s', (typed) => {
    expect(matchingKinds([pool], typed)).toEqual([]);
  });

  it('is told from others of its name by the group', () => {
    expect(matchingKinds([pool, other], 'nodepool')).toEqual([pool, other]);
    expect(matchingKinds([pool, other], 'nodepool.karpenter.sh')).toEqual([other]);
    expect(qualifiedName(other)).toBe('nodepool.karpenter.sh');
  });
});

describe('an address', () => {
  it('is a kind with names, or names with their kind', () => {
    expect(parseAddress(['np'])).toEqual({ kind: 'np', names: [] });
    expect(parseAddress(['np', 'a', 'b'])).toEqual({ kind: 'np', names: ['a', 'b'] });
    expect(parseAddress(['np/a', 'np/b'])).toEqual({ kind: 'np', names: ['a', 'b'] });
  });

  it.each([['np/a', 'pod/b'], ['np/a', 'b'], ['np/'], ['np/a/b'], ['np', 'np/a']])('refuses a mixture: %s %s', (...words) => {
    expect(() => parseAddress(words)).toThrow(expect.objectContaining({ exitCode: 2 }));
  });
});

describe('a typo', () => {
  it('is answered with what it was most likely meant for', () => {
    expect(nearest('nodepol', ['pods', 'nodepool', 'nodes'])).toBe('nodepool');
    expect(nearest('zzz', ['pods', 'nodes'])).toBeUndefined();
    expect(nearest('np', ['ip', 'nodes'])).toBeUndefined();
  });
});
