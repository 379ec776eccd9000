import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below the range that systems hand out to outgoing connections, so that a port stays free while its server is down. */
const lowestPort = 20_000;
const highestPort = 32_000;
const attempts = 100;

function canListen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

/** A port of 127.0.0.1 that nobody listens on at this moment. */
export async function freeLoopbackPort(): Promise<number> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const port = randomInt(lowestPort, highestPort);
    if (await canListen(port)) return port;
  }
  throw new Error(`no free port of 127.0.0.1 between ${lowestPort} and ${highestPort} in ${attempts} attempts`);
}
