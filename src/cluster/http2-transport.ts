import http2 from 'node:http2';
import type net from 'node:net';
import tls from 'node:tls';
import type { Clock } from '../clock/clock.ts';
import { messageOf } from '../failure/message-of.ts';
import { authorized } from './authorized.ts';
import type { ClusterConfig } from './cluster-config.ts';
import { ConnectGate } from './connect-gate.ts';
import { ConnectionError } from './connection-error.ts';
import { Deadline } from './deadline.ts';
import { Http2Connection, http2Settings } from './http2-connection.ts';
import { followLines, readAnswer } from './http2-exchange.ts';
import { openSocket } from './open-socket.ts';
import type { ApiRequest, ApiResponse, Transport, WatchRequest } from './transport.ts';

export interface Http2TransportOptions {
  readonly clock: Clock;
  /** 0 (included) to 1 (excluded). */
  readonly random: () => number;
  /** Default 10,000. */
  readonly connectTimeoutMs?: number;
  /** Distance of the PINGs that find a dead peer; it is dead when one is not answered before the next. Default 15,000. */
  readonly pingIntervalMs?: number;
  /** Default `phasekeeper`. */
  readonly userAgent?: string;
}

/** At most one session is opened a second. */
const sessionSpacingMs = 1_000;

/** Megabytes that a session may hold before Node ends streams; a list of many large objects must fit. */
const maxSessionMemory = 128;

/** How often a request that the server says it never looked at is sent again. */
const refusedStreamAttempts = 3;

/**
 * All requests and watches over one HTTP/2 session, opened when first needed. `https://` negotiates HTTP/2; `http://` speaks it
 * without asking.
 *
 * A session that ends (GOAWAY, a cut, an unanswered PING) is replaced by the next request; after GOAWAY its open streams finish.
 */
export class Http2Transport implements Transport {
  readonly #config: ClusterConfig;
  readonly #options: Http2TransportOptions;
  readonly #gate: ConnectGate;
  readonly #basePath: string;
  readonly #fixedHeaders: readonly string[];
  readonly #connections = new Set<Http2Connection>();
  #current: Http2Connection | undefined;
  #opening: Promise<Http2Connection> | undefined;
  #closed = false;

  constructor(config: ClusterConfig, options: Http2TransportOptions) {
    const url = new URL(config.server);
    this.#config = config;
    this.#options = options;
    this.#gate = new ConnectGate({ clock: options.clock, random: options.random, spacingMs: sessionSpacingMs });
    this.#basePath = url.pathname.replace(/\/$/, '');
    const extra = Object.entries(config.headers ?? {}).flatMap(([name, value]) =>
      [value].flat().flatMap((one) => [name.toLowerCase(), one]),
    );
    const agent = options.userAgent ?? 'phasekeeper';
    this.#fixedHeaders = [':scheme', url.protocol.slice(0, -1), ':authority', url.host, 'user-agent', agent, ...extra];
  }

  /** Opens the session now. Code `CONNECTION_NOT_HTTP2` where the server does not speak it. */
  async connect(): Promise<void> {
    if (!this.#current?.usable) await this.#open();
  }

  async request(request: ApiRequest): Promise<ApiResponse> {
    const { clock } = this.#options;
    const { method, path, signal, timeoutMs = 30_000 } = request;
    const deadline = new Deadline({ clock, method, path, timeoutMs, signal });
    try {
      return await authorized(this.#config.credentials, (authorization) =>
        this.#onConnection(deadline, (connection) => {
          const stream = connection.open(this.#headers(request, authorization), request.body === undefined);
          if (request.body !== undefined) stream.end(request.body);
          return readAnswer(stream, deadline);
        }),
      );
    } finally {
      deadline.done();
    }
  }

  async watch(request: WatchRequest, onLine: (line: string) => void): Promise<ApiResponse> {
    const { clock } = this.#options;
    const deadline = new Deadline({ clock, method: 'GET', path: request.path, signal: request.signal });
    try {
      return await authorized(this.#config.credentials, (authorization) =>
        this.#onConnection(deadline, (connection) => {
          const stream = connection.open(this.#headers({ method: 'GET', path: request.path }, authorization), true);
          return followLines(stream, { clock, deadline, watch: request, onLine });
        }),
      );
    } finally {
      deadline.done();
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#gate.close(this.#closedError());
    await Promise.all([...this.#connections].map((connection) => connection.destroy(this.#closedError())));
  }

  async #onConnection(deadline: Deadline, send: (connection: Http2Connection) => Promise<ApiResponse>): Promise<ApiResponse> {
    for (let attempt = 1; ; attempt++) {
      const connection = await this.#withRoom(deadline);
      try {
        return await send(connection);
      } catch (error) {
        const untouched = error instanceof ConnectionError && error.code === 'CONNECTION_STREAM_REFUSED';
        if (!untouched || attempt === refusedStreamAttempts) throw error;
      }
    }
  }

  async #withRoom(deadline: Deadline): Promise<Http2Connection> {
    for (;;) {
      deadline.check();
      const current = this.#current;
      if (current === undefined || !current.usable) await deadline.race(this.#open());
      else if (current.hasRoom) return current;
      else await current.waitForRoom(deadline);
    }
  }

  #headers(request: Pick<ApiRequest, 'method' | 'path' | 'body' | 'contentType' | 'accept'>, authorization: string | undefined): string[] {
    const headers = [':method', request.method, ':path', this.#basePath + request.path, ...this.#fixedHeaders];
    headers.push('accept', request.accept ?? 'application/json');
    if (authorization !== undefined) headers.push('authorization', authorization);
    if (request.body !== undefined) headers.push('content-type', request.contentType ?? 'application/json');
    return headers;
  }

  #open(): Promise<Http2Connection> {
    if (this.#closed) return Promise.reject(this.#closedError());
    this.#opening ??= this.#gate
      .attempt(() => this.#openSession())
      .finally(() => {
        this.#opening = undefined;
      });
    return this.#opening;
  }

  async #openSession(): Promise<Http2Connection> {
    const { clock, connectTimeoutMs = 10_000, pingIntervalMs = 15_000 } = this.#options;
    const socket = await openSocket(this.#config, { clock, protocols: ['h2', 'http/1.1'], timeoutMs: connectTimeoutMs });
    if (socket instanceof tls.TLSSocket && socket.alpnProtocol !== 'h2') {
      socket.destroy();
      throw this.#notHttp2('it chose another protocol');
    }
    const session = await this.#handshake(socket, connectTimeoutMs);
    if (this.#closed) {
      session.destroy();
      throw this.#closedError();
    }
    const connection = new Http2Connection(session, { clock, pingIntervalMs });
    this.#connections.add(connection);
    session.once('close', () => this.#connections.delete(connection));
    this.#current = connection;
    return connection;
  }

  /** The server's settings come first of all: with them the peer is known to speak HTTP/2, and how many streams it allows. */
  #handshake(socket: net.Socket, timeoutMs: number): Promise<http2.ClientHttp2Session> {
    return new Promise<http2.ClientHttp2Session>((resolve, reject) => {
      const session = http2.connect(this.#config.server, { createConnection: () => socket, settings: http2Settings, maxSessionMemory });
      const timer = this.#options.clock.schedule(timeoutMs, () => session.destroy());
      let cause: unknown;
      session.on('error', (error) => {
        cause = error;
      });
      session.once('close', () => {
        timer.cancel();
        const why = cause === undefined ? 'no settings came' : messageOf(cause);
        // Whoever answers something else speaks another protocol; whoever answers nothing may be about to die.
        reject(socket.bytesRead > 0 && !(socket instanceof tls.TLSSocket) ? this.#notHttp2(why, cause) : this.#cutHandshake(why, cause));
      });
      session.once('remoteSettings', () => {
        timer.cancel();
        resolve(session);
      });
    });
  }

  #notHttp2(why: string, cause?: unknown): ConnectionError {
    const { server, source } = this.#config;
    return new ConnectionError(`${server} (${source}) does not speak HTTP/2: ${why}`, {
      code: 'CONNECTION_NOT_HTTP2',
      data: { server, source },
      cause,
    });
  }

  #cutHandshake(why: string, cause: unknown): ConnectionError {
    const { server, source } = this.#config;
    return new ConnectionError(`the connection to ${server} (${source}) was cut before HTTP/2 began: ${why}`, {
      code: 'CONNECTION_CUT',
      data: { server, source },
      cause,
    });
  }

  #closedError(): ConnectionError {
    return new ConnectionError(`the connection to ${this.#config.server} was closed by this process`, { code: 'CONNECTION_CLOSED' });
  }
}
