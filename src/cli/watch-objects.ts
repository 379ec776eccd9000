import { ObjectCache } from '../cluster/object-cache.ts';
import { Reflector } from '../cluster/reflector.ts';
import { messageOf } from '../failure/message-of.ts';
import type { KubernetesObject } from '../resource/kubernetes-object.ts';
import { CommandError } from './command-error.ts';
import { type ExitCode, exitCode } from './exit-code.ts';
import { summaryOf } from './object-summary.ts';
import { type Getting, inPhases, type PrintTable, readNamed } from './read-objects.ts';
import type { ObjectTable } from './read-table.ts';
import { stopSignals } from './stop-signals.ts';
import type { Terminal } from './terminal.ts';

interface Watching {
  /** What was printed already. */
  readonly table: ObjectTable;
  readonly print: PrintTable;
  readonly terminal: Terminal;
}

/** Prints objects as they change, until the phase that is waited for, a signal, or the time is up. */
export async function watchObjects(getting: Getting, { table, print, terminal }: Watching): Promise<ExitCode> {
  const { connection, served, names, namespace, flags } = getting;
  const { cluster, transport, clock } = connection;
  const printed = new Set(table.rows.map(({ object }) => object.metadata.resourceVersion));
  const signals = stopSignals();
  const done = new AbortController();
  let isTimedOut = false;
  const timer = flags.timeout === undefined ? undefined : clock.schedule(flags.timeout, () => ((isTimedOut = true), done.abort()));
  const cache = new ObjectCache<KubernetesObject>({ kind: served.kind });
  const onError = (error: unknown) => terminal.say(`warning: the watch broke and is opened again: ${messageOf(error)}`);
  const options = {
    cluster,
    transport,
    cache,
    clock,
    random: Math.random,
    onError,
    kind: served.kind,
    namespace,
    labelSelector: flags.selector,
  };
  const reflector = new Reflector<KubernetesObject>(options);
  const isSelected = ({ metadata }: KubernetesObject) => names.length === 0 || names.includes(metadata.name);
  let printing = Promise.resolve();
  const checkEnd = () => {
    const selected = cache.list().filter(isSelected);
    const isComplete = cache.synced && selected.length >= Math.max(1, names.length);
    if (flags.until !== undefined && isComplete && selected.every((object) => summaryOf(object).phase === flags.until)) done.abort();
  };
  cache.subscribe(({ type, object }) => {
    if (!isSelected(object) || printed.has(object.metadata.resourceVersion)) return;
    printing = printing.then(() => printChange(getting, print, { type, object, columns: table.columns })).then(checkEnd);
    printing.catch((error: unknown) => done.abort(error));
  });
  reflector.synced.then(checkEnd, () => undefined);
  try {
    await reflector.run(AbortSignal.any([signals.signal, done.signal]));
    await printing;
  } finally {
    timer?.cancel();
    signals.release();
  }
  if (signals.signal.aborted) return exitCode.interrupted;
  if (isTimedOut && flags.until !== undefined) throw timedOut(getting);
  return exitCode.yes;
}

interface Change {
  readonly type: string;
  readonly object: KubernetesObject;
  /** For an object that is gone. */
  readonly columns: ObjectTable['columns'];
}

async function printChange(getting: Getting, print: PrintTable, { type, object, columns }: Change): Promise<void> {
  // The cells of the author's columns are the server's; the rest is what the watch said.
  const asked = type === 'deleted' ? undefined : await readNamed(getting, object.metadata.name);
  const cells = asked?.rows[0]?.cells ?? [];
  await print(inPhases({ columns: asked?.columns ?? columns, rows: [{ cells, object }], resourceVersion: '' }, getting.flags.phase));
}

function timedOut({ flags, names, served }: Getting): CommandError {
  const what = names.length === 0 ? `the ${served.kind.plural}` : names.join(', ');
  return new CommandError(`time ran out before ${names.length === 1 ? `${what} was` : `${what} were`} in ${flags.until}`, {
    exitCode: exitCode.timedOut,
    code: 'TIMED_OUT',
  });
}
