import { SystemClock } from '../../src/clock/system-clock.ts';
import { ServerTime } from '../../src/clock/server-time.ts';
import { Cluster } from '../../src/cluster/cluster.ts';
import { connectTransport } from '../../src/cluster/connect-transport.ts';
import { loadKubeconfig } from '../../src/cluster/load-kubeconfig.ts';
import type { Lifecycle } from '../../src/definition/lifecycle.ts';
import { Manager } from '../../src/engine/manager.ts';

export interface LogLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** The operator inside the test process, against a real API server. */
export interface Engine {
  readonly cluster: Cluster;
  readonly manager: Manager;
  readonly lines: readonly LogLine[];
  /** Stops gracefully and closes the connection. */
  stop(): Promise<void>;
}

export interface EngineOptions {
  readonly kubeconfig: string;
  readonly lifecycles: readonly Lifecycle[];
  readonly events?: boolean;
  readonly instance?: string;
  readonly workers?: number;
}

/** Starts the operator and resolves once every cache is synced. */
export async function startEngine(options: EngineOptions): Promise<Engine> {
  const clock = new SystemClock();
  const random = Math.random;
  const config = await loadKubeconfig({ path: options.kubeconfig, env: {} });
  const transport = await connectTransport(config, { clock, random });
  const time = new ServerTime(clock);
  const cluster = new Cluster({ transport, clock, time, random });
  const lines: LogLine[] = [];
  const say = (level: LogLine['level']) => (fields: object, message: string) => void lines.push({ level, message, fields: { ...fields } });
  const log = { debug: say('debug'), info: say('info'), warn: say('warn'), error: say('error') };
  const { lifecycles, events, workers, instance = 'test' } = options;
  const manager = new Manager({ lifecycles, cluster, transport, clock, random, log, instance, events, workers });
  const stop = new AbortController();
  let running: Promise<void> | undefined;
  await new Promise<void>((resolve, reject) => {
    running = manager.run(stop.signal, resolve);
    running.catch(reject);
  });
  return {
    cluster,
    manager,
    lines,
    stop: async () => {
      stop.abort();
      await running;
      await transport.close();
    },
  };
}
