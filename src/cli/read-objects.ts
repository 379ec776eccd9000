import { ApiError } from '../cluster/api-error.ts';
import type { ClusterFlags } from './cluster-flags.ts';
import type { Connection } from './connect.ts';
import { summaryOf } from './object-summary.ts';
import { type ObjectTable, readTable } from './read-table.ts';
import type { ServedKind } from './served-kind.ts';

export interface GetFlags extends ClusterFlags {
  readonly allNamespaces: boolean;
  readonly selector?: string;
  readonly output?: 'wide' | 'json' | 'yaml' | 'name';
  readonly headers: boolean;
  readonly watch: boolean;
  /** Only objects in one of these phases. */
  readonly phase?: readonly string[];
  /** Watch until every selected object is in this phase. */
  readonly until?: string;
  /** Milliseconds to watch at most. */
  readonly timeout?: number;
}

/** What a `get` works with once the kind is known. */
export interface Getting {
  readonly connection: Connection;
  readonly served: ServedKind;
  readonly names: readonly string[];
  readonly namespace: string | undefined;
  readonly flags: GetFlags;
}

/** Prints a table's objects below those that were printed before. */
export type PrintTable = (table: ObjectTable) => Promise<void>;

/** What there is now of what is asked for. */
export async function readObjects(getting: Getting): Promise<{ readonly table: ObjectTable; readonly missing: readonly string[] }> {
  const { connection, served, names, namespace, flags } = getting;
  const timeoutMs = flags.requestTimeout;
  if (names.length === 0) {
    const table = await readTable(connection.cluster, served.kind, { namespace, labelSelector: flags.selector, timeoutMs });
    return { table: inPhases(table, flags.phase), missing: [] };
  }
  const tables = await Promise.all(names.map((name) => readNamed(getting, name)));
  const found = tables.filter((table) => table !== undefined);
  const table = { columns: found[0]?.columns ?? [], rows: found.flatMap(({ rows }) => rows), resourceVersion: '' };
  return { table: inPhases(table, flags.phase), missing: names.filter((_, index) => tables[index] === undefined) };
}

/** Where a named object is to be looked for. */
type Named = Pick<Getting, 'connection' | 'served' | 'namespace'> & { readonly flags: ClusterFlags };

/** Undefined when there is no such object. */
export async function readNamed({ connection, served, namespace, flags }: Named, name: string): Promise<ObjectTable | undefined> {
  try {
    return await readTable(connection.cluster, served.kind, { namespace, name, timeoutMs: flags.requestTimeout });
  } catch (error) {
    if (error instanceof ApiError && error.status === 404 && error.details?.name !== undefined) return undefined;
    throw error;
  }
}

/** Only the rows whose object is in one of the phases; all without any. */
export function inPhases(table: ObjectTable, phases: readonly string[] | undefined): ObjectTable {
  if (phases === undefined) return table;
  return { ...table, rows: table.rows.filter(({ object }) => phases.includes(summaryOf(object).phase ?? '')) };
}
