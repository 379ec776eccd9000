import { type Disposition, PhasekeeperError } from '../failure/phasekeeper-error.ts';
import { type ApiStatus, type ApiStatusDetails, parseStatus } from './api-status.ts';
import type { ApiResponse } from './transport.ts';

export interface ApiErrorOptions {
  /** Method and path, for the message. */
  readonly what: string;
  readonly status: number;
  readonly body?: ApiStatus | undefined;
  /** What the server said where it sent no Status. */
  readonly text?: string | undefined;
  /** Value of the `Retry-After` header. */
  readonly retryAfter?: string | undefined;
  /** It came as an ERROR event of a watch, not as an answer. */
  readonly inStream?: boolean | undefined;
}

const longestTextChars = 300;

/** These may pass when tried again; every other 4xx will not. */
const passing: ReadonlySet<number> = new Set([401, 408, 409, 410, 429]);

/** The API server refused. Code `API_<reason>`: `API_Conflict`, `API_NotFound`. */
export class ApiError extends PhasekeeperError {
  override readonly name = 'ApiError';
  /** HTTP status. */
  readonly status: number;
  /** `metav1.StatusReason`: `Conflict`, `Invalid`; `Http<status>` where the server named none. */
  readonly reason: string;
  readonly details: ApiStatusDetails | undefined;
  /** What the server asked us to wait; undefined when it did not. */
  readonly retryAfterMs: number | undefined;

  constructor(options: ApiErrorOptions) {
    const { what, status, body } = options;
    const reason = body?.reason ?? `Http${status}`;
    const path = what.split('?', 1)[0] ?? what;
    const said = body?.message ?? options.text?.trim().slice(0, longestTextChars);
    const hint = hintFor(status, body);
    super(`${path}: ${said || `HTTP ${status}`}`, {
      code: `API_${reason}`,
      disposition: dispositionOf(status),
      data: {
        status,
        reason,
        request: path,
        ...(options.inStream ? { inStream: true } : {}),
        ...(body?.details === undefined ? {} : { details: body.details }),
      },
      ...(hint === undefined ? {} : { hint }),
    });
    this.status = status;
    this.reason = reason;
    this.details = body?.details;
    this.retryAfterMs = retryAfterMs(options.retryAfter, body?.details?.retryAfterSeconds);
  }

  /** The error an answer stands for. @param what method and path */
  static of(what: string, response: ApiResponse): ApiError {
    const body = parseStatus(response.body);
    return new ApiError({ what, status: response.status, body, text: response.body, retryAfter: response.headers['retry-after'] });
  }

  /** Whether a cause of that reason is given, as `DisruptionBudget` is for an eviction. */
  hasCause(reason: string): boolean {
    return this.details?.causes?.some((cause) => cause.reason === reason) ?? false;
  }
}

function dispositionOf(status: number): Disposition {
  return status >= 500 || passing.has(status) ? 'retry' : 'terminal';
}

function hintFor(status: number, body: ApiStatus | undefined): string | undefined {
  if (status === 401) return 'the token or client certificate is not accepted; log in again';
  if (status === 403) return 'grant the verb and resource named above, or check with: kubectl auth can-i --list';
  if (status === 404 && body === undefined) return 'the server does not serve this resource; is its CRD installed? kubectl get crd';
  return undefined;
}

/** The header carries whole seconds; its other form, a date, is not used by API servers. */
function retryAfterMs(header: string | undefined, detailSeconds: number | undefined): number | undefined {
  const seconds = header !== undefined && /^\d+$/.test(header.trim()) ? Number(header) : detailSeconds;
  return seconds === undefined ? undefined : seconds * 1_000;
}
