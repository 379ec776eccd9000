import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { status } from './fake-api.ts';
import { ReflectorHarness } from './reflector-harness.ts';

describe('the reflector', () => {
  let harness: ReflectorHarness;

  beforeEach(async () => {
    harness = await ReflectorHarness.start();
  });

  afterEach(async () => {
    await harness.close();
  });

  it('fills the cache by one WatchList and follows from there', async () => {
    const { api, reflector, cache, told } = harness;
    api.put('a');
    api.put('b');
    harness.run();
    await reflector.synced;
    expect(cache.synced).toBe(true);
    expect(harness.content()).toEqual(api.content());
    api.put('a', { k: 'v' });
    api.delete('b');
    api.put('c');
    await harness.following();
    expect(told).toEqual(['added a@101', 'added b@102', 'updated a@103', 'deleted b@104', 'added c@105']);
    expect(api.requests).toHaveLength(1);
    expect(Object.fromEntries(api.watchRequests[0]?.query ?? [])).toEqual({
      watch: '1',
      allowWatchBookmarks: 'true',
      sendInitialEvents: 'true',
      resourceVersionMatch: 'NotOlderThan',
      timeoutSeconds: '300',
    });
    expect(reflector.status).toMatchObject({ connected: true, restarts: 0 });
  });

  it('lists in pages where the server refuses WatchList, never from a cache that may lag, and does not ask for it again', async () => {
    const { api } = harness;
    api.watchList = false;
    api.pageSize = 2;
    for (const name of ['a', 'b', 'c', 'd', 'e']) api.put(name);
    harness.run();
    await harness.following();
    expect(api.lists).toHaveLength(3);
    expect(api.lists.map((list) => list.query.get('limit'))).toEqual(['500', '500', '500']);
    expect(api.requests.map((request) => request.query.get('resourceVersion'))).not.toContain('0');
    expect(harness.cache.get('default/a')?.kind).toBe('ConfigMap');

    api.silent = true;
    api.put('f');
    api.put('f', { k: 'v' });
    api.compact();
    api.silent = false;
    api.endWatches('end');
    await harness.until(() => api.lists.length === 6, 'a second list');
    await harness.following();
    expect(api.watchRequests.filter((watch) => watch.query.has('sendInitialEvents'))).toHaveLength(1);
    expect(harness.errors).toEqual([]);
  });

  it('starts a list over when its continue token expires', async () => {
    const { api } = harness;
    api.watchList = false;
    api.pageSize = 2;
    for (const name of ['a', 'b', 'c']) api.put(name);
    const { handle } = api;
    harness.server.handle = (exchange) => {
      if (exchange.query.has('continue') && api.lists.length < 3) api.compact();
      handle(exchange);
    };
    harness.run();
    await harness.following();
    expect(api.lists.length).toBeGreaterThan(2);
    expect(harness.told).toHaveLength(3);
  });

  it('goes on from the last bookmark', async () => {
    const { api } = harness;
    api.put('a');
    harness.run();
    await harness.following();
    api.silent = true;
    api.put('b');
    api.delete('b');
    api.silent = false;
    api.bookmark();
    await harness.until(() => harness.cache.resourceVersion === api.version, 'the bookmark');
    api.compact();
    api.endWatches('end');
    await harness.until(() => api.watchRequests.length === 2 && api.watches === 1, 'the next watch');
    expect(api.watchRequests[1]?.query.get('resourceVersion')).toBe('103');
    expect(harness.errors).toEqual([]);
  });

  it('does not go on from the version of our own write, which others may have preceded', async () => {
    const { api } = harness;
    api.put('a');
    harness.run();
    await harness.following();
    api.silent = true;
    api.put('b');
    const own = api.put('c');
    harness.cache.observe(own);
    api.silent = false;
    api.endWatches('end');
    await harness.following();
    expect(harness.told).toEqual(['added a@101', 'added c@103', 'added b@102']);
  });

  it('does not take a list that is older than what it has seen', async () => {
    const { api } = harness;
    api.watchList = false;
    api.put('a');
    harness.run();
    await harness.following();
    const newest = api.put('a', { k: 'v' });
    harness.cache.observe({ ...newest, metadata: { ...newest.metadata, resourceVersion: '200' } });
    api.compact();
    api.endWatches('end');
    await harness.until(() => harness.codes().includes('WATCH_PROTOCOL'), 'the complaint');
    expect(harness.cache.get('default/a')?.metadata.resourceVersion).toBe('200');
    while (Number(api.version) < 210) api.put('b');
    await harness.until(() => harness.reflector.status.connected, 'a list that is new enough');
  });

  it('B38 waits as long as Retry-After says, is not connected meanwhile and reconciles everything after', async () => {
    const { api, clock, reflector } = harness;
    api.put('a');
    harness.run();
    await harness.following();
    api.put('b');
    await harness.following();

    const asked: number[] = [];
    let refusing = true;
    const { handle } = api;
    harness.server.handle = (exchange) => {
      if (!refusing) return handle(exchange);
      asked.push(clock.monotonicMs());
      exchange.answer(429, status(429, 'TooManyRequests'), { 'retry-after': '7' });
    };
    const startMs = clock.monotonicMs();
    api.endWatches('cut');
    await harness.until(() => asked.length > 0, 'the first refusal');
    api.put('c');
    api.delete('a');
    await harness.until(() => clock.monotonicMs() - startMs > 60_000, 'a minute of refusals');
    expect(reflector.status.connected).toBe(false);
    expect(asked.length).toBeGreaterThan(2);
    for (let i = 1; i < asked.length; i++) expect((asked[i] ?? 0) - (asked[i - 1] ?? 0)).toBeGreaterThanOrEqual(7_000);
    expect(harness.codes()).toContain('API_TooManyRequests');

    refusing = false;
    await harness.following();
    expect(harness.told).toEqual(['added a@101', 'added b@102', 'added c@103', 'deleted a@104']);
  });

  it('B39 notices a delete between the list and the watch, once', async () => {
    const { api } = harness;
    api.watchList = false;
    api.put('a');
    api.put('b');
    const { handle } = api;
    harness.server.handle = (exchange) => {
      handle(exchange);
      if (!exchange.isWatch && api.lists.length === 1) api.delete('a');
    };
    harness.run();
    await harness.following();
    expect(harness.told).toEqual(['added a@101', 'added b@102', 'deleted a@103']);
  });

  it.each<[string, boolean, 'status' | 'stream']>([
    ['an HTTP status, with WatchList', true, 'status'],
    ['an HTTP status, with lists', false, 'status'],
    ['an event in the stream, with WatchList', true, 'stream'],
    ['an event in the stream, with lists', false, 'stream'],
  ])('B39 makes the cache equal to the server after 410 as %s, telling each delete once', async (_, watchList, form) => {
    const { api } = harness;
    api.watchList = watchList;
    for (const name of ['a', 'b', 'c']) api.put(name);
    harness.run();
    await harness.following();

    api.silent = true;
    api.delete('a');
    api.put('b', { k: 'v' });
    api.delete('c');
    api.put('c');
    api.compact();
    api.silent = false;
    harness.told.length = 0;
    if (form === 'stream') api.send({ type: 'ERROR', object: status(410, 'Expired') });
    else api.endWatches('end');
    await harness.following();
    expect(harness.told.toSorted()).toEqual(['added c@107', 'deleted a@101', 'deleted c@103', 'updated b@105']);
    expect(harness.errors).toEqual([]);

    api.delete('b');
    await harness.following();
    expect(harness.told.filter((line) => line.startsWith('deleted'))).toHaveLength(3);
  });

  it('B40 notices a silent socket, relists and misses nothing', async () => {
    const { api, clock } = harness;
    api.put('a');
    api.put('b');
    harness.run();
    await harness.following();

    api.silent = true;
    api.put('c');
    api.delete('a');
    const silentSinceMs = clock.monotonicMs();
    await harness.until(() => harness.codes().includes('CONNECTION_SILENT'), 'the silence to be noticed', 500);
    expect(clock.monotonicMs() - silentSinceMs).toBeGreaterThan(85_000);
    expect(clock.monotonicMs() - silentSinceMs).toBeLessThan(100_000);
    api.silent = false;
    await harness.following();
    expect(harness.told.toSorted()).toEqual(['added a@101', 'added b@102', 'added c@103', 'deleted a@101']);
    expect(api.watchRequests.at(-1)?.query.has('sendInitialEvents')).toBe(true);
    expect(api.watches).toBe(1);
  });

  it('does not take a watch for silent that is quiet but sends bookmarks', async () => {
    const { api, clock } = harness;
    harness.run();
    await harness.following();
    const endMs = clock.monotonicMs() + 300_000;
    let nextMs = clock.monotonicMs();
    await harness.until(
      () => {
        if (clock.monotonicMs() >= nextMs) {
          api.bookmark();
          nextMs += 60_000;
        }
        return clock.monotonicMs() > endMs;
      },
      'five quiet minutes',
      500,
    );
    expect(api.requests).toHaveLength(1);
    expect(harness.errors).toEqual([]);
  });

  it('B47 reports a handler that throws and goes on with the next line', async () => {
    const { api, cache } = harness;
    cache.subscribe(({ object }) => {
      if (object.metadata.name === 'b') throw new Error('handler of b');
    });
    harness.run();
    await harness.following();
    api.put('a');
    api.put('b');
    api.put('c');
    await harness.following();
    expect(harness.codes()).toEqual(['CACHE_HANDLER_FAILED']);
    expect(api.requests).toHaveLength(1);
  });

  it('B47 reports a line that is cut in the middle and misses nothing', async () => {
    const { api } = harness;
    harness.run();
    await harness.following();
    api.put('a');
    await harness.following();
    api.silent = true;
    api.put('b');
    api.sendText('{"type":"ADDED","object":{"apiVersion":"v1","kin');
    api.silent = false;
    api.endWatches('end');
    await harness.following();
    expect(harness.codes()).toEqual(['CONNECTION_CUT']);
    expect(harness.told).toEqual(['added a@101', 'added b@102']);
  });

  it('B47 reports a line that cannot be read and misses nothing, also when it comes again and again', async () => {
    const { api } = harness;
    harness.run();
    await harness.following();
    api.put('a');
    await harness.following();
    const { handle } = api;
    harness.server.handle = (exchange) => {
      handle(exchange);
      if (exchange.isWatch && exchange.query.has('resourceVersion')) exchange.text('{"type":"ADDED","object":{}}\n');
    };
    api.sendText('not json\n');
    await harness.until(() => harness.codes().length === 2, 'the second complaint');
    await harness.following();
    expect(harness.codes()).toEqual(['WATCH_LINE_UNREADABLE', 'WATCH_LINE_UNREADABLE']);
    expect(api.watchRequests.map((watch) => watch.query.has('sendInitialEvents'))).toEqual([true, false, true]);
  });

  it('B47 reports an ERROR event other than 410 and recovers', async () => {
    const { api } = harness;
    harness.run();
    await harness.following();
    api.put('a');
    await harness.following();
    api.silent = true;
    api.delete('a');
    api.put('b');
    api.silent = false;
    api.send({ type: 'ERROR', object: status(500, 'InternalError') });
    await harness.following();
    expect(harness.codes()).toEqual(['API_InternalError']);
    expect(harness.told).toEqual(['added a@101', 'added b@103', 'deleted a@101']);
  });

  it('waits longer after each failure, up to half a minute, and starts short again after a healthy minute', async () => {
    const { api, clock } = harness;
    const asked: number[] = [];
    let failing = true;
    const { handle } = api;
    harness.server.handle = (exchange) => {
      asked.push(clock.monotonicMs());
      if (failing) exchange.answer(500, status(500, 'InternalError'));
      else handle(exchange);
    };
    harness.run();
    await harness.until(() => asked.length === 9, 'nine attempts');
    const delays = asked.slice(1).map((ms, i) => ms - (asked[i] ?? 0));
    for (const [i, expected] of [1_000, 1_600, 3_200, 6_400, 12_800, 25_600, 30_000, 30_000].entries()) {
      expect(delays[i]).toBeGreaterThanOrEqual(expected);
      expect(delays[i]).toBeLessThan(expected + 1_000);
    }
    failing = false;
    await harness.following();
    const healthyUntilMs = clock.monotonicMs() + 61_000;
    await harness.until(() => clock.monotonicMs() > healthyUntilMs, 'a healthy minute', 500);
    const before = asked.length;
    const cutMs = clock.monotonicMs();
    api.endWatches('cut');
    await harness.until(() => asked.length > before, 'the next watch');
    expect(clock.monotonicMs() - cutMs).toBeLessThan(10_000);
  });

  it('asks a server that ends each watch at once no more than once a second', async () => {
    const { api, clock } = harness;
    harness.run();
    await harness.following();
    const asked: number[] = [];
    harness.server.handle = (exchange) => {
      asked.push(clock.monotonicMs());
      exchange.open();
      exchange.end();
    };
    api.endWatches('end');
    await harness.until(() => asked.length === 5, 'five watches');
    for (let i = 1; i < asked.length; i++) expect((asked[i] ?? 0) - (asked[i - 1] ?? 0)).toBeGreaterThanOrEqual(1_000);
  });

  it('falls back to lists where bookmarks come but the end of the initial events is never marked', async () => {
    const { api } = harness;
    api.put('a');
    const { handle } = api;
    harness.server.handle = (exchange) => {
      if (!exchange.query.has('sendInitialEvents')) return handle(exchange);
      exchange.open();
      exchange.line({ type: 'BOOKMARK', object: { metadata: { resourceVersion: api.version } } });
    };
    harness.run();
    await harness.following();
    expect(api.lists).toHaveLength(1);
    expect(harness.codes()).toEqual(['WATCH_PROTOCOL']);
  });

  it('refuses to run twice', async () => {
    harness.run();
    await expect(harness.reflector.run(new AbortController().signal)).rejects.toMatchObject({ code: 'REFLECTOR_RUNNING' });
  });
});
