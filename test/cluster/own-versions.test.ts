import { describe, expect, it } from 'vitest';
import { OwnVersions } from '../../src/cluster/own-versions.ts';

const line = (type: string, metadata: object) => JSON.stringify({ type, object: { apiVersion: 'v1', kind: 'ConfigMap', metadata } });

describe('own versions', () => {
  it('knows the news of an own write once', () => {
    const own = new OwnVersions();
    own.add('41');
    expect(own.take(line('MODIFIED', { name: 'a', resourceVersion: '41' }))).toBe('41');
    expect(own.take(line('MODIFIED', { name: 'a', resourceVersion: '41' }))).toBeUndefined();
  });

  it.each([
    ['another write', line('MODIFIED', { name: 'a', resourceVersion: '42' })],
    ['a longer version that begins alike', line('MODIFIED', { name: 'a', resourceVersion: '410' })],
    ['a deletion', line('DELETED', { name: 'a', resourceVersion: '41' })],
    ['an annotation that bears the name', line('MODIFIED', { annotations: { resourceVersion: '41' }, name: 'a', resourceVersion: '42' })],
    ['an annotation whose text holds it', line('MODIFIED', { annotations: { note: '"resourceVersion":"41"' }, resourceVersion: '42' })],
    ['a line without one', '{"type":"MODIFIED"}'],
  ])('does not take %s for one', (_, text) => {
    const own = new OwnVersions();
    own.add('41');
    expect(own.take(text)).toBeUndefined();
  });

  it('keeps a bounded number of them, the latest', () => {
    const own = new OwnVersions();
    for (let version = 1; version <= 10_001; version++) own.add(String(version));
    expect(own.take(line('ADDED', { resourceVersion: '1' }))).toBeUndefined();
    expect(own.take(line('ADDED', { resourceVersion: '10001' }))).toBe('10001');
  });
});
