import net, { type AddressInfo } from 'node:net';

/** Carries bytes between a client and a port of this machine, until told to hold what is on its way for ever. */
export class Relay {
  readonly #server: net.Server;
  readonly #sockets = new Set<net.Socket>();
  opened = 0;

  private constructor(port: number) {
    this.#server = net.createServer((client) => {
      this.opened++;
      const server = net.connect(port, '127.0.0.1');
      for (const socket of [client, server]) {
        this.#sockets.add(socket);
        socket.on('error', () => undefined);
        socket.once('close', () => this.#sockets.delete(socket));
      }
      client.pipe(server).pipe(client);
    });
  }

  static async to(port: number): Promise<Relay> {
    const relay = new Relay(port);
    await new Promise<void>((resolve) => void relay.#server.listen(0, '127.0.0.1', resolve));
    return relay;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The connections that are open now stay open and carry nothing more; new ones are carried. */
  freeze(): void {
    for (const socket of this.#sockets) socket.unpipe().pause();
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise<void>((resolve) => void this.#server.close(() => resolve()));
  }
}
