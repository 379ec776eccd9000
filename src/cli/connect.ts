import { ServerTime } from '../clock/server-time.ts';
import { SystemClock } from '../clock/system-clock.ts';
import { Cluster } from '../cluster/cluster.ts';
import type { ClusterConfig } from '../cluster/cluster-config.ts';
import { connectTransport } from '../cluster/connect-transport.ts';
import { loadKubeconfig } from '../cluster/load-kubeconfig.ts';
import type { Transport } from '../cluster/transport.ts';
import type { ClusterFlags } from './cluster-flags.ts';
import { packageVersion } from './package-version.ts';
import type { Terminal } from './terminal.ts';

/** An open way to a cluster. */
export interface Connection {
  readonly config: ClusterConfig;
  readonly transport: Transport;
  readonly cluster: Cluster;
  readonly clock: SystemClock;
}

/** Reads the kubeconfig and connects. Errors name the server and where its address came from. */
export async function connect(flags: ClusterFlags, { env }: Terminal): Promise<Connection> {
  const clock = new SystemClock();
  const random = Math.random;
  const { kubeconfig: path, context, cluster: clusterName, user, requestTimeout } = flags;
  const config = await loadKubeconfig({ env, path, context, cluster: clusterName, user, clock });
  const timeout = requestTimeout === undefined ? {} : { connectTimeoutMs: requestTimeout };
  const transport = await connectTransport(config, { clock, random, userAgent: `phasekeeper/${packageVersion()}`, ...timeout });
  const cluster = new Cluster({ transport, clock, time: new ServerTime(clock), random });
  return { config, transport, cluster, clock };
}
