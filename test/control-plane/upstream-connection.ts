import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants } from 'node:http2';

export interface UpstreamCall {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly bodyText: string;
}

export interface UpstreamAnswer {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly stream: ClientHttp2Stream;
}

/** Headers that speak of one connection and not of the request. */
const hopHeaders: ReadonlySet<string> = new Set([
  'connection',
  'host',
  'http2-settings',
  'keep-alive',
  'proxy-connection',
  'te',
  'transfer-encoding',
  'upgrade',
]);
const windowBytes = 1 << 24;

function endToEnd(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith(':') && !hopHeaders.has(name)));
}

/** The proxy's connection to the API server on behalf of one connection of a client: what happens to the one happens to the other. */
export class UpstreamConnection {
  readonly #session: ClientHttp2Session;
  /** Resolves when the API server, or the network, has ended the connection. */
  readonly closed: Promise<void>;

  /** `onGoAway` is called when the API server asks its clients to go elsewhere. */
  constructor(server: { readonly origin: string; readonly caPem: string }, onGoAway: () => void) {
    this.#session = connect(server.origin, { ca: server.caPem, settings: { initialWindowSize: windowBytes } });
    this.#session.on('connect', () => this.#session.setLocalWindowSize(windowBytes));
    this.#session.on('goaway', onGoAway);
    this.#session.on('error', () => {
      // Seen by `closed`, and by the requests that were under way.
    });
    this.closed = new Promise((resolve) => this.#session.on('close', () => resolve()));
  }

  /** Resolves with the head of the answer; rejects where there is none. */
  call(call: UpstreamCall): Promise<UpstreamAnswer> {
    return new Promise((resolve, reject) => {
      const head = { ...endToEnd(call.headers), ':method': call.method, ':path': call.url };
      const stream = this.#session.request(head, { endStream: call.bodyText === '' });
      stream.on('response', ({ ':status': status = 0, ...headers }) => resolve({ status, headers: endToEnd(headers), stream }));
      stream.on('error', reject);
      stream.on('close', () => reject(new Error('the connection to the API server ended before an answer')));
      if (call.bodyText !== '') stream.end(call.bodyText);
    });
  }

  destroy(): void {
    this.#session.destroy(undefined, constants.NGHTTP2_CANCEL);
  }
}

/** Everything an answer still brings; undefined when it broke off. */
export function wholeBody(stream: ClientHttp2Stream): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => resolve(Buffer.concat(chunks)));
    stream.on('error', () => resolve(undefined));
    stream.on('close', () => resolve(undefined));
  });
}
