import { afterEach, describe, expect, it } from 'vitest';
import { ManualClock } from '../../src/clock/manual-clock.ts';
import { ServerTime } from '../../src/clock/server-time.ts';
import { Cluster } from '../../src/cluster/cluster.ts';
import { Http2Transport } from '../../src/cluster/http2-transport.ts';
import { ObjectCache } from '../../src/cluster/object-cache.ts';
import { Reflector } from '../../src/cluster/reflector.ts';
import { defineKindOf } from '../../src/resource/kind.ts';
import type { KubernetesObject } from '../../src/resource/kubernetes-object.ts';
import { configOf, withoutPingsMs } from './connection.ts';
import type { Exchange } from './exchange.ts';
import { FakeApi } from './fake-api.ts';
import { Relay } from './relay.ts';
import { ScriptedServer, type ScriptedServerOptions } from './scripted-server.ts';
import { pass, settle, until } from './until.ts';

const cleanups: (() => Promise<void> | void)[] = [];

afterEach(async () => {
  for (const clean of cleanups.splice(0).toReversed()) await clean();
});

async function connect(handle: (exchange: Exchange) => void, options: ScriptedServerOptions & { readonly pingIntervalMs?: number } = {}) {
  const { pingIntervalMs = withoutPingsMs, ...serverOptions } = options;
  const clock = new ManualClock();
  const server = await ScriptedServer.start(handle, serverOptions);
  const transport = new Http2Transport(configOf(server.url), { clock, random: () => 0, pingIntervalMs });
  cleanups.push(
    () => server.close(),
    () => transport.close(),
  );
  return { clock, server, transport };
}

/** Reflectors of several kinds over one transport, against one API each. */
function follow(
  kinds: readonly string[],
  server: ScriptedServer,
  { transport, clock }: { readonly transport: Http2Transport; readonly clock: ManualClock },
) {
  const stop = new AbortController();
  const random = () => 0;
  const cluster = new Cluster({ transport, clock, time: new ServerTime(clock), random });
  const apis = new Map(kinds.map((kind) => [`/api/v1/${kind.toLowerCase()}s`, new FakeApi()]));
  server.handle = (exchange) => {
    const api = apis.get(exchange.path);
    if (api === undefined) exchange.answer(200, { kind: 'Any', metadata: {} });
    else api.handle(exchange);
  };
  const reflectors = kinds.map((kind) => {
    const of = defineKindOf<KubernetesObject>({ apiVersion: 'v1', kind, scope: 'Namespaced' });
    const cache = new ObjectCache({ kind: of });
    return new Reflector({ cluster, transport, cache, kind: of, clock, random, onError: () => undefined });
  });
  const running = reflectors.map((reflector) => reflector.run(stop.signal));
  cleanups.push(async () => {
    stop.abort();
    await Promise.all(running);
  });
  const connected = () => reflectors.every((reflector) => reflector.status.connected);
  return { apis: [...apis.values()], reflectors, connected, cluster };
}

describe('the HTTP/2 transport', () => {
  it('sends requests and watches over one connection', async () => {
    const { transport, server } = await connect((exchange) => {
      if (exchange.isWatch) exchange.open();
      else exchange.answer(200, exchange.path);
    });
    const stop = new AbortController();
    const watches = ['a', 'b'].map((name) =>
      transport.watch({ path: `/${name}?watch=1`, signal: stop.signal, silenceMs: 1_000 }, () => undefined),
    );
    const answers = await Promise.all(Array.from({ length: 50 }, (_, i) => transport.request({ method: 'GET', path: `/${i}` })));
    expect(answers.map((answer) => answer.body)).toEqual(Array.from({ length: 50 }, (_, i) => `/${i}`));
    expect(server.opened).toBe(1);
    stop.abort();
    await Promise.allSettled(watches);
  });

  it('B41 has at most one watch for each kind and tries no more than once a second while the server comes and goes', {
    timeout: 60_000,
  }, async () => {
    const { transport, server, clock } = await connect(() => undefined);
    const attempts: number[] = [];
    server.onConnection = () => attempts.push(clock.monotonicMs());
    const { apis, connected, cluster } = follow(['Alpha', 'Beta', 'Gamma'], server, { transport, clock });
    for (let restart = 0; restart < 10; restart++) {
      await until(connected, { what: 'all watches', clock });
      server.down = true;
      server.cutAll();
      for (let step = 0; step < 120; step++) {
        cluster.send({ method: 'GET', path: '/any', timeoutMs: 2_000 }).catch(() => undefined);
        await pass(clock, { ms: 250, stepMs: 250 });
      }
      server.down = false;
    }
    await until(connected, { what: 'all watches', clock });
    expect(attempts.length).toBeGreaterThan(40);
    for (let i = 1; i < attempts.length; i++) expect((attempts[i] ?? 0) - (attempts[i - 1] ?? 0)).toBeGreaterThanOrEqual(1_000);
    for (const api of apis) {
      expect(api.mostWatches).toBe(1);
      expect(api.watches).toBe(1);
    }
    expect(server.mostAtOnce).toBe(1);
  });

  it('B42 has one socket through 1,000 requests and 200 reconnects', { timeout: 60_000 }, async () => {
    const { transport, server, clock } = await connect(() => undefined);
    const { connected, cluster } = follow(['Alpha', 'Beta'], server, { transport, clock });
    const sockets = () => process.getActiveResourcesInfo().filter((resource) => resource === 'TCPSocketWrap').length;
    await until(connected, { what: 'the first connection', clock });
    const before = sockets();
    for (let reconnect = 0; reconnect < 200; reconnect++) {
      if (reconnect % 2 === 0) server.cutAll();
      else server.goAway();
      const opened = server.opened;
      const requests = Array.from({ length: 5 }, () => cluster.send({ method: 'GET', path: '/any' }).catch(() => undefined));
      await until(() => server.opened > opened && connected(), { what: 'the next connection', clock, stepMs: 2_000 });
      await Promise.all(requests);
      if (reconnect % 2 === 1) server.cutOldest();
    }
    await until(connected, { what: 'the last connection', clock });
    await until(() => server.connections === 1, { what: 'old connections to end', clock });
    expect(server.opened).toBeGreaterThan(200);
    expect(server.mostAtOnce).toBeLessThanOrEqual(2);
    expect(sockets()).toBeLessThanOrEqual(before);
  });

  it('opens a new session after GOAWAY while the streams of the old one finish', async () => {
    const held: Exchange[] = [];
    const { transport, server, clock } = await connect((exchange) => {
      if (exchange.path === '/held') held.push(exchange);
      else exchange.answer(200, exchange.path);
    });
    const first = transport.request({ method: 'GET', path: '/held' });
    await until(() => held.length === 1, { what: 'the request' });
    server.goAway();
    await settle(20);
    const second = transport.request({ method: 'GET', path: '/second' });
    await until(() => server.opened === 2, { what: 'a second connection', clock });
    expect((await second).body).toBe('/second');
    held[0]?.answer(200, 'held');
    expect((await first).body).toBe('held');
    await until(() => server.connections === 1, { what: 'the first connection to end' });
  });

  it('sends a request again that the server refused to look at', async () => {
    let refused = 0;
    const { transport } = await connect((exchange) => {
      if (refused++ < 2) exchange.refuse();
      else exchange.answer(201, exchange.body);
    });
    expect(await transport.request({ method: 'POST', path: '/a', body: 'once' })).toMatchObject({ status: 201, body: 'once' });
    expect(refused).toBe(3);
  });

  it('gives up a request that the server refuses again and again', async () => {
    const { transport } = await connect((exchange) => exchange.refuse());
    await expect(transport.request({ method: 'GET', path: '/a' })).rejects.toMatchObject({ code: 'CONNECTION_STREAM_REFUSED' });
  });

  it('has no more streams open than the server allows, and gives up waiting in time', async () => {
    const held: Exchange[] = [];
    let most = 0;
    let open = 0;
    const { transport, clock } = await connect(
      (exchange) => {
        most = Math.max(most, ++open);
        exchange.onClose(() => open--);
        held.push(exchange);
      },
      { settings: { maxConcurrentStreams: 3 } },
    );
    const requests = Array.from({ length: 10 }, (_, i) => transport.request({ method: 'GET', path: `/${i}` }));
    const late = transport.request({ method: 'GET', path: '/late', timeoutMs: 2_000 }).catch((error: unknown) => error);
    await until(() => held.length === 3, { what: 'three requests' });
    await pass(clock, { ms: 2_000, stepMs: 500 });
    expect(await late).toMatchObject({ code: 'CONNECTION_TIMEOUT' });
    expect(held).toHaveLength(3);
    await until(
      () => {
        for (const exchange of held.splice(0)) exchange.answer(200);
        return open === 0;
      },
      { what: 'all requests' },
    );
    await Promise.all(requests);
    expect(most).toBe(3);
  });

  it('finds a peer that answers no pings, ends what hangs on it and connects again', async () => {
    const { server } = await connect((exchange) => exchange.answer(200, exchange.path));
    const relay = await Relay.to(server.port);
    const clock = new ManualClock();
    const transport = new Http2Transport(configOf(relay.url), { clock, random: () => 0, pingIntervalMs: 15_000 });
    cleanups.push(
      () => relay.close(),
      () => transport.close(),
    );
    await transport.request({ method: 'GET', path: '/a' });
    await pass(clock, { ms: 60_000, stepMs: 1_000 });
    expect(relay.opened).toBe(1);

    relay.freeze();
    const hanging = transport.request({ method: 'GET', path: '/b', timeoutMs: 600_000 }).catch((error: unknown) => error);
    await pass(clock, { ms: 35_000, stepMs: 5_000 });
    expect(await hanging).toMatchObject({
      code: 'CONNECTION_CUT',
      message: expect.stringContaining('has not answered a ping for 15000 ms'),
    });
    expect((await transport.request({ method: 'GET', path: '/c' })).body).toBe('/c');
    expect(relay.opened).toBe(2);
  });

  it('serves requests while a watch is read slowly', async () => {
    const line = `${'x'.repeat(200_000)}\n`;
    const { transport } = await connect((exchange) => {
      if (!exchange.isWatch) return exchange.answer(200, 'ok');
      exchange.open();
      for (let i = 0; i < 50; i++) exchange.text(line);
      exchange.end();
    });
    let lines = 0;
    const watch = transport.watch({ path: '/w?watch=1', signal: new AbortController().signal, silenceMs: 60_000 }, () => void lines++);
    expect((await transport.request({ method: 'GET', path: '/a' })).body).toBe('ok');
    await watch;
    expect(lines).toBe(50);
  });

  it('says so when the server does not speak HTTP/2', async () => {
    const { transport } = await connect((exchange) => exchange.answer(200), { protocol: 'http1' });
    await expect(transport.connect()).rejects.toMatchObject({ code: 'CONNECTION_NOT_HTTP2' });
  });
});
