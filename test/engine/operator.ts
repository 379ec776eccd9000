import { onTestFailed, onTestFinished } from 'vitest';
import { ServerTime } from '../../src/clock/server-time.ts';
import { SystemClock } from '../../src/clock/system-clock.ts';
import { Cluster } from '../../src/cluster/cluster.ts';
import { connectTransport } from '../../src/cluster/connect-transport.ts';
import { loadKubeconfig } from '../../src/cluster/load-kubeconfig.ts';
import type { Lifecycle } from '../../src/definition/lifecycle.ts';
import { messageOf } from '../../src/failure/message-of.ts';
import { Manager } from '../../src/engine/manager.ts';

export interface LogLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** The operator inside the test process. */
export interface Operator {
  readonly lines: readonly LogLine[];
  /** Stops gracefully; resolves when all has ended. It is also called when the test is over. */
  stop(): Promise<void>;
  /** Lines with this message. */
  said(message: string): readonly LogLine[];
}

export interface OperatorOptions {
  readonly kubeconfig: string;
  readonly lifecycles: readonly Lifecycle[];
  /** Only objects of this namespace are seen. */
  readonly namespace?: string | undefined;
  readonly events?: boolean | undefined;
  readonly instance?: string | undefined;
}

/** Starts an operator that ends with the test; resolves once every cache is synced. */
export async function startOperator(options: OperatorOptions): Promise<Operator> {
  const clock = new SystemClock();
  const random = Math.random;
  const transport = await connectTransport(await loadKubeconfig({ path: options.kubeconfig, env: {} }), { clock, random });
  const cluster = new Cluster({ transport, clock, time: new ServerTime(clock), random });
  const lines: LogLine[] = [];
  const say = (level: LogLine['level']) => (fields: object, message: string) => void lines.push({ level, message, fields: { ...fields } });
  const log = { debug: say('debug'), info: say('info'), warn: say('warn'), error: say('error') };
  const { lifecycles, events, namespace, instance = 'test' } = options;
  const manager = new Manager({ lifecycles, cluster, transport, clock, random, log, instance, events, namespace });
  const ending = new AbortController();
  const { promise: ready, resolve, reject } = Promise.withResolvers<void>();
  const running = manager.run(ending.signal, resolve);
  running.catch(reject);
  await ready;
  let ended: Promise<void> | undefined;
  const end = async () => {
    ending.abort();
    await running;
    await transport.close();
  };
  const stop = () => (ended ??= end());
  onTestFinished(stop);
  onTestFailed(() => {
    for (const { level, message, fields } of lines)
      process.stderr.write(`${level} ${message} ${JSON.stringify(fields)} ${messageOf(fields['err'] ?? '')}\n`);
  });
  return { lines, stop, said: (message) => lines.filter((line) => line.message === message) };
}
