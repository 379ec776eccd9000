import type { KubernetesObject } from '../../src/resource/kubernetes-object.ts';
import { defineKindOf } from '../../src/resource/kind.ts';
import type { Exchange } from './exchange.ts';

/** The kind that the fake API stores. */
export const configMap = defineKindOf<KubernetesObject>({ apiVersion: 'v1', kind: 'ConfigMap', scope: 'Namespaced' });

interface StoredEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly version: number;
  readonly object: KubernetesObject;
}

/** What a continue token stands for. */
interface ListSnapshot {
  readonly version: string;
  readonly rest: readonly KubernetesObject[];
}

/** A Status as an API server sends it. */
export function status(code: number, reason: string, more: Readonly<Record<string, unknown>> = {}): unknown {
  return { kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason, message: `${reason} (${code})`, ...more };
}

/** One collection with versions, history, lists in pages and watches; the smallest thing that a reflector can tell from a server. */
export class FakeApi {
  watchList = true;
  pageSize = Number.POSITIVE_INFINITY;
  /** Watches accept and then say nothing, and do not hear of changes. */
  silent = false;
  readonly requests: Exchange[] = [];
  readonly #objects = new Map<string, KubernetesObject>();
  readonly #watches = new Set<Exchange>();
  readonly #tokens = new Map<string, ListSnapshot>();
  #events: StoredEvent[] = [];
  #version = 100;
  #uids = 0;
  #compacted = 0;
  mostWatches = 0;

  get version(): string {
    return String(this.#version);
  }

  get watches(): number {
    return this.#watches.size;
  }

  get lists(): readonly Exchange[] {
    return this.requests.filter((request) => !request.isWatch);
  }

  get watchRequests(): readonly Exchange[] {
    return this.requests.filter((request) => request.isWatch);
  }

  /** Name and version of each stored object, to compare with a cache. */
  content(): readonly string[] {
    return [...this.#objects.values()].map(({ metadata }) => `${metadata.name}@${metadata.resourceVersion}`).toSorted();
  }

  put(name: string, data: Readonly<Record<string, string>> = {}): KubernetesObject {
    const previous = this.#objects.get(name);
    const uid = previous?.metadata.uid ?? `uid-${++this.#uids}`;
    const object = this.#stored(name, uid, data);
    this.#objects.set(name, object);
    this.#tell({ type: previous === undefined ? 'ADDED' : 'MODIFIED', version: this.#version, object });
    return object;
  }

  delete(name: string): KubernetesObject | undefined {
    const previous = this.#objects.get(name);
    if (previous === undefined) return undefined;
    this.#objects.delete(name);
    const object = { ...previous, metadata: { ...previous.metadata, resourceVersion: String(++this.#version) } };
    this.#tell({ type: 'DELETED', version: this.#version, object });
    return object;
  }

  /** Forgets the past: a watch from before now is answered 410, and so is every continue token. */
  compact(): void {
    this.#events = [];
    this.#compacted = this.#version;
    this.#tokens.clear();
  }

  bookmark(annotations?: Readonly<Record<string, string>>): void {
    for (const watch of this.#watches) watch.line(this.#bookmark(annotations));
  }

  /** Puts a line into every open watch. */
  send(line: unknown): void {
    for (const watch of this.#watches) watch.line(line);
  }

  sendText(text: string): void {
    for (const watch of this.#watches) watch.text(text);
  }

  /** Ends every open watch: in good order, or with a cut. */
  endWatches(how: 'end' | 'cut'): void {
    for (const watch of this.#watches) watch[how]();
  }

  readonly handle = (exchange: Exchange): void => {
    this.requests.push(exchange);
    if (exchange.isWatch) this.#watch(exchange);
    else this.#list(exchange);
  };

  #watch(exchange: Exchange): void {
    const initial = exchange.query.get('sendInitialEvents') === 'true';
    const from = exchange.query.get('resourceVersion');
    if (initial && !this.watchList) {
      exchange.answer(422, status(422, 'Invalid', { message: 'sendInitialEvents is forbidden' }));
      return;
    }
    if (from !== null && Number(from) < this.#compacted) {
      exchange.answer(410, status(410, 'Expired'));
      return;
    }
    exchange.open();
    exchange.onClose(() => this.#watches.delete(exchange));
    this.#watches.add(exchange);
    this.mostWatches = Math.max(this.mostWatches, this.#watches.size);
    if (this.silent) return;
    if (initial) {
      for (const object of this.#objects.values()) exchange.line({ type: 'ADDED', object });
      exchange.line(this.#bookmark({ 'k8s.io/initial-events-end': 'true' }));
    }
    if (from !== null)
      for (const event of this.#events) if (event.version > Number(from)) exchange.line({ type: event.type, object: event.object });
  }

  #list(exchange: Exchange): void {
    const token = exchange.query.get('continue');
    const snapshot = token === null ? { version: this.version, rest: [...this.#objects.values()] } : this.#tokens.get(token);
    if (snapshot === undefined) {
      exchange.answer(410, status(410, 'Expired'));
      return;
    }
    const limit = Math.min(this.pageSize, Number(exchange.query.get('limit') ?? Number.POSITIVE_INFINITY));
    const rest = snapshot.rest.slice(limit);
    const next = rest.length === 0 ? undefined : `token-${this.requests.length}`;
    if (next !== undefined) this.#tokens.set(next, { version: snapshot.version, rest });
    const items = snapshot.rest.slice(0, limit).map(({ apiVersion: _, kind: __, ...item }) => item);
    const metadata = { resourceVersion: snapshot.version, continue: next };
    exchange.answer(200, { kind: 'ConfigMapList', apiVersion: 'v1', metadata, items });
  }

  #stored(name: string, uid: string, data: Readonly<Record<string, string>>): KubernetesObject {
    const resourceVersion = String(++this.#version);
    return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default', uid, resourceVersion }, data };
  }

  #tell(event: StoredEvent): void {
    this.#events.push(event);
    if (this.silent) return;
    for (const watch of this.#watches) watch.line({ type: event.type, object: event.object });
  }

  #bookmark(annotations?: Readonly<Record<string, string>>): unknown {
    const metadata = { resourceVersion: this.version, ...(annotations === undefined ? {} : { annotations }) };
    return { type: 'BOOKMARK', object: { apiVersion: 'v1', kind: 'ConfigMap', metadata } };
  }
}
