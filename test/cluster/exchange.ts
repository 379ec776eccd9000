import type { IncomingMessage, ServerResponse } from 'node:http';
import { constants, type Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import { TLSSocket } from 'node:tls';

/** One request as a scripted server sees it, and what the script does with it. */
export class Exchange {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
  readonly #response: ServerResponse | Http2ServerResponse;

  constructor(request: IncomingMessage | Http2ServerRequest, response: ServerResponse | Http2ServerResponse, body: string) {
    const url = new URL(request.url ?? '/', 'http://server');
    this.method = request.method ?? 'GET';
    this.path = url.pathname;
    this.query = url.searchParams;
    this.headers = request.headers;
    this.body = body;
    this.#response = response;
  }

  /** Name in the client's certificate, over TLS. */
  get peerName(): unknown {
    const socket = this.#response instanceof Http2ServerResponse ? this.#response.stream.session?.socket : this.#response.socket;
    return socket instanceof TLSSocket ? socket.getPeerCertificate().subject.CN : undefined;
  }

  get isWatch(): boolean {
    return this.query.get('watch') === '1';
  }

  /** The whole answer. An object is sent as JSON. */
  answer(status: number, body: unknown = '', headers: Readonly<Record<string, string>> = {}): void {
    this.#head(status, headers);
    const response = this.#response as ServerResponse;
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  }

  /** Starts a stream without a byte of content. */
  open(headers: Readonly<Record<string, string>> = {}): void {
    this.#head(200, headers);
    // HTTP/2 sends them with the head.
    if (!(this.#response instanceof Http2ServerResponse)) this.#response.flushHeaders();
  }

  /** One line of a watch. */
  line(event: unknown): void {
    this.text(`${JSON.stringify(event)}\n`);
  }

  text(text: string): void {
    const response = this.#response as ServerResponse;
    response.write(text);
  }

  bytes(bytes: Buffer): void {
    const response = this.#response as ServerResponse;
    response.write(bytes);
  }

  end(): void {
    (this.#response as ServerResponse).end();
  }

  /** Ends it without an end: a reset stream or a destroyed socket. */
  cut(): void {
    if (this.#response instanceof Http2ServerResponse) this.#response.stream.close(2);
    else this.#response.destroy();
  }

  /** HTTP/2 only: says that the request was not looked at. */
  refuse(): void {
    if (this.#response instanceof Http2ServerResponse) this.#response.stream.close(constants.NGHTTP2_REFUSED_STREAM);
  }

  onClose(run: () => void): void {
    (this.#response as ServerResponse).once('close', run);
  }

  #head(status: number, headers: Readonly<Record<string, string>>): void {
    (this.#response as ServerResponse).writeHead(status, { 'content-type': 'application/json', ...headers });
  }
}
