import { Agent, request as httpsRequest } from 'node:https';

export interface ApiAnswer {
  readonly status: number;
  /** Parsed where it is JSON, else the text. */
  readonly body: unknown;
}

export interface ApiCall {
  readonly method?: string;
  /** With its query. */
  readonly path: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Default `application/json`. */
  readonly contentType?: string;
  /** Default 10,000. */
  readonly timeoutMs?: number;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Bare calls to an API server over kept-alive HTTP/1.1: what the harness itself asks, with none of the code under test in between. */
export class ApiClient {
  readonly #origin: string;
  readonly #token: string;
  readonly #agent: Agent;

  constructor(server: { readonly origin: string; readonly caPem: string }, token: string) {
    this.#origin = server.origin;
    this.#token = token;
    this.#agent = new Agent({ ca: server.caPem, keepAlive: true });
  }

  /** Rejects only where no answer came. */
  call(call: ApiCall): Promise<ApiAnswer> {
    return new Promise((resolve, reject) => {
      const request = httpsRequest(new URL(call.path, this.#origin), {
        method: call.method ?? 'GET',
        agent: this.#agent,
        timeout: call.timeoutMs ?? 10_000,
        headers: {
          authorization: `Bearer ${this.#token}`,
          accept: 'application/json',
          'content-type': call.contentType ?? 'application/json',
        },
      });
      request.on('response', (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('error', reject);
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body: parsed(text) }));
      });
      request.on('timeout', () =>
        request.destroy(new Error(`no answer to ${call.method ?? 'GET'} ${call.path} in ${call.timeoutMs ?? 10_000} ms`)),
      );
      request.on('error', reject);
      request.end(call.body === undefined ? undefined : JSON.stringify(call.body));
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}
