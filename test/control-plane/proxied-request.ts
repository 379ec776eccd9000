/** What a request does, in the words of RBAC; `other` for what is no resource (`/readyz`, `/openapi/v3`). */
export type RequestVerb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'deletecollection' | 'other';

/** A request as the fault proxy sees it, whole, before anything of it is forwarded. */
export interface ProxiedRequest {
  /** 1 for the first request that the proxy ever got. */
  readonly number: number;
  /** When it had arrived, on the monotonic clock. */
  readonly atMs: number;
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly verb: RequestVerb;
  /** `''` for the core group. */
  readonly group: string;
  readonly namespace: string | undefined;
  /** The plural in the URL. */
  readonly resource: string | undefined;
  readonly name: string | undefined;
  readonly subresource: string | undefined;
  /** Parsed where it is JSON, the text where it is not, undefined where there is none. */
  readonly body: unknown;
  /** Undefined for a token of nobody, or none. */
  readonly user: string | undefined;
  readonly isWatch: boolean;
  /** Changes something stored: no dry run, no review. */
  readonly isWrite: boolean;
  /** Which of its user's writes this is, from 1, since the proxy started or writes were last armed. Undefined for what is not counted. */
  readonly writeNumber: number | undefined;
}

/** Which requests a fault is for. */
export type RequestPredicate = (request: ProxiedRequest) => boolean;

export interface RawRequest {
  readonly number: number;
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly bodyText: string;
  readonly user: string | undefined;
}

type Place = Pick<ProxiedRequest, 'group' | 'namespace' | 'resource' | 'name' | 'subresource'>;

const nowhere: Place = { group: '', namespace: undefined, resource: undefined, name: undefined, subresource: undefined };

function placeOf(path: string): Place {
  const parts = path
    .split('/')
    .filter((part) => part !== '')
    .map(decodeURIComponent);
  const isCore = parts[0] === 'api' && parts.length > 2;
  if (!isCore && !(parts[0] === 'apis' && parts.length > 3)) return nowhere;
  const group = isCore ? '' : (parts[1] ?? '');
  const rest = parts.slice(isCore ? 2 : 3);
  // `/namespaces/x/pods` is about pods; `/namespaces/x` and `/namespaces/x/status` are about the namespace.
  const isInside = rest[0] === 'namespaces' && rest.length > 2 && !['status', 'finalize'].includes(rest[2] ?? '');
  const [resource, name, ...subresource] = isInside ? rest.slice(2) : rest;
  return {
    group,
    namespace: isInside ? rest[1] : undefined,
    resource,
    name,
    subresource: subresource.length > 0 ? subresource.join('/') : undefined,
  };
}

function verbOf(method: string, place: Place, query: URLSearchParams): RequestVerb {
  if (place.resource === undefined) return 'other';
  const isWatch = query.get('watch') === 'true' || query.get('watch') === '1';
  switch (method) {
    case 'GET':
    case 'HEAD':
      if (isWatch) return 'watch';
      return place.name === undefined ? 'list' : 'get';
    case 'POST':
      return 'create';
    case 'PUT':
      return 'update';
    case 'PATCH':
      return 'patch';
    case 'DELETE':
      return place.name === undefined ? 'deletecollection' : 'delete';
    default:
      return 'other';
  }
}

function parsedBody(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const writeVerbs: ReadonlySet<RequestVerb> = new Set(['create', 'update', 'patch', 'delete', 'deletecollection']);
/** Groups whose objects are questions: they are posted and not stored. */
const reviewGroups: ReadonlySet<string> = new Set(['authentication.k8s.io', 'authorization.k8s.io']);

/** Reads a request's meaning out of its method, URL and body. `countWrite` is asked for the number of what may be a counted write. */
export function describeRequest(
  raw: RawRequest,
  countWrite: (request: Omit<ProxiedRequest, 'writeNumber'>) => number | undefined,
): ProxiedRequest {
  const url = new URL(raw.url, 'https://127.0.0.1');
  const place = placeOf(url.pathname);
  const verb = verbOf(raw.method, place, url.searchParams);
  const request = {
    number: raw.number,
    atMs: performance.now(),
    method: raw.method,
    path: url.pathname,
    query: url.searchParams,
    verb,
    ...place,
    body: parsedBody(raw.bodyText),
    user: raw.user,
    isWatch: verb === 'watch',
    isWrite: writeVerbs.has(verb) && !reviewGroups.has(place.group) && !url.searchParams.has('dryRun'),
  };
  return { ...request, writeNumber: countWrite(request) };
}
