import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

interface RelayedConnection {
  readonly outer: Socket;
  readonly inner: Socket;
  isSilent: boolean;
}

const address = '127.0.0.1';

/**
 * The proxy's outermost layer: passes bytes between its own port and the port of the HTTP server behind it, and knows nothing of HTTP. Here
 * sockets are reset, refused and made silent, below TLS and below HTTP/2's pings, as a network would do it.
 */
export class ByteRelay {
  readonly #server: Server;
  readonly #connections = new Set<RelayedConnection>();
  readonly #acceptedAtMs: number[] = [];
  #mode: 'relay' | 'refuse' | 'silent' = 'relay';

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(innerPort: number): Promise<ByteRelay> {
    const server = createServer({ pauseOnConnect: false });
    const relay = new ByteRelay(server);
    server.on('connection', (outer) => relay.#accept(outer, innerPort));
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(0, address, resolve);
    });
    return relay;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Connections whose client has not closed them. */
  get openConnections(): number {
    return this.#connections.size;
  }

  /** One instant of the monotonic clock for each connection that a client opened, refused ones included. */
  get acceptedAtMs(): readonly number[] {
    return this.#acceptedAtMs;
  }

  /** Resets every connection; with `refuse` also each new one as soon as it is opened, until `relayAgain`. */
  resetAll(options: { readonly refuse: boolean }): void {
    if (options.refuse) this.#mode = 'refuse';
    for (const connection of this.#connections) this.#reset(connection);
  }

  /** Resets the one connection whose inner half has this local port. */
  reset(innerLocalPort: number | undefined): void {
    if (innerLocalPort === undefined) return;
    for (const connection of this.#connections) if (connection.inner.localPort === innerLocalPort) this.#reset(connection);
  }

  /** Every open connection takes the client's bytes and passes none on, either way, for as long as it lives. */
  goSilent(options: { readonly newToo: boolean }): void {
    if (options.newToo) this.#mode = 'silent';
    for (const connection of this.#connections) this.#silence(connection);
  }

  /** New connections are passed on again. */
  relayAgain(): void {
    this.#mode = 'relay';
  }

  async stop(): Promise<void> {
    this.resetAll({ refuse: true });
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
  }

  #accept(outer: Socket, innerPort: number): void {
    this.#acceptedAtMs.push(performance.now());
    outer.setNoDelay(true);
    if (this.#mode === 'refuse') {
      outer.on('error', () => {});
      outer.resetAndDestroy();
      return;
    }
    const inner = connect({ port: innerPort, host: address, noDelay: true });
    const connection: RelayedConnection = { outer, inner, isSilent: false };
    this.#connections.add(connection);
    outer.on('data', (bytes) => {
      if (!connection.isSilent && !inner.write(bytes)) outer.pause();
    });
    inner.on('data', (bytes) => {
      if (!connection.isSilent && !outer.write(bytes)) inner.pause();
    });
    inner.on('drain', () => outer.resume());
    outer.on('drain', () => inner.resume());
    for (const socket of [outer, inner]) {
      socket.on('error', () => {});
      socket.on('end', () => this.#ended(connection, socket));
      socket.on('close', () => this.#ended(connection, socket));
    }
    if (this.#mode === 'silent') this.#silence(connection);
  }

  #ended(connection: RelayedConnection, side: Socket): void {
    // A silent connection stays open towards the client whatever the inner side does.
    if (connection.isSilent && side === connection.inner) return;
    this.#connections.delete(connection);
    const other = side === connection.outer ? connection.inner : connection.outer;
    side.destroy();
    other.destroySoon();
  }

  #silence(connection: RelayedConnection): void {
    connection.isSilent = true;
    connection.outer.resume();
    connection.inner.resume();
  }

  #reset(connection: RelayedConnection): void {
    this.#connections.delete(connection);
    connection.isSilent = true;
    connection.outer.resetAndDestroy();
    connection.inner.destroy();
  }
}
