import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { ManualClock } from '../../src/clock/manual-clock.ts';
import type { Credentials } from '../../src/cluster/credentials.ts';
import { StaticCredentials } from '../../src/cluster/static-credentials.ts';
import { TokenFileCredentials } from '../../src/cluster/token-file-credentials.ts';
import type { Transport } from '../../src/cluster/transport.ts';
import { configOf, transports } from './connection.ts';
import type { Exchange } from './exchange.ts';
import { ScriptedServer } from './scripted-server.ts';
import { pass, settle, until } from './until.ts';

describe.each(transports)('a transport over $protocol', ({ protocol, create }) => {
  const cleanups: (() => Promise<void> | void)[] = [];

  afterEach(async () => {
    for (const clean of cleanups.splice(0).toReversed()) await clean();
  });

  async function connect(handle: (exchange: Exchange) => void | Promise<void>, credentials: Credentials = new StaticCredentials()) {
    const clock = new ManualClock();
    const server = await ScriptedServer.start(handle, { protocol });
    const transport: Transport = create(configOf(server.url, { credentials, headers: { 'impersonate-group': ['a', 'b'] } }), clock);
    cleanups.push(
      () => server.close(),
      () => transport.close(),
    );
    return { clock, server, transport };
  }

  it('carries method, path, headers and body, and gives back status, headers and body', async () => {
    let seen: Exchange | undefined;
    const { transport } = await connect((exchange) => {
      seen = exchange;
      exchange.answer(409, { größe: 'ü'.repeat(100_000) }, { 'x-note': 'n' });
    }, new StaticCredentials('Bearer t'));
    const request = {
      method: 'PATCH',
      path: '/api/v1/nodes/n?dryRun=All',
      body: '{"ü":1}',
      contentType: 'application/merge-patch+json',
    } as const;
    const response = await transport.request(request);
    expect(seen).toMatchObject({ method: 'PATCH', path: '/api/v1/nodes/n', body: '{"ü":1}' });
    expect(seen?.query.get('dryRun')).toBe('All');
    expect(seen?.headers).toMatchObject({
      authorization: 'Bearer t',
      'content-type': 'application/merge-patch+json',
      accept: 'application/json',
      'impersonate-group': 'a, b',
    });
    expect(response.status).toBe(409);
    expect(response.headers['x-note']).toBe('n');
    expect(JSON.parse(response.body)).toEqual({ größe: 'ü'.repeat(100_000) });
  });

  it('sends the body of a DELETE so that the next request is understood', async () => {
    const bodies: string[] = [];
    const { transport } = await connect((exchange) => {
      bodies.push(exchange.body);
      exchange.answer(200, {});
    });
    await transport.request({ method: 'DELETE', path: '/a', body: '{"a":1}' });
    expect((await transport.request({ method: 'GET', path: '/b' })).status).toBe(200);
    expect(bodies).toEqual(['{"a":1}', '']);
  });

  it('rejects when no answer comes in time', async () => {
    const { transport, clock } = await connect(() => undefined);
    const answer = transport.request({ method: 'GET', path: '/slow', timeoutMs: 5_000 }).catch((error: unknown) => error);
    await pass(clock, { ms: 6_000, stepMs: 500 });
    expect(await answer).toMatchObject({
      code: 'CONNECTION_TIMEOUT',
      disposition: 'retry',
      message: 'GET /slow: no answer within 5000 ms',
    });
  });

  it('rejects when its caller stops, before and during', async () => {
    let asked = 0;
    const { transport } = await connect(() => void asked++);
    const stop = new AbortController();
    const answer = transport.request({ method: 'GET', path: '/a', signal: stop.signal }).catch((error: unknown) => error);
    await until(() => asked === 1, { what: 'the request' });
    stop.abort();
    expect(await answer).toMatchObject({ code: 'CONNECTION_ABORTED' });
    await expect(transport.request({ method: 'GET', path: '/b', signal: stop.signal })).rejects.toMatchObject({
      code: 'CONNECTION_ABORTED',
    });
    await settle();
    expect(asked).toBe(1);
  });

  it('rejects when an answer is cut, and serves the next request', async () => {
    const { transport } = await connect((exchange) => {
      if (exchange.path === '/fine') return exchange.answer(200, 'ok');
      exchange.open({ 'content-length': '100' });
      exchange.text('half');
      exchange.cut();
    });
    await expect(transport.request({ method: 'POST', path: '/cut', body: '{}' })).rejects.toMatchObject({ code: 'CONNECTION_CUT' });
    expect((await transport.request({ method: 'GET', path: '/fine' })).body).toBe('ok');
  });

  it('rejects what is under way when the server dies, in the middle of an answer as well', async () => {
    let asked = 0;
    const { transport, server } = await connect((exchange) => {
      asked++;
      if (exchange.path === '/nothing') return;
      exchange.open();
      exchange.text('{"half":');
    });
    const ends = ['/nothing', '/half'].map((path) => transport.request({ method: 'GET', path }).catch((error: unknown) => error));
    const watch = transport.watch({ path: '/w', signal: new AbortController().signal, silenceMs: 1_000 }, () => undefined);
    ends.push(watch.catch((error: unknown) => error));
    await until(() => asked === 3, { what: 'the requests' });
    await settle(20);
    server.cutAll();
    for (const end of await Promise.all(ends)) expect(end).toMatchObject({ code: 'CONNECTION_CUT' });
  });

  it('gives a watch line by line, wherever the bytes are divided', async () => {
    const lines: string[] = [];
    const opened: number[] = [];
    const bytes = Buffer.from('{"a":"ü"}\n\n{"b":"日本"}\n');
    const { transport } = await connect(async (exchange) => {
      exchange.open();
      for (const byte of bytes) {
        exchange.bytes(Buffer.from([byte]));
        await settle(2);
      }
      exchange.end();
    });
    const signal = new AbortController().signal;
    const onOpen = (response: { readonly status: number }) => opened.push(response.status);
    const end = await transport.watch({ path: '/w?watch=1', signal, silenceMs: 1_000, onOpen }, (line) => lines.push(line));
    expect(lines).toEqual(['{"a":"ü"}', '{"b":"日本"}']);
    expect(end.status).toBe(200);
    expect(opened).toEqual([200]);
  });

  it('gives the answer of a watch that was refused', async () => {
    const { transport } = await connect((exchange) => exchange.answer(410, { reason: 'Expired' }));
    const lines: string[] = [];
    const signal = new AbortController().signal;
    const end = await transport.watch({ path: '/w', signal, silenceMs: 1_000 }, (line) => lines.push(line));
    expect(end).toMatchObject({ status: 410, body: '{"reason":"Expired"}' });
    expect(lines).toEqual([]);
  });

  it.each<[string, (exchange: Exchange) => void]>([
    ['is cut', (exchange) => exchange.cut()],
    ['ends inside a line', (exchange) => exchange.end()],
  ])('rejects a watch that %s', async (_, finish) => {
    const { transport } = await connect((exchange) => {
      exchange.open();
      exchange.text('{"a":1}\n{"b"');
      void settle(20).then(() => finish(exchange));
    });
    const lines: string[] = [];
    const signal = new AbortController().signal;
    const end = transport.watch({ path: '/w', signal, silenceMs: 1_000 }, (line) => lines.push(line));
    await expect(end).rejects.toMatchObject({ code: 'CONNECTION_CUT' });
    expect(lines).toEqual(['{"a":1}']);
  });

  it('gives up a watch that is silent, at once when it never said anything', async () => {
    let asked = 0;
    const { transport, clock } = await connect(() => void asked++);
    const signal = new AbortController().signal;
    const end = transport.watch({ path: '/w', signal, silenceMs: 10_000 }, () => undefined).catch((error: unknown) => error);
    await until(() => asked === 1, { what: 'the watch' });
    await pass(clock, { ms: 10_000, stepMs: 1_000 });
    expect(await end).toMatchObject({ code: 'CONNECTION_SILENT', data: { silenceMs: 10_000 } });
  });

  it('ends a watch with what its reader throws', async () => {
    const { transport } = await connect((exchange) => {
      exchange.open();
      exchange.text('one\ntwo\n');
    });
    const lines: string[] = [];
    const signal = new AbortController().signal;
    const end = transport.watch({ path: '/w', signal, silenceMs: 1_000 }, (line) => {
      lines.push(line);
      throw new Error('unreadable');
    });
    await expect(end).rejects.toThrow('unreadable');
    expect(lines).toEqual(['one']);
  });

  it('ends a watch when its caller stops, and tells the server', async () => {
    let closed = false;
    let asked = 0;
    const { transport } = await connect((exchange) => {
      asked++;
      exchange.open();
      exchange.onClose(() => {
        closed = true;
      });
    });
    const stop = new AbortController();
    const end = transport.watch({ path: '/w', signal: stop.signal, silenceMs: 1_000 }, () => undefined).catch((error: unknown) => error);
    await until(() => asked === 1, { what: 'the watch' });
    stop.abort();
    expect(await end).toMatchObject({ code: 'CONNECTION_ABORTED' });
    await until(() => closed, { what: 'the server to hear of it' });
  });

  it('rejects what is under way, and everything after, when it is closed', async () => {
    let asked = 0;
    const { transport } = await connect(() => void asked++);
    const answer = transport.request({ method: 'GET', path: '/a' }).catch((error: unknown) => error);
    await until(() => asked === 1, { what: 'the request' });
    await transport.close();
    expect(await answer).toMatchObject({ disposition: 'retry' });
    await expect(transport.request({ method: 'GET', path: '/b' })).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' });
  });

  it('says where it could not connect, and tries no more than once a second', async () => {
    const { transport, server, clock } = await connect((exchange) => exchange.answer(200));
    const attempts: number[] = [];
    server.onConnection = () => attempts.push(clock.monotonicMs());
    server.down = true;
    const failures: unknown[] = [];
    let asking = false;
    const ask = async () => {
      asking = true;
      await transport.request({ method: 'GET', path: '/a' }).catch((error: unknown) => failures.push(error));
      asking = false;
    };
    await until(
      () => {
        if (!asking) void ask();
        return attempts.length >= 6;
      },
      { what: 'six attempts', clock, stepMs: 50 },
    );
    for (let i = 1; i < attempts.length; i++) expect((attempts[i] ?? 0) - (attempts[i - 1] ?? 0)).toBeGreaterThanOrEqual(1_000);
    for (const failure of failures) expect(failure).toMatchObject({ disposition: 'retry' });
    server.down = false;
    const answer = transport.request({ method: 'GET', path: '/a' });
    await pass(clock, { ms: 6_000, stepMs: 500 });
    expect((await answer).status).toBe(200);
  });

  it('B43 reads the token again at once after a 401, once, for requests and watches', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'phasekeeper-'));
    cleanups.push(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'token');
    writeFileSync(file, 'old\n');
    let accepted = 'Bearer old';
    const offered: unknown[] = [];
    const clock = new ManualClock();
    const handle = (exchange: Exchange) => {
      offered.push(exchange.headers['authorization']);
      exchange.answer(exchange.headers['authorization'] === accepted ? 200 : 401, '{}\n');
    };
    const { transport } = await connect(handle, new TokenFileCredentials(file, clock));
    const get = () => transport.request({ method: 'GET', path: '/a' });
    expect((await get()).status).toBe(200);

    writeFileSync(file, 'new\n');
    accepted = 'Bearer new';
    expect((await get()).status).toBe(200);
    expect(offered).toEqual(['Bearer old', 'Bearer old', 'Bearer new']);

    offered.length = 0;
    writeFileSync(file, 'newer\n');
    accepted = 'Bearer newer';
    const watch = { path: '/w', signal: new AbortController().signal, silenceMs: 1_000 };
    expect((await transport.watch(watch, () => undefined)).status).toBe(200);
    expect(offered).toEqual(['Bearer new', 'Bearer newer']);

    offered.length = 0;
    accepted = 'Bearer none';
    expect((await get()).status).toBe(401);
    expect(offered).toEqual(['Bearer newer']);
  });
});
