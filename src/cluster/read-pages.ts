import type { Kind } from '../resource/kind.ts';
import type { KubernetesObject } from '../resource/kubernetes-object.ts';
import { resourcePath } from '../resource/resource-path.ts';
import { ApiError } from './api-error.ts';
import type { ListQuery } from './list-query.ts';
import { parseAnswer } from './parse-answer.ts';
import type { ApiRequest, ApiResponse } from './transport.ts';
import { withQuery } from './with-query.ts';

/** Objects of one page; `first` on the first page of each reading, also when a reading starts over. */
export interface ListedPage<O> {
  readonly items: O[];
  readonly first: boolean;
}

export interface ReadPagesOptions<O extends KubernetesObject> extends ListQuery {
  readonly kind: Kind<O>;
  /** At most so many objects; default all. */
  readonly limit?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onPage: (page: ListedPage<O>) => void;
}

interface ListBody<O> {
  readonly metadata: { readonly resourceVersion?: string; readonly continue?: string };
  readonly items: O[] | null;
}

const pageSize = 500;

/** Readings whose continue token expired before we ask for everything in one answer, which cannot expire. */
const pagedReadings = 3;

/**
 * Reads a collection at one version, page by page; never from a cache that may lag (`resourceVersion=0`). A continue token that
 * expired (410) starts the reading over.
 *
 * @returns the list's resource version
 */
export async function readPages<O extends KubernetesObject>(
  send: (request: ApiRequest) => Promise<ApiResponse>,
  options: ReadPagesOptions<O>,
): Promise<string> {
  for (let reading = 1; ; reading++) {
    const version = await readOnce(send, options, reading <= pagedReadings ? pageSize : undefined);
    if (version !== undefined) return version;
  }
}

/** The list's version; undefined when its continue token expired. */
async function readOnce<O extends KubernetesObject>(
  send: (request: ApiRequest) => Promise<ApiResponse>,
  options: ReadPagesOptions<O>,
  page: number | undefined,
): Promise<string | undefined> {
  const { kind, namespace, labelSelector, fieldSelector, signal, limit = Number.POSITIVE_INFINITY } = options;
  const collection = resourcePath(kind, { namespace });
  let token: string | undefined;
  for (let seen = 0; ; ) {
    const room = Math.min(page ?? Number.POSITIVE_INFINITY, limit - seen);
    const path = withQuery(collection, { labelSelector, fieldSelector, limit: Number.isFinite(room) ? room : undefined, continue: token });
    const response = await send({ method: 'GET', path, signal });
    if (response.status === 410 && token !== undefined) return undefined;
    if (response.status !== 200) throw ApiError.of(`GET ${path}`, response);
    const body = parseAnswer<ListBody<O>>(`GET ${path}`, response.body);
    const items = body.items ?? [];
    options.onPage({ items: typed(kind, items), first: token === undefined });
    seen += items.length;
    token = body.metadata.continue === '' ? undefined : body.metadata.continue;
    if (token === undefined || seen >= limit) return body.metadata.resourceVersion ?? '';
  }
}

/** Items of a built-in kind's list carry neither `apiVersion` nor `kind`. */
function typed<O extends KubernetesObject>(kind: Kind<O>, items: O[]): O[] {
  for (const item of items) if (item.kind === undefined) Object.assign(item, { apiVersion: kind.apiVersion, kind: kind.kind });
  return items;
}
