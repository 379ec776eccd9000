import type { IncomingHttpHeaders } from 'node:http';
import { type ClientHttp2Session, type ClientHttp2Stream, connect } from 'node:http2';

export interface PlainAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface PlainCall {
  readonly method?: string;
  readonly path: string;
  readonly body?: unknown;
  readonly contentType?: string;
}

/** A watch as it comes off the wire. */
export interface PlainWatch {
  /** Everything so far. */
  readonly text: string;
  /** Whole lines so far, parsed. */
  readonly events: readonly {
    readonly type: string;
    readonly object: { readonly metadata: { readonly name?: string }; readonly code?: number };
  }[];
  /** Resolves when it is over: `clean` where the server ended it, else the error's code. */
  readonly over: Promise<string>;
  close(): void;
}

/** The simplest client of an API server there is, on one connection: what the proxy does is seen here as it is, with nothing retried. */
export class PlainClient {
  readonly session: ClientHttp2Session;
  readonly #token: string;
  /** Resolves with the error's code, or `clean`, when the connection is over. */
  readonly over: Promise<string>;

  constructor(server: { readonly origin: string; readonly caPem: string }, token: string) {
    this.#token = token;
    this.session = connect(server.origin, { ca: server.caPem });
    let reason = 'clean';
    this.session.on('error', (error: NodeJS.ErrnoException) => {
      reason = error.code ?? error.message;
    });
    this.over = new Promise((resolve) => this.session.on('close', () => resolve(reason)));
  }

  /** Rejects with an error whose code says how the exchange was broken off. */
  call(call: PlainCall): Promise<PlainAnswer> {
    const stream = this.#request(call);
    return new Promise((resolve, reject) => {
      let text = '';
      let head: { readonly status: number; readonly headers: IncomingHttpHeaders } | undefined;
      stream.on('response', ({ ':status': status = 0, ...headers }) => {
        head = { status, headers };
      });
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      stream.on('error', reject);
      stream.on('end', () => head && resolve({ ...head, text }));
      stream.on('close', () => reject(new Error('broken off')));
    });
  }

  watch(path: string): PlainWatch {
    const stream = this.#request({ path });
    let text = '';
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    let hasEnded = false;
    const over = new Promise<string>((resolve) => {
      stream.on('end', () => {
        hasEnded = true;
      });
      stream.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
      stream.on('close', () => resolve(hasEnded ? 'clean' : 'broken off'));
    });
    return {
      get text() {
        return text;
      },
      get events() {
        const lines = text.split('\n').slice(0, -1);
        return lines.map((line) => JSON.parse(line));
      },
      over,
      close: () => stream.close(),
    };
  }

  /** Resolves with whether the other end answered an HTTP/2 ping before the connection was over. */
  ping(): Promise<boolean> {
    return new Promise((resolve) => {
      void this.over.then(() => resolve(false));
      if (!this.session.ping((error) => resolve(error === null))) resolve(false);
    });
  }

  close(): void {
    this.session.destroy();
  }

  #request(call: PlainCall): ClientHttp2Stream {
    const stream = this.session.request({
      ':method': call.method ?? 'GET',
      ':path': call.path,
      authorization: `Bearer ${this.#token}`,
      accept: 'application/json',
      ...(call.body === undefined ? {} : { 'content-type': call.contentType ?? 'application/json' }),
    });
    stream.end(call.body === undefined ? undefined : JSON.stringify(call.body));
    return stream;
  }
}
