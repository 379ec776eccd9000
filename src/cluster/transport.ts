/** One request and its whole answer. */
export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path with query, from the API server's root. */
  readonly path: string;
  readonly body?: string | undefined;
  /** Default `application/json`. */
  readonly contentType?: string | undefined;
  /** Default `application/json`. */
  readonly accept?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** From the call to the last byte of the answer, waiting for a connection included. Default 30,000. */
  readonly timeoutMs?: number | undefined;
}

/** What the server answered. Any status is an answer. */
export interface ApiResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A stream of lines that goes on until the server or the caller ends it. */
export interface WatchRequest {
  /** Path with query, from the API server's root. */
  readonly path: string;
  readonly signal: AbortSignal;
  /** No byte for so long: the line is dead. */
  readonly silenceMs: number;
  /** Runs once when the server has accepted the watch (status 200), before the first line. */
  readonly onOpen?: ((response: Pick<ApiResponse, 'status' | 'headers'>) => void) | undefined;
}

/**
 * The connection to one API server.
 *
 * Errors: `ConnectionError` (disposition retry) for faults of the network, a timeout or an abort; every HTTP status resolves.
 */
export interface Transport {
  request(request: ApiRequest): Promise<ApiResponse>;
  /**
   * Calls `onLine` for each line, in order. Resolves when the server ends the stream cleanly, or with its answer where that is
   * not 200; rejects when the stream was cut (also inside a line), silent or aborted. An error thrown by `onLine` ends the
   * stream and is what the promise rejects with.
   */
  watch(request: WatchRequest, onLine: (line: string) => void): Promise<ApiResponse>;
  /** Ends every exchange; requests that are under way reject. */
  close(): Promise<void>;
}
