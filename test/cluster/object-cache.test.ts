import { describe, expect, it } from 'vitest';
import { type CacheChange, ObjectCache, type ObjectCacheOptions } from '../../src/cluster/object-cache.ts';
import type { KubernetesObject } from '../../src/resource/kubernetes-object.ts';
import { configMap } from './fake-api.ts';

function object(name: string, version: number, more: { readonly uid?: string; readonly owner?: string } = {}): KubernetesObject {
  const { uid = `${name}-uid`, owner } = more;
  const labels = owner === undefined ? {} : { labels: { owner } };
  return { ...configMap, metadata: { name, namespace: 'default', uid, resourceVersion: String(version), ...labels } };
}

function cacheOf(options: Partial<ObjectCacheOptions<KubernetesObject>> = {}) {
  const cache = new ObjectCache({
    kind: configMap,
    indexes: { owner: ({ metadata }) => (metadata.labels?.['owner'] === undefined ? [] : [metadata.labels['owner']]) },
    ...options,
  });
  const told: string[] = [];
  cache.subscribe(({ type, object: { metadata } }: CacheChange<KubernetesObject>) => {
    told.push(`${type} ${metadata.name}@${metadata.resourceVersion}`);
  });
  return { cache, told };
}

const namesOf = (objects: readonly KubernetesObject[]) => objects.map(({ metadata }) => metadata.name).toSorted();

describe('the cache of one kind', () => {
  it('B02 keeps the answer to our own write when the watch delivers an older object after it', () => {
    const { cache, told } = cacheOf();
    cache.upsert(object('a', 10));
    cache.observe(object('a', 12));
    cache.upsert(object('a', 11));
    cache.upsert(object('a', 12));
    expect(cache.get('default/a')?.metadata.resourceVersion).toBe('12');
    expect(told).toEqual(['added a@10', 'updated a@12']);
  });

  it('B02 shows our own write at once, and to whoever looks it up by an index', () => {
    const { cache } = cacheOf();
    cache.observe(object('a', 10, { owner: 'x' }));
    expect(namesOf(cache.by('owner', 'x'))).toEqual(['a']);
    expect(cache.resourceVersion).toBe('10');
  });

  it('B03 tells of a deletion and of a new object when the watch missed that a name was used again', () => {
    const { cache, told } = cacheOf();
    cache.upsert(object('a', 10, { uid: 'old' }));
    cache.upsert(object('a', 20, { uid: 'new' }));
    cache.observe(object('a', 15, { uid: 'old' }));
    cache.remove(object('a', 16, { uid: 'old' }));
    expect(cache.get('default/a')?.metadata.uid).toBe('new');
    expect(told).toEqual(['added a@10', 'deleted a@10', 'added a@20']);
  });

  it('B03 never brings back an object that our own delete removed', () => {
    const { cache, told } = cacheOf();
    cache.upsert(object('a', 10));
    cache.forget('default/a', 'a-uid');
    cache.upsert(object('a', 11));
    cache.observe(object('a', 12));
    cache.replace([object('a', 11)], '11');
    cache.remove(object('a', 13));
    expect(cache.size).toBe(0);
    expect(told).toEqual(['added a@10', 'deleted a@10']);
  });

  it('leaves a new object alone when a delete of the old one of its name is answered', () => {
    const { cache } = cacheOf();
    cache.upsert(object('a', 20, { uid: 'new' }));
    cache.forget('default/a', 'old');
    expect(cache.get('default/a')?.metadata.uid).toBe('new');
  });

  it('takes back what merely left a selector and came again', () => {
    const { cache, told } = cacheOf();
    cache.upsert(object('a', 10));
    cache.remove(object('a', 11));
    cache.upsert(object('a', 11));
    cache.upsert(object('a', 12));
    expect(cache.get('default/a')?.metadata.resourceVersion).toBe('12');
    expect(told).toEqual(['added a@10', 'deleted a@11', 'added a@12']);
  });

  it('deletes what a list does not hold, each once, and keeps what was observed after the list', () => {
    const { cache, told } = cacheOf();
    for (const name of ['a', 'b', 'c']) cache.upsert(object(name, 10));
    cache.observe(object('d', 30));
    told.length = 0;
    cache.replace([object('a', 10), object('b', 12)], '20');
    expect(namesOf(cache.list())).toEqual(['a', 'b', 'd']);
    expect(told).toEqual(['updated b@12', 'deleted c@10']);
    cache.remove(object('c', 19));
    expect(told).toHaveLength(2);
  });

  it('holds nothing older than it has, whatever a list says', () => {
    const { cache } = cacheOf();
    cache.observe(object('a', 30));
    cache.replace([object('a', 10)], '20');
    expect(cache.get('default/a')?.metadata.resourceVersion).toBe('30');
    expect(cache.resourceVersion).toBe('30');
  });

  it('is synced after the first list', () => {
    const { cache } = cacheOf();
    cache.observe(object('a', 5));
    expect(cache.synced).toBe(false);
    cache.replace([], '10');
    expect(cache.synced).toBe(true);
    expect(cache.resourceVersion).toBe('10');
  });

  it('keeps its indexes in step with every change', () => {
    const { cache } = cacheOf();
    cache.upsert(object('a', 10, { owner: 'x' }));
    cache.upsert(object('b', 11, { owner: 'x' }));
    cache.upsert(object('a', 12, { owner: 'y' }));
    expect(namesOf(cache.by('owner', 'x'))).toEqual(['b']);
    expect(namesOf(cache.by('owner', 'y'))).toEqual(['a']);
    cache.remove(object('b', 13, { owner: 'x' }));
    cache.upsert(object('a', 14));
    expect(cache.by('owner', 'x')).toEqual([]);
    expect(cache.by('owner', 'y')).toEqual([]);
  });

  it('refuses an index that was not declared', () => {
    const { cache } = cacheOf();
    expect(() => cache.by('colour', 'red')).toThrow(expect.objectContaining({ code: 'CACHE_INDEX_UNKNOWN' }));
  });

  it('stores what keep returns', () => {
    const { cache } = cacheOf({ keep: ({ metadata, apiVersion, kind }) => ({ apiVersion, kind, metadata }) });
    cache.upsert({ ...object('a', 10), data: { large: 'x' } });
    cache.observe({ ...object('b', 11), data: { large: 'x' } });
    expect(cache.list().map((each) => each['data'])).toEqual([undefined, undefined]);
  });

  it('stores the object as it is and reports when keep throws', () => {
    const errors: unknown[] = [];
    const keep = () => {
      throw new Error('no');
    };
    const { cache } = cacheOf({ keep, onError: (error) => errors.push(error) });
    cache.upsert(object('a', 10));
    expect(cache.size).toBe(1);
    expect(errors).toEqual([expect.objectContaining({ code: 'CACHE_HANDLER_FAILED' })]);
  });

  it('tells the other listeners, and reports, when one throws', () => {
    const errors: unknown[] = [];
    const cache = new ObjectCache({ kind: configMap, onError: (error) => errors.push(error) });
    const told: string[] = [];
    cache.subscribe(() => {
      throw new Error('broken listener');
    });
    cache.subscribe((change) => told.push(change.type));
    cache.upsert(object('a', 10));
    expect(told).toEqual(['added']);
    expect(errors).toEqual([expect.objectContaining({ message: 'a handler of the cache of ConfigMap threw: broken listener' })]);
  });

  it('says which changes are the answers to our own writes', () => {
    const { cache } = cacheOf();
    const own: boolean[] = [];
    cache.subscribe((change) => own.push(change.own));
    cache.observe(object('a', 10));
    cache.upsert(object('a', 11));
    cache.forget('default/a', 'a-uid');
    expect(own).toEqual([true, false, true]);
  });

  it('tells a listener nothing after its subscription ended', () => {
    const { cache } = cacheOf();
    const told: string[] = [];
    const stop = cache.subscribe((change) => told.push(change.type));
    stop();
    cache.upsert(object('a', 10));
    expect(told).toEqual([]);
  });

  it('gives the same array until something changes', () => {
    const { cache } = cacheOf();
    cache.upsert(object('a', 10));
    const before = cache.list();
    cache.upsert(object('a', 10));
    expect(cache.list()).toBe(before);
    cache.upsert(object('a', 11));
    expect(cache.list()).not.toBe(before);
  });
});
