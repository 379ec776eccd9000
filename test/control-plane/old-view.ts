import type { UpstreamAnswer, UpstreamCall, UpstreamConnection } from './upstream-connection.ts';
import { wholeBody } from './upstream-connection.ts';
import type { ProxiedRequest } from './proxied-request.ts';
import { statusBody } from './status-body.ts';

export interface OldAnswer {
  readonly status: number;
  readonly body: string;
}

interface ObjectList {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly resourceVersion: string };
  readonly items: readonly object[];
}

/** What a watch finds at the old point: the lines that bring its cache there, and the watch that goes on from it. */
export interface OldWatch {
  readonly lines: readonly string[];
  /** What to ask the API server instead. */
  readonly url: string;
}

const initialEventsEnd = { 'k8s.io/initial-events-end': 'true' };

/**
 * Answers reads as the API server would have at an earlier resourceVersion, from the API server itself (lists at an exact version), so what
 * is served is a state that was, whole and consistent.
 */
export class OldView {
  readonly #upstream: UpstreamConnection;
  readonly #resourceVersion: string;

  constructor(upstream: UpstreamConnection, resourceVersion: string) {
    this.#upstream = upstream;
    this.#resourceVersion = resourceVersion;
  }

  async list(request: ProxiedRequest, call: UpstreamCall): Promise<OldAnswer> {
    const query = new URLSearchParams(request.query);
    // A continued list stays at the version of its first page by itself.
    if (!query.has('continue')) this.#pin(query);
    return this.#ask(`${request.path}?${query}`, call);
  }

  async get(request: ProxiedRequest, call: UpstreamCall): Promise<OldAnswer> {
    const collection = request.path.slice(0, request.path.lastIndexOf(`/${request.name}`));
    const query = new URLSearchParams({ fieldSelector: `metadata.name=${request.name}` });
    this.#pin(query);
    const answer = await this.#ask(`${collection}?${query}`, call);
    if (answer.status !== 200) return answer;
    const list: ObjectList = JSON.parse(answer.body);
    const item = list.items[0];
    if (!item) return { status: 404, body: JSON.stringify(statusBody(404, request)) };
    return { status: 200, body: JSON.stringify(typed(list, item)) };
  }

  /** For a watch that starts from "now" or asks for initial events; one that names a version just goes on from there. */
  async watch(request: ProxiedRequest, call: UpstreamCall): Promise<OldWatch | undefined> {
    const from = request.query.get('resourceVersion') ?? '';
    const wantsInitial = request.query.get('sendInitialEvents') === 'true';
    if (!wantsInitial && from !== '' && from !== '0') return undefined;
    const query = new URLSearchParams();
    for (const name of ['labelSelector', 'fieldSelector']) {
      const value = request.query.get(name);
      if (value !== null) query.set(name, value);
    }
    this.#pin(query);
    const answer = await this.#ask(`${request.path}?${query}`, call);
    if (answer.status !== 200) return undefined;
    const list: ObjectList = JSON.parse(answer.body);
    const onward = new URLSearchParams(request.query);
    for (const name of ['sendInitialEvents', 'resourceVersionMatch']) onward.delete(name);
    onward.set('resourceVersion', list.metadata.resourceVersion);
    return { lines: initialLines(list, wantsInitial), url: `${request.path}?${onward}` };
  }

  #pin(query: URLSearchParams): void {
    query.set('resourceVersion', this.#resourceVersion);
    query.set('resourceVersionMatch', 'Exact');
  }

  async #ask(url: string, call: UpstreamCall): Promise<OldAnswer> {
    const headers = { ...call.headers, accept: 'application/json' };
    delete headers['accept-encoding'];
    const answer: UpstreamAnswer = await this.#upstream.call({ ...call, url, headers });
    const body = await wholeBody(answer.stream);
    if (!body) throw new Error('the API server broke off an old list');
    return { status: answer.status, body: body.toString('utf8') };
  }
}

/** Items of a list do not say what they are; the list does. */
function typed(list: ObjectList, item: object): object {
  return { apiVersion: list.apiVersion, kind: list.kind.replace(/List$/, ''), ...item };
}

function initialLines(list: ObjectList, withBookmark: boolean): readonly string[] {
  const added = list.items.map((item) => ({ type: 'ADDED', object: typed(list, item) }));
  const metadata = { resourceVersion: list.metadata.resourceVersion, annotations: initialEventsEnd };
  const bookmark = { type: 'BOOKMARK', object: { ...typed(list, {}), metadata } };
  return [...added, ...(withBookmark ? [bookmark] : [])].map((line) => `${JSON.stringify(line)}\n`);
}
