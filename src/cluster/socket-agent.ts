import http from 'node:http';
import type { Duplex } from 'node:stream';
import { asError } from './as-error.ts';

/** A pool of HTTP/1.1 connections that opens each through a function of ours, which also does the TLS. */
export class SocketAgent extends http.Agent {
  readonly #open: () => Promise<Duplex>;

  constructor(open: () => Promise<Duplex>, options: http.AgentOptions) {
    super({ keepAlive: true, scheduling: 'lifo', ...options });
    this.#open = open;
  }

  override createConnection(_options: http.ClientRequestArgs, done?: (error: Error | null, stream: Duplex) => void): undefined {
    const report = done ?? (() => undefined);
    this.#open().then(
      (socket) => report(null, socket),
      // The callback's type asks for a stream also where there is none; Node passes undefined itself.
      (error: unknown) => report(asError(error), undefined as never),
    );
    return undefined;
  }
}
