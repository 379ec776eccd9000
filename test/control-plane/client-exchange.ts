import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { constants, type Http2ServerRequest, type Http2ServerResponse, type Http2Session } from 'node:http2';
import type { Socket } from 'node:net';

import type { CutScope } from './fault.ts';

/** One request of a client and the answer to it, the same over HTTP/2 and HTTP/1.1. */
export class ClientExchange {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** Resolves when nothing more can be sent: the answer is complete, or the client has gone. */
  readonly closed: Promise<void>;
  /** Stands for the client's connection: one value for all requests on it. */
  readonly connection: Http2Session | Socket;
  readonly #request: Http2ServerRequest | IncomingMessage;
  readonly #response: Http2ServerResponse | ServerResponse;
  readonly #resetConnection: (remotePort: number | undefined) => void;
  readonly #remotePort: number | undefined;
  #isClosed = false;

  constructor(
    request: Http2ServerRequest | IncomingMessage,
    response: Http2ServerResponse | ServerResponse,
    resetConnection: (remotePort: number | undefined) => void,
  ) {
    this.#request = request;
    this.#response = response;
    this.#resetConnection = resetConnection;
    this.method = request.method ?? 'GET';
    this.url = request.url ?? '/';
    this.headers = request.headers;
    this.connection = ('stream' in request ? request.stream.session : undefined) ?? request.socket;
    this.#remotePort = request.socket.remotePort;
    this.closed = new Promise((resolve) => {
      response.on('close', () => {
        this.#isClosed = true;
        resolve();
      });
    });
    const ignore = (): void => {
      // A client that has gone, or that we cut off, is seen by `closed`.
    };
    request.on('error', ignore);
    response.on('error', ignore);
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** The whole body; undefined when the client went before it was sent. */
  readBody(): Promise<string | undefined> {
    return new Promise((resolve) => {
      const chunks: Buffer[] = [];
      this.#request.on('data', (chunk: Buffer) => chunks.push(chunk));
      this.#request.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
      this.#request.on('close', () => resolve(undefined));
    });
  }

  begin(status: number, headers: OutgoingHttpHeaders): void {
    if (this.#isClosed) return;
    for (const [name, value] of Object.entries(headers)) if (value !== undefined) this.#response.setHeader(name, value);
    // The type of `writeHead` differs between the protocols; what is passed here is in both.
    (this.#response as ServerResponse).writeHead(status);
    // HTTP/1.1 waits for the first byte of the body otherwise, and a watch may stay without a line for long.
    if ('flushHeaders' in this.#response) this.#response.flushHeaders();
  }

  /** Resolves when the bytes are handed to the socket. */
  async write(bytes: Uint8Array | string): Promise<void> {
    if (this.#isClosed) return;
    const written = new Promise<void>((resolve) => {
      // The type of `write` differs between the protocols; what is passed here is in both.
      (this.#response as ServerResponse).write(bytes, () => resolve());
    });
    await Promise.race([written, this.closed]);
  }

  end(): void {
    if (!this.#isClosed) this.#response.end();
  }

  cut(scope: CutScope): void {
    if (scope === 'end') this.end();
    else if (scope === 'stream' && 'stream' in this.#request) this.#request.stream.close(constants.NGHTTP2_INTERNAL_ERROR);
    else this.#resetConnection(this.#remotePort);
  }

  /** Resolves when the client has read all that was sent so far (HTTP/2), or at once (HTTP/1.1, where nothing tells). */
  async untilRead(): Promise<void> {
    const { connection } = this;
    if (!('ping' in connection) || connection.destroyed) return;
    await new Promise<void>((resolve) => {
      const over = (): void => {
        connection.off('close', over);
        resolve();
      };
      connection.once('close', over);
      connection.ping(over);
    });
  }
}
