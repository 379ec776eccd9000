import net from 'node:net';
import tls from 'node:tls';
import type { Clock } from '../clock/clock.ts';
import { messageOf } from '../failure/message-of.ts';
import type { ClusterConfig, TlsMaterial } from './cluster-config.ts';
import { ConnectionError, type ConnectionFault } from './connection-error.ts';

export interface OpenSocketOptions {
  readonly clock: Clock;
  /** Offered to a TLS server, best first: `h2`, `http/1.1`. */
  readonly protocols: readonly string[];
  /** From the first packet to the end of the TLS handshake. */
  readonly timeoutMs: number;
}

/** A silent peer is found by HTTP/2 pings where there are any; this is for the rest. */
const keepAliveDelayMs = 30_000;

/** Opens one connection to the server, TLS where its URL says so. Rejects with a `ConnectionError` that says what to look at. */
export async function openSocket(config: ClusterConfig, options: OpenSocketOptions): Promise<net.Socket> {
  const url = new URL(config.server);
  const secure = url.protocol === 'https:';
  const address = {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (secure ? 443 : 80) : Number(url.port),
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: keepAliveDelayMs,
  };
  const material = secure ? ((await config.tls?.()) ?? {}) : undefined;
  return new Promise<net.Socket>((resolve, reject) => {
    const socket =
      material === undefined ? net.connect(address) : tls.connect({ ...address, ...tlsOptions(address.host, material, options) });
    const fail = (error: unknown) => {
      timer.cancel();
      socket.destroy();
      reject(connectError(config, error));
    };
    const timer = options.clock.schedule(options.timeoutMs, () => fail(new ConnectTimeout(options.timeoutMs)));
    socket.once('error', fail);
    socket.once(secure ? 'secureConnect' : 'connect', () => {
      timer.cancel();
      socket.off('error', fail);
      resolve(socket);
    });
  });
}

function tlsOptions(host: string, material: TlsMaterial, options: OpenSocketOptions): tls.ConnectionOptions {
  // RFC 6066 forbids an address as the server's name.
  const servername = material.serverName ?? (net.isIP(host) === 0 ? host : undefined);
  return {
    ...(material.ca === undefined ? {} : { ca: material.ca }),
    ...(material.cert === undefined ? {} : { cert: material.cert }),
    ...(material.key === undefined ? {} : { key: material.key }),
    ...(servername === undefined ? {} : { servername }),
    rejectUnauthorized: material.insecure !== true,
    ALPNProtocols: [...options.protocols],
  };
}

/** Carries the timeout through the same path as the socket's own errors. */
class ConnectTimeout extends Error {
  readonly code = 'ETIMEDOUT';

  constructor(timeoutMs: number) {
    super(`no connection within ${timeoutMs} ms`);
  }
}

function connectError(config: ClusterConfig, error: unknown): ConnectionError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const { fault, hint } = judge(code, error);
  return new ConnectionError(`cannot connect to ${config.server} (${config.source}): ${messageOf(error) || code}`, {
    code: fault,
    data: { server: config.server, source: config.source, cause: code },
    hint,
    cause: error,
  });
}

function judge(code: string, error: unknown): { readonly fault: ConnectionFault; readonly hint: string } {
  if (code === 'ECONNREFUSED') return { fault: 'CONNECTION_REFUSED', hint: 'is the API server running, and is this its address?' };
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return { fault: 'CONNECTION_FAILED', hint: 'the host name does not resolve; check `server:`' };
  if (code === 'ETIMEDOUT') return { fault: 'CONNECTION_TIMEOUT', hint: 'check the network, the firewall and `server:`' };
  if (code === 'CERT_HAS_EXPIRED')
    return { fault: 'CONNECTION_TLS', hint: "the server's certificate has expired; renew it, or check this machine's clock" };
  if (code === 'CERT_NOT_YET_VALID')
    return { fault: 'CONNECTION_TLS', hint: "the server's certificate is not valid yet; check this machine's clock" };
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return { fault: 'CONNECTION_TLS', hint: 'the certificate is for another name; set `tls-server-name`' };
  if (/SELF_SIGNED|UNABLE_TO_|UNTRUSTED|^CERT_/.test(code)) {
    return { fault: 'CONNECTION_TLS', hint: 'the certificate is not signed by the configured authority; check `certificate-authority`' };
  }
  if (/^ERR_(SSL|TLS|OSSL)/.test(code) || /\b(ssl|tls)\b/i.test(messageOf(error))) {
    return { fault: 'CONNECTION_TLS', hint: 'check that `server:` speaks TLS and that the client certificate fits its key' };
  }
  return { fault: 'CONNECTION_FAILED', hint: 'check that the API server can be reached from here' };
}
