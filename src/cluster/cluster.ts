import type { Clock } from '../clock/clock.ts';
import type { ServerTime } from '../clock/server-time.ts';
import type { Kind } from '../resource/kind.ts';
import type { DesiredObject, KubernetesObject } from '../resource/kubernetes-object.ts';
import { type ObjectKey, parseKey } from '../resource/object-key.ts';
import { resourcePath } from '../resource/resource-path.ts';
import { ApiError } from './api-error.ts';
import { asStatus, parseStatus } from './api-status.ts';
import { type ListedPage, readPages } from './read-pages.ts';
import type { DeleteResult } from './delete-result.ts';
import type { ListQuery } from './list-query.ts';
import { parseAnswer } from './parse-answer.ts';
import type { ApiRequest, ApiResponse, Transport } from './transport.ts';
import { withQuery } from './with-query.ts';

export interface ClusterOptions {
  readonly transport: Transport;
  readonly clock: Clock;
  /** Fed with the `Date` of each answer. */
  readonly time: ServerTime;
  /** 0 (included) to 1 (excluded). */
  readonly random: () => number;
}

export interface ListOptions extends ListQuery {
  /** At most so many objects; default all. */
  readonly limit?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface CreateOptions {
  readonly fieldManager?: string | undefined;
  readonly dryRun?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface PatchOptions {
  readonly fieldManager: string;
  /** How the body is meant. Default merge (RFC 7396), which cannot store null; json is a list of operations (RFC 6902). */
  readonly type?: 'merge' | 'json' | undefined;
  readonly subresource?: 'status' | undefined;
  readonly dryRun?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface ApplyOptions {
  readonly fieldManager: string;
  /** Take fields that another manager owns. Default false: a conflict is an `ApiError` 409. */
  readonly force?: boolean | undefined;
  readonly subresource?: string | undefined;
  readonly dryRun?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface DeleteOptions {
  /** Only this object, not another one of its name. */
  readonly uid: string;
  /** Only at this version. */
  readonly resourceVersion?: string | undefined;
  readonly propagationPolicy?: 'Background' | 'Foreground' | 'Orphan' | undefined;
  readonly gracePeriodSeconds?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The typed door to an API server. Reads are live and consistent; writes carry their preconditions.
 *
 * Errors: `ApiError` for what the server refuses, `ConnectionError` where no answer came.
 */
export class Cluster {
  readonly time: ServerTime;
  readonly clock: Clock;
  readonly random: () => number;
  readonly #transport: Transport;

  constructor(options: ClusterOptions) {
    this.#transport = options.transport;
    this.clock = options.clock;
    this.time = options.time;
    this.random = options.random;
  }

  /** Undefined when it does not exist. A kind that the server does not serve is an error. */
  async get<O extends KubernetesObject>(
    kind: Kind<O>,
    key: ObjectKey,
    options: { readonly signal?: AbortSignal } = {},
  ): Promise<O | undefined> {
    const request = { method: 'GET', path: resourcePath(kind, parseKey(key)), signal: options.signal } as const;
    const response = await this.send(request);
    if (response.status === 404 && parseStatus(response.body) !== undefined) return undefined;
    return answer<O>(request, response);
  }

  /** Everything at one version, read in pages of 500. */
  async list<O extends KubernetesObject>(
    kind: Kind<O>,
    options: ListOptions = {},
  ): Promise<{ readonly items: O[]; readonly resourceVersion: string }> {
    let items: O[] = [];
    const collect = (page: ListedPage<O>) => {
      items = page.first ? page.items : items.concat(page.items);
    };
    const resourceVersion = await readPages((request) => this.send(request), { kind, ...options, onPage: collect });
    return { items: options.limit === undefined ? items : items.slice(0, options.limit), resourceVersion };
  }

  /** Code `API_AlreadyExists` (409) when the name is taken. */
  async create<O extends KubernetesObject>(kind: Kind<O>, object: DesiredObject | object, options: CreateOptions = {}): Promise<O> {
    const path = withQuery(resourcePath(kind, { namespace: namespaceOf(object) }), {
      fieldManager: options.fieldManager,
      dryRun: options.dryRun ? 'All' : undefined,
    });
    return this.#write<O>({ method: 'POST', path, body: JSON.stringify(object), signal: options.signal });
  }

  /** A JSON merge patch, or a JSON patch. With `metadata.resourceVersion` in the body it happens at that version or not at all (`API_Conflict`). */
  // oxlint-disable-next-line max-params -- which object, what to change and how are three different things
  async patch<O extends KubernetesObject>(kind: Kind<O>, key: ObjectKey, body: unknown, options: PatchOptions): Promise<O> {
    const path = withQuery(resourcePath(kind, { ...parseKey(key), subresource: options.subresource }), {
      fieldManager: options.fieldManager,
      dryRun: options.dryRun ? 'All' : undefined,
    });
    const contentType = options.type === 'json' ? 'application/json-patch+json' : 'application/merge-patch+json';
    return this.#write<O>({ method: 'PATCH', path, body: JSON.stringify(body), contentType, signal: options.signal });
  }

  /** Server-side apply: creates, or makes the fields of the body ours and removes those that we no longer name. */
  // oxlint-disable-next-line max-params -- as for a patch
  async apply<O extends KubernetesObject>(kind: Kind<O>, key: ObjectKey, body: unknown, options: ApplyOptions): Promise<O> {
    const path = withQuery(resourcePath(kind, { ...parseKey(key), subresource: options.subresource }), {
      fieldManager: options.fieldManager,
      force: options.force ? 'true' : undefined,
      dryRun: options.dryRun ? 'All' : undefined,
    });
    const contentType = 'application/apply-patch+yaml';
    return this.#write<O>({ method: 'PATCH', path, body: JSON.stringify(body), contentType, signal: options.signal });
  }

  /** An object that is not there is `gone`; one with another UID or version is `API_Conflict` (409). */
  async delete(kind: Kind, key: ObjectKey, options: DeleteOptions): Promise<DeleteResult> {
    const { uid, resourceVersion, propagationPolicy, gracePeriodSeconds } = options;
    const body = {
      kind: 'DeleteOptions',
      apiVersion: 'v1',
      preconditions: { uid, resourceVersion },
      propagationPolicy,
      gracePeriodSeconds,
    };
    const path = resourcePath(kind, parseKey(key));
    const request = { method: 'DELETE', path, body: JSON.stringify(body), signal: options.signal } as const;
    const response = await this.send(request);
    if (response.status === 404 && parseStatus(response.body) !== undefined) return { type: 'gone' };
    return deleteResultOf(answer<KubernetesObject>(request, response));
  }

  /** Asks for a pod to leave; `blocked` when a PodDisruptionBudget forbids it now. Only this pod, not another one of its name. */
  async evict(pod: KubernetesObject, options: { readonly signal?: AbortSignal } = {}): Promise<'evicted' | 'gone' | 'blocked'> {
    const { name, namespace, uid } = pod.metadata;
    const path = resourcePath(podKind, { namespace, name, subresource: 'eviction' });
    const body = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace }, deleteOptions: { preconditions: { uid } } };
    const request = { method: 'POST', path, body: JSON.stringify(body), signal: options.signal } as const;
    const response = await this.send(request);
    if (response.status < 300) return 'evicted';
    const error = ApiError.of(describe(request), response);
    if (response.status === 404 && error.reason === 'NotFound') return 'gone';
    if (response.status === 429 && error.hasCause('DisruptionBudget')) return 'blocked';
    if (response.status === 409 && (await this.#isReplaced(pod))) return 'gone';
    throw error;
  }

  /** One request; its answer's `Date` feeds the server's time. Any status is an answer. */
  async send(request: ApiRequest): Promise<ApiResponse> {
    const sentMs = this.clock.monotonicMs();
    const response = await this.#transport.request(request);
    const date = response.headers['date'];
    if (date !== undefined) this.time.observe(date, sentMs, this.clock.monotonicMs());
    return response;
  }

  async #write<O>(request: ApiRequest): Promise<O> {
    return answer<O>(request, await this.send(request));
  }

  async #isReplaced(pod: KubernetesObject): Promise<boolean> {
    const { name, namespace } = pod.metadata;
    const stored = await this.get(podKind, namespace === undefined ? name : `${namespace}/${name}`);
    return stored?.metadata.uid !== pod.metadata.uid;
  }
}

const podKind: Kind = { apiVersion: 'v1', kind: 'Pod', plural: 'pods', scope: 'Namespaced' };

function describe(request: ApiRequest): string {
  return `${request.method} ${request.path}`;
}

// oxlint-disable-next-line no-unnecessary-type-parameters -- the caller's kind names the type
function answer<O>(request: ApiRequest, response: ApiResponse): O {
  if (response.status >= 200 && response.status < 300) return parseAnswer<O>(describe(request), response.body);
  throw ApiError.of(describe(request), response);
}

function namespaceOf(object: object): string | undefined {
  const metadata = 'metadata' in object ? object.metadata : undefined;
  if (typeof metadata !== 'object' || metadata === null || !('namespace' in metadata)) return undefined;
  return typeof metadata.namespace === 'string' ? metadata.namespace : undefined;
}

/** Some kinds answer a finished delete with a Status, some with the last object; one that is still stored has a reason to be. */
function deleteResultOf(object: KubernetesObject): DeleteResult {
  if (asStatus(object) !== undefined) return { type: 'gone' };
  const { deletionTimestamp, finalizers } = object.metadata;
  const graceSeconds = 'deletionGracePeriodSeconds' in object.metadata ? object.metadata.deletionGracePeriodSeconds : undefined;
  const waits = (finalizers?.length ?? 0) > 0 || (typeof graceSeconds === 'number' && graceSeconds > 0);
  return deletionTimestamp !== undefined && waits ? { type: 'deleting', object } : { type: 'gone' };
}
