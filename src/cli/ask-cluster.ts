import type { ClusterFlags } from './cluster-flags.ts';
import { type Connection, connect } from './connect.ts';
import { refusedByCluster } from './refused-by-cluster.ts';
import type { Terminal } from './terminal.ts';

/** Connects, asks, and closes; what the server refuses becomes an error that says what to type. */
export async function askCluster<T>(flags: ClusterFlags, terminal: Terminal, ask: (connection: Connection) => Promise<T>): Promise<T> {
  const connection = await connect(flags, terminal);
  try {
    return await ask(connection);
  } catch (error) {
    const { server, source } = connection.config;
    throw refusedByCluster(error, { server, source, crdHint: () => 'phasekeeper crd | kubectl apply -f -' });
  } finally {
    await connection.transport.close();
  }
}
