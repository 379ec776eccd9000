import { hostname } from 'node:os';
import type { Lifecycle } from '../definition/lifecycle.ts';
import { Manager } from '../engine/manager.ts';
import { groupOf } from '../resource/kind.ts';
import type { ClusterFlags } from './cluster-flags.ts';
import { confirmContext } from './confirm-context.ts';
import { type Connection, connect } from './connect.ts';
import { type ExitCode, exitCode } from './exit-code.ts';
import { findDefinitions } from './find-definitions.ts';
import { type LoadedLifecycle, loadLifecycles } from './load-lifecycles.ts';
import { type LogLevel, operatorLog } from './operator-log.ts';
import { packageVersion } from './package-version.ts';
import { refusedByCluster } from './refused-by-cluster.ts';
import { type StopSignals, stopSignals } from './stop-signals.ts';
import type { Terminal } from './terminal.ts';

export interface RunFlags extends ClusterFlags {
  readonly workers?: number;
  readonly events: boolean;
  readonly logLevel: LogLevel;
  readonly instance?: string;
  readonly yes: boolean;
}

/** `phasekeeper run`: the operator, until a signal. */
export async function runCommand(machines: readonly string[], flags: RunFlags, terminal: Terminal): Promise<ExitCode> {
  const signals = stopSignals((name) => terminal.say(`${name}: finishing what has begun; a second signal ends at once`));
  try {
    // Both take their time, so they take it together; what is wrong with a definition is told first.
    const connecting = connect(flags, terminal);
    connecting.catch(() => undefined);
    const loaded = await loadLifecycles(findDefinitions(machines, terminal.cwd), terminal.cwd).catch(async (error: unknown) => {
      await connecting.then(({ transport }) => transport.close()).catch(() => undefined);
      throw error;
    });
    const connection = await connecting;
    try {
      const isWanted = await confirmContext({ context: flags.context, server: connection.config.server, yes: flags.yes }, terminal);
      if (!isWanted) return exitCode.no;
      return await operate({ loaded, connection, signals, flags }, terminal);
    } finally {
      await connection.transport.close();
    }
  } finally {
    signals.release();
  }
}

interface Operation {
  readonly loaded: readonly LoadedLifecycle[];
  readonly connection: Connection;
  readonly signals: StopSignals;
  readonly flags: RunFlags;
}

async function operate({ loaded, connection, signals, flags }: Operation, terminal: Terminal): Promise<ExitCode> {
  const { config, cluster, transport, clock } = connection;
  const { workers, events, namespace, instance = hostname() } = flags;
  const version = packageVersion();
  const lifecycles = loaded.map(({ lifecycle }) => lifecycle);
  terminal.say(`phasekeeper ${version}: ${lifecycles.map(titleOf).join(', ')} on ${config.server} (${config.source})`);
  const log = operatorLog({ level: flags.logLevel, instance, version });
  const manager = new Manager({ lifecycles, cluster, transport, clock, random: Math.random, log, instance, namespace, workers, events });
  const kinds = lifecycles.map(({ name }) => name);
  try {
    await manager.run(signals.signal, () => log.info({ kinds, server: config.server, startMs: Math.round(performance.now()) }, 'ready'));
  } catch (error) {
    if (signals.signal.aborted) return signals.code();
    throw refusedByCluster(error, { server: config.server, source: config.source, crdHint: (path) => crdHint(loaded, path) });
  }
  log.info({ kinds }, 'stopped');
  return signals.code();
}

function titleOf({ vocabulary }: Lifecycle): string {
  return `${vocabulary.kind} ${vocabulary.machineVersion}`;
}

/** How to make a kind known: by its CRD where it is ours, else the author's kinds are to be looked at. */
function crdHint(loaded: readonly LoadedLifecycle[], path: string): string {
  const own = loaded.find(({ lifecycle: { kind } }) => path.startsWith(`/apis/${groupOf(kind)}/`) && path.endsWith(`/${kind.plural}`));
  return own === undefined
    ? 'kubectl api-resources   (is the CRD of this kind installed?)'
    : `phasekeeper crd ${own.file} | kubectl apply -f -`;
}
