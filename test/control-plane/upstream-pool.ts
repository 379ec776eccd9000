import type { Http2Session } from 'node:http2';
import type { Socket } from 'node:net';

import type { ClientExchange } from './client-exchange.ts';
import { UpstreamConnection } from './upstream-connection.ts';

/** One connection to the API server for each connection of a client: what ends the one ends the other. */
export class UpstreamPool {
  readonly #server: { readonly origin: string; readonly caPem: string };
  readonly #upstreams = new Map<Http2Session | Socket, UpstreamConnection>();

  constructor(server: { readonly origin: string; readonly caPem: string }) {
    this.#server = server;
  }

  /** Connects for the first request of a client's connection. */
  of(exchange: ClientExchange): UpstreamConnection {
    const { connection } = exchange;
    const known = this.#upstreams.get(connection);
    if (known) return known;
    const upstream = new UpstreamConnection(this.#server, () => {
      // Passed on in its own words: GOAWAY now, and the end when what is under way is done.
      if ('goaway' in connection) connection.close();
    });
    this.#upstreams.set(connection, upstream);
    connection.once('close', () => upstream.destroy());
    void upstream.closed.then(() => {
      this.#upstreams.delete(connection);
      if (!connection.destroyed) exchange.cut('connection');
    });
    return upstream;
  }

  destroyAll(): void {
    for (const upstream of this.#upstreams.values()) upstream.destroy();
  }
}
