import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import http2, { type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import https from 'node:https';
import net, { type AddressInfo } from 'node:net';
import { Exchange } from './exchange.ts';

export interface ScriptedServerOptions {
  /** Default `h2c`: HTTP/2 in clear text. */
  readonly protocol?: 'h2c' | 'http1' | 'h2' | 'https1';
  readonly tls?: { readonly cert: string; readonly key: string; readonly ca?: string; readonly requestCert?: boolean };
  readonly settings?: http2.Settings;
}

type Listener = (request: IncomingMessage | Http2ServerRequest, response: ServerResponse | Http2ServerResponse) => void;

/** A real server on loopback whose answers a test writes. It counts connections, and can refuse them without losing its port. */
export class ScriptedServer {
  /** What each request gets; a test may replace it at any time. */
  handle: (exchange: Exchange) => void | Promise<void>;
  /** Accept connections, or destroy each at once. */
  down = false;
  /** Each connection that was accepted or refused. */
  onConnection: () => void = () => undefined;
  readonly sessions = new Set<http2.ServerHttp2Session>();
  readonly #options: ScriptedServerOptions;
  readonly #sockets = new Set<net.Socket>();
  readonly #server: net.Server;
  readonly #protocolServer: http.Server | https.Server | http2.Http2Server | http2.Http2SecureServer;
  opened = 0;
  mostAtOnce = 0;

  private constructor(handle: (exchange: Exchange) => void | Promise<void>, options: ScriptedServerOptions) {
    this.handle = handle;
    this.#options = options;
    this.#protocolServer = this.#create();
    this.#server = net.createServer((socket) => {
      this.onConnection();
      socket.on('error', () => undefined);
      if (this.down) {
        socket.destroy();
        return;
      }
      this.opened++;
      this.#sockets.add(socket);
      this.mostAtOnce = Math.max(this.mostAtOnce, this.#sockets.size);
      socket.once('close', () => this.#sockets.delete(socket));
      this.#protocolServer.emit('connection', socket);
    });
  }

  static async start(handle: (exchange: Exchange) => void | Promise<void>, options: ScriptedServerOptions = {}): Promise<ScriptedServer> {
    const server = new ScriptedServer(handle, options);
    await new Promise<void>((resolve) => void server.#server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `${this.#options.tls === undefined ? 'http' : 'https'}://127.0.0.1:${this.port}`;
  }

  /** Connections that are open now. */
  get connections(): number {
    return this.#sockets.size;
  }

  /** Destroys every connection, as a server that dies. */
  cutAll(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Destroys every connection but the newest. */
  cutOldest(): void {
    for (const socket of [...this.#sockets].slice(0, -1)) socket.destroy();
  }

  /** Tells every client to open no more streams on its session. */
  goAway(): void {
    for (const session of this.sessions) session.goaway(0);
  }

  async close(): Promise<void> {
    this.cutAll();
    await new Promise<void>((resolve) => void this.#server.close(() => resolve()));
  }

  #create(): http.Server | https.Server | http2.Http2Server | http2.Http2SecureServer {
    const { protocol = 'h2c', tls = { cert: '', key: '' }, settings = {} } = this.#options;
    const listener: Listener = (request, response) => this.#accept(request, response);
    if (protocol === 'http1') return http.createServer(listener);
    if (protocol === 'https1') return https.createServer(tls, listener);
    const server =
      protocol === 'h2' ? http2.createSecureServer({ ...tls, settings }, listener) : http2.createServer({ settings }, listener);
    server.on('session', (session) => {
      this.sessions.add(session);
      session.on('error', () => undefined);
      session.once('close', () => this.sessions.delete(session));
    });
    return server;
  }

  #accept(request: IncomingMessage | Http2ServerRequest, response: ServerResponse | Http2ServerResponse): void {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('error', () => undefined);
    response.on('error', () => undefined);
    request.on('end', () => void this.handle(new Exchange(request, response, Buffer.concat(chunks).toString('utf8'))));
  }
}
