import http from 'node:http';
import type { Clock } from '../clock/clock.ts';
import { messageOf } from '../failure/message-of.ts';
import { asError } from './as-error.ts';
import { authorized } from './authorized.ts';
import type { ClusterConfig } from './cluster-config.ts';
import { ConnectGate } from './connect-gate.ts';
import { ConnectionError } from './connection-error.ts';
import { Deadline } from './deadline.ts';
import { LineSplitter } from './line-splitter.ts';
import { openSocket } from './open-socket.ts';
import { SilenceAlarm } from './silence-alarm.ts';
import { Slots } from './slots.ts';
import { SocketAgent } from './socket-agent.ts';
import type { ApiRequest, ApiResponse, Transport, WatchRequest } from './transport.ts';

export interface HttpsTransportOptions {
  readonly clock: Clock;
  /** 0 (included) to 1 (excluded). */
  readonly random: () => number;
  /** Default 10,000. */
  readonly connectTimeoutMs?: number;
  /** Default `phasekeeper`. */
  readonly userAgent?: string;
}

const requestConnections = 4;

type Call = Pick<ApiRequest, 'method' | 'path' | 'body' | 'contentType' | 'accept'>;

/**
 * For servers without HTTP/2: four kept-alive HTTP/1.1 connections for requests, and one for each watch. Connections are opened
 * one at a time, and after a failure at most one a second.
 */
export class HttpsTransport implements Transport {
  readonly #config: ClusterConfig;
  readonly #options: HttpsTransportOptions;
  readonly #url: URL;
  readonly #basePath: string;
  readonly #gate: ConnectGate;
  /** Node's own limit does not count connections that are being opened. */
  readonly #slots = new Slots(requestConnections);
  readonly #requests: SocketAgent;
  readonly #watches: SocketAgent;
  readonly #calls = new Set<http.ClientRequest>();
  #closed = false;

  constructor(config: ClusterConfig, options: HttpsTransportOptions) {
    this.#config = config;
    this.#options = options;
    this.#url = new URL(config.server);
    this.#basePath = this.#url.pathname.replace(/\/$/, '');
    this.#gate = new ConnectGate({ clock: options.clock, random: options.random, spacingMs: 0 });
    const open = () => this.#openSocket();
    this.#requests = new SocketAgent(open, { maxFreeSockets: requestConnections });
    this.#watches = new SocketAgent(open, { keepAlive: false });
  }

  async request(request: ApiRequest): Promise<ApiResponse> {
    const { clock } = this.#options;
    const { method, path, signal, timeoutMs = 30_000 } = request;
    const deadline = new Deadline({ clock, method, path, timeoutMs, signal });
    try {
      deadline.check();
      await this.#slots.take(deadline);
      try {
        return await authorized(this.#config.credentials, (authorization) => this.#exchange(request, authorization, deadline));
      } finally {
        this.#slots.give();
      }
    } finally {
      deadline.done();
    }
  }

  async watch(request: WatchRequest, onLine: (line: string) => void): Promise<ApiResponse> {
    const { clock } = this.#options;
    const deadline = new Deadline({ clock, method: 'GET', path: request.path, signal: request.signal });
    try {
      return await authorized(this.#config.credentials, (authorization) => {
        deadline.check();
        const call = this.#call({ method: 'GET', path: request.path }, authorization, this.#watches);
        return followLines(call, { clock, deadline, watch: request, onLine });
      });
    } finally {
      deadline.done();
    }
  }

  close(): Promise<void> {
    this.#closed = true;
    this.#gate.close(this.#closedError());
    for (const call of this.#calls) call.destroy(this.#closedError());
    this.#requests.destroy();
    this.#watches.destroy();
    return Promise.resolve();
  }

  async #exchange(request: ApiRequest, authorization: string | undefined, deadline: Deadline): Promise<ApiResponse> {
    for (let attempt = 1; ; attempt++) {
      deadline.check();
      const call = this.#call(request, authorization, this.#requests);
      let answered = false;
      call.once('response', () => {
        answered = true;
      });
      try {
        return await readAnswer(call, request.body, deadline);
      } catch (error) {
        if (!deadline.ended && !call.reusedSocket && !answered) this.#gate.blame();
        // The server closed a kept connection while we took it: a read may be repeated, a write may have happened.
        if (attempt > 1 || request.method !== 'GET' || !call.reusedSocket || deadline.ended) throw error;
      }
    }
  }

  async #openSocket() {
    if (this.#closed) throw this.#closedError();
    const { clock, connectTimeoutMs = 10_000 } = this.#options;
    return this.#gate.attempt(() => openSocket(this.#config, { clock, protocols: ['http/1.1'], timeoutMs: connectTimeoutMs }));
  }

  #call(call: Call, authorization: string | undefined, agent: SocketAgent): http.ClientRequest {
    const { hostname, port, protocol, host } = this.#url;
    const request = http.request({
      agent,
      host: hostname,
      port: port === '' ? (protocol === 'https:' ? 443 : 80) : port,
      method: call.method,
      path: this.#basePath + call.path,
      headers: {
        host,
        accept: call.accept ?? 'application/json',
        'user-agent': this.#options.userAgent ?? 'phasekeeper',
        ...(authorization === undefined ? {} : { authorization }),
        // Node sends the body of a DELETE without its length unless told, and the server takes it for the next request.
        ...(call.body === undefined
          ? {}
          : { 'content-type': call.contentType ?? 'application/json', 'content-length': Buffer.byteLength(call.body) }),
        ...Object.fromEntries(Object.entries(this.#config.headers ?? {}).map(([name, value]) => [name, [value].flat()])),
      },
    });
    this.#calls.add(request);
    request.once('close', () => this.#calls.delete(request));
    return request;
  }

  #closedError(): ConnectionError {
    return new ConnectionError(`the connection to ${this.#config.server} was closed by this process`, { code: 'CONNECTION_CLOSED' });
  }
}

function readAnswer(call: http.ClientRequest, body: string | undefined, deadline: Deadline): Promise<ApiResponse> {
  return new Promise<ApiResponse>((resolve, reject) => {
    call.on('error', (error) => reject(cut(deadline.what, error)));
    call.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', (error) => reject(cut(deadline.what, error)));
      response.on('close', () => {
        if (response.complete) resolve(answerOf(response, chunks));
        else reject(cut(deadline.what, undefined));
      });
    });
    deadline.onEnd((error) => {
      reject(error);
      call.destroy();
    });
    call.end(body);
  });
}

interface FollowOptions {
  readonly clock: Clock;
  readonly deadline: Deadline;
  readonly watch: WatchRequest;
  readonly onLine: (line: string) => void;
}

function followLines(call: http.ClientRequest, options: FollowOptions): Promise<ApiResponse> {
  const { clock, deadline, watch } = options;
  return new Promise<ApiResponse>((resolve, reject) => {
    const stop = (error: Error) => {
      alarm.cancel();
      reject(error);
      call.destroy();
    };
    const silenceMs = watch.silenceMs;
    const alarm = new SilenceAlarm(clock, silenceMs, () =>
      stop(new ConnectionError(`${deadline.what}: no byte for ${silenceMs} ms`, { code: 'CONNECTION_SILENT', data: { silenceMs } })),
    );
    const lines = new LineSplitter(options.onLine);
    call.on('error', (error) => stop(cut(deadline.what, error)));
    call.on('response', (response) => {
      alarm.heard();
      const chunks: Buffer[] = [];
      if (response.statusCode === 200) watch.onOpen?.({ status: 200, headers: plainHeaders(response) });
      response.on('data', (chunk: Buffer) => {
        alarm.heard();
        if (response.statusCode !== 200) chunks.push(chunk);
        else if (!call.destroyed) guarded(() => lines.push(chunk), stop);
      });
      response.on('error', (error) => stop(cut(deadline.what, error)));
      response.on('close', () => {
        alarm.cancel();
        if (response.complete && lines.pendingBytes === 0) resolve(answerOf(response, chunks));
        else stop(cut(deadline.what, undefined, lines.pendingBytes));
      });
    });
    deadline.onEnd(stop);
    call.end();
  });
}

function plainHeaders(response: http.IncomingMessage): Record<string, string> {
  const plain: Record<string, string> = {};
  for (const [name, value] of Object.entries(response.headers)) if (typeof value === 'string') plain[name] = value;
  return plain;
}

function answerOf(response: http.IncomingMessage, chunks: readonly Buffer[]): ApiResponse {
  return { status: response.statusCode ?? 0, headers: plainHeaders(response), body: Buffer.concat(chunks).toString('utf8') };
}

function cut(what: string, cause: unknown, pendingBytes = 0): ConnectionError {
  if (cause instanceof ConnectionError) return cause;
  const why =
    pendingBytes > 0 ? 'the stream ended inside a line' : `the connection was cut${cause === undefined ? '' : `: ${messageOf(cause)}`}`;
  return new ConnectionError(`${what}: ${why}`, { code: 'CONNECTION_CUT', data: { pendingBytes }, cause });
}

function guarded(run: () => void, failed: (error: Error) => void): void {
  try {
    run();
  } catch (error) {
    failed(asError(error));
  }
}
