import type { Clock } from '../clock/clock.ts';
import type { ClusterConfig } from './cluster-config.ts';
import { ConnectionError } from './connection-error.ts';
import { Http2Transport } from './http2-transport.ts';
import { HttpsTransport } from './https-transport.ts';
import type { Transport } from './transport.ts';

export interface ConnectTransportOptions {
  readonly clock: Clock;
  /** 0 (included) to 1 (excluded). */
  readonly random: () => number;
  /** Default 10,000. */
  readonly connectTimeoutMs?: number;
  /** Default `phasekeeper`. */
  readonly userAgent?: string;
}

/** Connects by HTTP/2 where the server speaks it, else by HTTP/1.1. Rejects with the `ConnectionError` of the first attempt. */
export async function connectTransport(config: ClusterConfig, options: ConnectTransportOptions): Promise<Transport> {
  const http2 = new Http2Transport(config, options);
  try {
    await http2.connect();
    return http2;
  } catch (error) {
    await http2.close();
    if (error instanceof ConnectionError && error.code === 'CONNECTION_NOT_HTTP2') return new HttpsTransport(config, options);
    throw error;
  }
}
