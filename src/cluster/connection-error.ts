import { PhasekeeperError } from '../failure/phasekeeper-error.ts';

/** What went wrong between this process and the API server. */
export type ConnectionFault =
  | 'CONNECTION_REFUSED'
  | 'CONNECTION_FAILED'
  | 'CONNECTION_TLS'
  | 'CONNECTION_NOT_HTTP2'
  | 'CONNECTION_TIMEOUT'
  | 'CONNECTION_CUT'
  | 'CONNECTION_SILENT'
  | 'CONNECTION_ABORTED'
  | 'CONNECTION_CLOSED'
  | 'CONNECTION_GARBLED'
  /** The server says that it has not looked at the request: any method may be sent again. */
  | 'CONNECTION_STREAM_REFUSED';

export interface ConnectionErrorOptions {
  readonly code: ConnectionFault;
  readonly data?: Readonly<Record<string, unknown>>;
  readonly hint?: string;
  readonly cause?: unknown;
}

/** No answer came. A write may or may not have happened: read again before deciding. */
export class ConnectionError extends PhasekeeperError {
  override readonly name = 'ConnectionError';

  constructor(message: string, options: ConnectionErrorOptions) {
    super(message, { ...options, disposition: 'retry' });
  }
}
