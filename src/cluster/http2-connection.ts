import type http2 from 'node:http2';
import type { Clock, Scheduled } from '../clock/clock.ts';
import { ConnectionError } from './connection-error.ts';
import type { Deadline } from './deadline.ts';

/** Room for a page of a list without waiting for window updates. */
const streamWindowBytes = 1024 * 1024;

/** Watches that are read slowly must not starve requests, so the connection's window is larger than one stream's. */
const connectionWindowBytes = 8 * 1024 * 1024;

export interface Http2ConnectionOptions {
  readonly clock: Clock;
  /** Distance of the PING frames. A peer that has not answered one when the next is due is dead. */
  readonly pingIntervalMs: number;
}

/**
 * One HTTP/2 session: counts its streams against the server's limit, pings, and steps aside on GOAWAY.
 *
 * After GOAWAY the open streams finish; `usable` is false, so that new requests go to a new session.
 */
export class Http2Connection {
  readonly #session: http2.ClientHttp2Session;
  readonly #options: Http2ConnectionOptions;
  readonly #waiting = new Set<() => void>();
  #active = 0;
  #pingTimer: Scheduled;
  #pingAnswered = true;

  /** @param session one whose remote settings have come */
  constructor(session: http2.ClientHttp2Session, options: Http2ConnectionOptions) {
    this.#session = session;
    this.#options = options;
    session.setLocalWindowSize(connectionWindowBytes);
    session.on('goaway', () => this.#wakeAll());
    session.on('remoteSettings', () => this.#wakeAll());
    session.on('close', () => {
      this.#pingTimer.cancel();
      this.#wakeAll();
    });
    this.#pingTimer = this.#schedulePing();
  }

  /** Streams that are open now. */
  get active(): number {
    return this.#active;
  }

  /** Whether a new stream may be opened on it, now or when one ends. */
  get usable(): boolean {
    return !this.#session.closed && !this.#session.destroyed;
  }

  /** Whether the server's limit of concurrent streams leaves room for one more. */
  get hasRoom(): boolean {
    return this.#active < (this.#session.remoteSettings.maxConcurrentStreams ?? Number.POSITIVE_INFINITY);
  }

  /** Resolves when it is worth looking again: a stream ended, the limit changed or the session goes away. */
  waitForRoom(deadline: Deadline): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      this.#waiting.add(resolve);
      deadline.onEnd((error) => {
        // Woken but too late to use it: the next one in line may.
        if (!this.#waiting.delete(resolve)) this.#wakeOne();
        reject(error);
      });
    });
  }

  /** Opens a stream. @param headers names and values in turn, pseudo-headers first */
  open(headers: string[], endStream: boolean): http2.ClientHttp2Stream {
    const stream = this.#session.request(headers, { endStream });
    this.#active++;
    stream.on('close', () => {
      this.#active--;
      this.#wakeOne();
    });
    return stream;
  }

  /** Ends every stream at once. */
  destroy(reason?: ConnectionError): Promise<void> {
    if (this.#session.destroyed) return Promise.resolve();
    return new Promise<void>((resolve) => {
      this.#session.once('close', resolve);
      this.#session.destroy(reason);
    });
  }

  #schedulePing(): Scheduled {
    return this.#options.clock.schedule(this.#options.pingIntervalMs, () => this.#ping());
  }

  #ping(): void {
    if (this.#session.destroyed) return;
    if (!this.#pingAnswered) {
      const silentMs = this.#options.pingIntervalMs;
      void this.destroy(
        new ConnectionError(`the server has not answered a ping for ${silentMs} ms`, { code: 'CONNECTION_SILENT', data: { silentMs } }),
      );
      return;
    }
    this.#pingAnswered = false;
    this.#session.ping((error) => {
      this.#pingAnswered = error === null;
    });
    this.#pingTimer = this.#schedulePing();
  }

  #wakeOne(): void {
    for (const wake of this.#waiting) {
      this.#waiting.delete(wake);
      wake();
      return;
    }
  }

  #wakeAll(): void {
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }
}

/** The settings of our side: no pushes, windows for lists. */
export const http2Settings: http2.Settings = Object.freeze({ enablePush: false, initialWindowSize: streamWindowBytes });
