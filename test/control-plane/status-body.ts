import type { ProxiedRequest } from './proxied-request.ts';

/** The refusals that the proxy can give in the API server's stead. */
export type RefusalStatus = 401 | 403 | 404 | 409 | 410 | 429 | 500 | 503;

/** `metav1.Status`, as an API server words a failure. */
export interface StatusBody {
  readonly kind: 'Status';
  readonly apiVersion: 'v1';
  readonly metadata: Record<string, never>;
  readonly status: 'Failure';
  readonly message: string;
  readonly reason: string;
  readonly details?: { readonly name?: string; readonly group?: string; readonly kind?: string; readonly retryAfterSeconds?: number };
  readonly code: number;
}

function wordsFor(status: RefusalStatus, request: ProxiedRequest): readonly [reason: string, message: string] {
  const resource = request.group === '' ? (request.resource ?? '') : `${request.resource}.${request.group}`;
  switch (status) {
    case 401:
      return ['Unauthorized', 'Unauthorized'];
    case 403:
      return [
        'Forbidden',
        `${resource} "${request.name ?? ''}" is forbidden: User "${request.user}" cannot ${request.verb} resource "${request.resource}"`,
      ];
    case 404:
      return ['NotFound', `${resource} "${request.name ?? ''}" not found`];
    case 409:
      return [
        'Conflict',
        `Operation cannot be fulfilled on ${resource} "${request.name ?? ''}": the object has been modified; please apply your changes to the latest version and try again`,
      ];
    case 410:
      return ['Expired', `too old resource version: ${request.query.get('resourceVersion') ?? '0'} (1)`];
    case 429:
      return ['TooManyRequests', 'The server has received too many requests and has asked us to try again later'];
    case 500:
      return ['InternalError', 'Internal error occurred: the fault proxy was told to say so'];
    case 503:
      return ['ServiceUnavailable', 'The server is currently unable to handle the request'];
    default:
      return status satisfies never;
  }
}

/** The body of a refusal of this request. `retryAfterSeconds` belongs to 429 and 503, and goes into the `Retry-After` header as well. */
export function statusBody(status: RefusalStatus, request: ProxiedRequest, retryAfterSeconds?: number): StatusBody {
  const [reason, message] = wordsFor(status, request);
  const details = {
    ...(request.name === undefined ? {} : { name: request.name }),
    ...(request.group === '' ? {} : { group: request.group }),
    ...(request.resource === undefined ? {} : { kind: request.resource }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  };
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, details, code: status };
}

/** A watch's last line when the server cannot go on from where the client is (410) or at all (500). */
export function errorEventLine(status: RefusalStatus, request: ProxiedRequest): string {
  return `${JSON.stringify({ type: 'ERROR', object: statusBody(status, request) })}\n`;
}
