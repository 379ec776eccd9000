import type { ManualClock } from '../../src/clock/manual-clock.ts';
import type { ClusterConfig } from '../../src/cluster/cluster-config.ts';
import { Http2Transport } from '../../src/cluster/http2-transport.ts';
import { HttpsTransport } from '../../src/cluster/https-transport.ts';
import { StaticCredentials } from '../../src/cluster/static-credentials.ts';
import type { Transport } from '../../src/cluster/transport.ts';

/** Long enough that a clock which a test moves in steps never lets a ping run into the next. */
export const withoutPingsMs = 1e12;

export function configOf(server: string, more: Partial<ClusterConfig> = {}): ClusterConfig {
  return { server, credentials: new StaticCredentials(), source: 'test', ...more };
}

export interface TransportOf {
  readonly protocol: 'h2c' | 'http1';
  readonly create: (config: ClusterConfig, clock: ManualClock) => Transport;
}

/** Both transports, each with the protocol of the server that it needs. */
export const transports: readonly TransportOf[] = [
  {
    protocol: 'h2c',
    create: (config, clock) => new Http2Transport(config, { clock, random: () => 0, pingIntervalMs: withoutPingsMs }),
  },
  { protocol: 'http1', create: (config, clock) => new HttpsTransport(config, { clock, random: () => 0 }) },
];
