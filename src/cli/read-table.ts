import { z } from 'zod';
import { ApiError } from '../cluster/api-error.ts';
import type { Cluster } from '../cluster/cluster.ts';
import type { ListQuery } from '../cluster/list-query.ts';
import { parseAnswer } from '../cluster/parse-answer.ts';
import { withQuery } from '../cluster/with-query.ts';
import type { Kind } from '../resource/kind.ts';
import type { KubernetesObject } from '../resource/kubernetes-object.ts';
import { resourcePath } from '../resource/resource-path.ts';

const tableSchema = z.object({
  metadata: z.object({ resourceVersion: z.string().default(''), continue: z.string().optional() }),
  columnDefinitions: z.array(z.object({ name: z.string(), priority: z.int().default(0) })),
  rows: z
    .array(
      z.object({
        cells: z.array(z.unknown()),
        object: z.custom<KubernetesObject>((value) => typeof value === 'object' && value !== null && 'metadata' in value),
      }),
    )
    .nullable(),
});

/** What the server itself would show in a column. */
export interface ServerColumn {
  readonly name: string;
  /** 0 always, higher ones only in wide output. */
  readonly priority: number;
}

/** Objects and the cells that the server made of them, by column. */
export interface ObjectTable {
  readonly columns: readonly ServerColumn[];
  readonly rows: readonly { readonly cells: readonly string[]; readonly object: KubernetesObject }[];
  readonly resourceVersion: string;
}

const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json';
const pageSize = 500;

export interface TableQuery extends Pick<ListQuery, 'namespace' | 'labelSelector'> {
  /** One object; undefined: all. */
  readonly name?: string | undefined;
  readonly timeoutMs?: number | undefined;
}

/** Reads objects as a table with the columns of their CRD, for which no right on the CRD is needed. @throws ApiError */
export async function readTable(cluster: Cluster, kind: Kind, query: TableQuery): Promise<ObjectTable> {
  const { namespace, labelSelector, name, timeoutMs } = query;
  const rows: ObjectTable['rows'][number][] = [];
  for (let token: string | undefined; ; ) {
    const paging = name === undefined ? { labelSelector, limit: pageSize, continue: token } : {};
    const path = withQuery(resourcePath(kind, { namespace, name }), { ...paging, includeObject: 'Object' });
    const response = await cluster.send({ method: 'GET', path, accept, timeoutMs });
    if (response.status !== 200) throw ApiError.of(`GET ${path}`, response);
    const table = tableSchema.parse(parseAnswer<unknown>(`GET ${path}`, response.body));
    for (const { cells, object } of table.rows ?? []) rows.push({ cells: cells.map(cellText), object });
    token = table.metadata.continue || undefined;
    if (token === undefined) return { columns: table.columnDefinitions, rows, resourceVersion: table.metadata.resourceVersion };
  }
}

function cellText(cell: unknown): string {
  if (cell === null || cell === undefined || cell === '') return '-';
  return typeof cell === 'string' ? cell : JSON.stringify(cell);
}
