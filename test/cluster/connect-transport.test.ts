import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { SystemClock } from '../../src/clock/system-clock.ts';
import type { TlsMaterial } from '../../src/cluster/cluster-config.ts';
import { connectTransport } from '../../src/cluster/connect-transport.ts';
import { Http2Transport } from '../../src/cluster/http2-transport.ts';
import { HttpsTransport } from '../../src/cluster/https-transport.ts';
import { CertificateAuthority } from '../control-plane/certificate-authority.ts';
import { configOf } from './connection.ts';
import { ScriptedServer, type ScriptedServerOptions } from './scripted-server.ts';

const options = { clock: new SystemClock(), random: () => 0 };
const dayMs = 86_400_000;
let authority: CertificateAuthority;
let other: CertificateAuthority;
const cleanups: (() => Promise<void>)[] = [];

beforeAll(() => {
  authority = new CertificateAuthority();
  other = new CertificateAuthority();
});

afterEach(async () => {
  for (const clean of cleanups.splice(0).toReversed()) await clean();
});

async function serve(protocol: NonNullable<ScriptedServerOptions['protocol']>, expired = false): Promise<ScriptedServer> {
  const secure = protocol === 'h2' || protocol === 'https1';
  const notAfter = new Date(expired ? Date.now() - dayMs : Date.now() + dayMs);
  const issued = authority.issue({ commonName: 'server', notBefore: new Date(Date.now() - 2 * dayMs), notAfter });
  const tls = { cert: issued.certificatePem, key: issued.keyPem };
  const server = await ScriptedServer.start((exchange) => exchange.answer(200, 'ok'), { protocol, ...(secure ? { tls } : {}) });
  cleanups.push(() => server.close());
  return server;
}

async function connect(server: ScriptedServer, material?: TlsMaterial) {
  const transport = await connectTransport(configOf(server.url, { tls: () => material ?? { ca: authority.certificatePem } }), options);
  cleanups.push(() => transport.close());
  return transport;
}

describe('connecting', () => {
  it.each([
    ['h2', Http2Transport],
    ['https1', HttpsTransport],
    ['h2c', Http2Transport],
    ['http1', HttpsTransport],
  ] as const)('speaks to a server of %s what it speaks', async (protocol, type) => {
    const transport = await connect(await serve(protocol));
    expect(transport).toBeInstanceOf(type);
    expect((await transport.request({ method: 'GET', path: '/' })).body).toBe('ok');
  });

  it('accepts any certificate where it is told to', async () => {
    const server = await serve('h2');
    const transport = await connect(server, { ca: other.certificatePem, insecure: true });
    expect((await transport.request({ method: 'GET', path: '/' })).body).toBe('ok');
  });

  it.each<[string, () => TlsMaterial, boolean, string]>([
    ['of another authority', () => ({ ca: other.certificatePem }), false, 'certificate-authority'],
    ['that has expired', () => ({ ca: authority.certificatePem }), true, 'has expired'],
    ['for another name', () => ({ ca: authority.certificatePem, serverName: 'elsewhere' }), false, 'tls-server-name'],
  ])('refuses a server with a certificate %s, and says what to look at', async (_, material, expired, hint) => {
    const server = await serve('h2', expired);
    await expect(connect(server, material())).rejects.toMatchObject({
      code: 'CONNECTION_TLS',
      message: expect.stringContaining(`cannot connect to ${server.url} (test): `),
      hint: expect.stringContaining(hint),
    });
  });

  it('says what to look at when nobody listens', async () => {
    const server = await serve('h2');
    const config = configOf(server.url);
    await server.close();
    cleanups.length = 0;
    await expect(connectTransport(config, options)).rejects.toMatchObject({
      code: 'CONNECTION_REFUSED',
      disposition: 'retry',
      message: expect.stringContaining('ECONNREFUSED'),
      hint: 'is the API server running, and is this its address?',
    });
  });

  it('says so when it is not TLS that answers', async () => {
    const server = await serve('http1');
    const config = configOf(server.url.replace('http:', 'https:'));
    await expect(connectTransport(config, options)).rejects.toMatchObject({ code: 'CONNECTION_TLS' });
  });

  it('does not take a server that dies for one of another protocol', async () => {
    const server = await serve('h2c');
    server.down = true;
    await expect(connect(server)).rejects.toMatchObject({ code: 'CONNECTION_CUT', disposition: 'retry' });
  });

  it('shows the client certificate', async () => {
    const client = authority.issue({ commonName: 'jane' });
    const issued = authority.issue({ commonName: 'server' });
    const tls = { cert: issued.certificatePem, key: issued.keyPem, ca: authority.certificatePem, requestCert: true };
    let name: unknown;
    const server = await ScriptedServer.start(
      (exchange) => {
        name = exchange.peerName;
        exchange.answer(200);
      },
      { protocol: 'h2', tls },
    );
    cleanups.push(() => server.close());
    const transport = await connect(server, { ca: authority.certificatePem, cert: client.certificatePem, key: client.keyPem });
    await transport.request({ method: 'GET', path: '/' });
    expect(name).toBe('jane');
  });
});
