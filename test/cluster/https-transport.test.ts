import { afterEach, describe, expect, it } from 'vitest';
import { ManualClock } from '../../src/clock/manual-clock.ts';
import { HttpsTransport } from '../../src/cluster/https-transport.ts';
import { configOf } from './connection.ts';
import type { Exchange } from './exchange.ts';
import { ScriptedServer } from './scripted-server.ts';
import { until } from './until.ts';

const cleanups: (() => Promise<void> | void)[] = [];

afterEach(async () => {
  for (const clean of cleanups.splice(0).toReversed()) await clean();
});

async function connect(handle: (exchange: Exchange) => void) {
  const clock = new ManualClock();
  const server = await ScriptedServer.start(handle, { protocol: 'http1' });
  const transport = new HttpsTransport(configOf(server.url), { clock, random: () => 0 });
  cleanups.push(
    () => server.close(),
    () => transport.close(),
  );
  return { server, transport, clock };
}

describe('the HTTP/1.1 transport', () => {
  it('keeps four connections for requests, and one for each watch', async () => {
    const { server, transport } = await connect((exchange) => {
      if (exchange.isWatch) exchange.open();
      else exchange.answer(200, exchange.path);
    });
    const stop = new AbortController();
    const watch = (name: string) => transport.watch({ path: `/${name}?watch=1`, signal: stop.signal, silenceMs: 1_000 }, () => undefined);
    const watches = ['a', 'b'].map((name) => watch(name).catch(() => undefined));
    for (let round = 0; round < 3; round++) {
      const answers = await Promise.all(Array.from({ length: 40 }, (_, i) => transport.request({ method: 'GET', path: `/${i}` })));
      expect(answers.map((answer) => answer.body)).toEqual(Array.from({ length: 40 }, (_, i) => `/${i}`));
    }
    expect(server.mostAtOnce).toBe(6);
    expect(server.opened).toBe(6);
    stop.abort();
    await Promise.all(watches);
    await until(() => server.connections === 4, { what: 'the connections of the watches to end' });
  });

  it('repeats a read, and no write, whose kept connection the server closed meanwhile', async () => {
    let asked = 0;
    const { transport } = await connect((exchange) => {
      asked++;
      if (asked % 2 === 0) exchange.cut();
      else exchange.answer(200);
    });
    await transport.request({ method: 'GET', path: '/a' });
    expect((await transport.request({ method: 'GET', path: '/b' })).status).toBe(200);
    expect(asked).toBe(3);
    await expect(transport.request({ method: 'POST', path: '/c', body: '{}' })).rejects.toMatchObject({ code: 'CONNECTION_CUT' });
    expect(asked).toBe(4);
  });
});
