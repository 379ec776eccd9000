import type { Cluster } from '../cluster/cluster.ts';
import type { KubernetesObject } from '../resource/kubernetes-object.ts';
import { askCluster } from './ask-cluster.ts';
import { type ExitCode, exitCode } from './exit-code.ts';
import { findKind } from './find-kind.ts';
import { gatherKnowledge } from './gather-knowledge.ts';
import { getHead, getRows, lookOf } from './get-rows.ts';
import { leftMs, summaryOf } from './object-summary.ts';
import { parseAddress } from './object-address.ts';
import { objectsText } from './objects-text.ts';
import { type GetFlags, type Getting, type PrintTable, readObjects } from './read-objects.ts';
import type { ObjectTable } from './read-table.ts';
import { qualifiedName } from './served-kind.ts';
import { type Cell, TablePrinter } from './table-printer.ts';
import type { Terminal } from './terminal.ts';
import { UsageError } from './usage-error.ts';
import { watchObjects } from './watch-objects.ts';

/** `phasekeeper get`: objects with their phase, deadline and what they wait for. */
export async function getCommand(words: readonly string[], flags: GetFlags, terminal: Terminal): Promise<ExitCode> {
  const { kind, names } = parseAddress(words);
  if (flags.timeout !== undefined && flags.until === undefined && !flags.watch)
    throw new UsageError('--timeout needs --watch or --until', { hint: 'add -w' });
  if (names.length > 0 && flags.allNamespaces)
    throw new UsageError('a name needs one namespace', { hint: 'take -n NAMESPACE instead of -A' });
  return askCluster(flags, terminal, async (connection) => {
    const served = await findKind(connection.cluster, kind);
    const namespace = flags.allNamespaces ? undefined : (flags.namespace ?? connection.config.namespace ?? 'default');
    const getting: Getting = { connection, served, names, namespace: served.kind.scope === 'Cluster' ? undefined : namespace, flags };
    const print = await printerFor(getting, terminal);
    const { table, missing } = await readObjects(getting);
    await print(table);
    for (const name of missing) terminal.say(`error: ${qualifiedName(served)} "${name}" not found`);
    if (table.rows.length === 0 && missing.length === 0)
      terminal.say(`no ${served.kind.plural} found${namespace === undefined ? '' : whereText(getting)}`);
    if (flags.watch || flags.until !== undefined) return watchObjects(getting, { table, print, terminal });
    sayOverdue(table, connection.cluster, terminal);
    return missing.length === 0 ? exitCode.yes : exitCode.no;
  });
}

async function printerFor({ connection, served, flags }: Getting, terminal: Terminal): Promise<PrintTable> {
  const { output } = flags;
  if (output === 'name' || output === 'json' || output === 'yaml') {
    const stream = flags.watch || flags.until !== undefined;
    return async ({ rows }) =>
      terminal.out(
        objectsText(
          rows.map(({ object }) => object),
          { output, served, stream },
        ),
      );
  }
  const { cluster } = connection;
  const knowledge = await gatherKnowledge(cluster, served.kind, terminal);
  const printer = new TablePrinter({ paint: terminal.paint });
  let isHeadPrinted = !flags.headers;
  return async (table) => {
    if (table.rows.length === 0) return;
    const observed = await knowledge.observe(table.rows.length === 1 ? table.rows[0]?.object : undefined);
    const waysOut = (object: KubernetesObject) => ({ moves: knowledge.moves, explained: observed(object)?.explained });
    const nowMs = cluster.time.nowMs();
    const options = { withNamespace: flags.allNamespaces, wide: output === 'wide', nowMs, waysOut };
    const rows = getRows(table, options).map((row, index) => withLook(row, flags.allNamespaces ? 2 : 1, table.rows[index]?.object, nowMs));
    terminal.out(printer.add(isHeadPrinted ? rows : [getHead(table, options), ...rows]));
    isHeadPrinted = true;
  };
}

function withLook(
  row: readonly string[],
  ...[column, object, nowMs]: readonly [number, KubernetesObject | undefined, number]
): readonly Cell[] {
  if (object === undefined) return row;
  return row.map((text, index) => (index === column && text !== '-' ? { text, look: lookOf(object, nowMs) } : text));
}

function whereText({ namespace, served }: Getting): string {
  return served.kind.scope === 'Cluster' || namespace === undefined ? '' : ` in namespace ${namespace}`;
}

function sayOverdue({ rows }: ObjectTable, cluster: Cluster, { say }: Terminal): void {
  const nowMs = cluster.time.nowMs();
  const count = rows.filter(({ object }) => (leftMs(summaryOf(object), nowMs) ?? 0) < 0).length;
  if (count === 0) return;
  say(
    `${count === 1 ? '1 object is past its deadline' : `${count} objects are past their deadlines`}: the operator is not acting. Does it run?`,
  );
}
