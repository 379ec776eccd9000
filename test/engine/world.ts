import { onTestFinished } from 'vitest';
import type { Lifecycle } from '../../src/definition/lifecycle.ts';
import type { LifecycleRecord } from '../../src/definition/lifecycle-record.ts';
import { crdOf } from '../../src/manifest/crd.ts';
import type { Condition } from '../../src/resource/condition.ts';
import type { Kind } from '../../src/resource/kind.ts';
import type { KubernetesObject } from '../../src/resource/kubernetes-object.ts';
import { resourcePath } from '../../src/resource/resource-path.ts';
import type { ControlPlane } from '../control-plane/control-plane.ts';
import { eventually } from '../control-plane/eventually.ts';
import { FaultProxy } from '../control-plane/fault-proxy.ts';
import type { ProxiedRequest } from '../control-plane/proxied-request.ts';
import { type Operator, startOperator } from './operator.ts';

/** A stored object of a kind that the operator owns. */
export interface Stored extends KubernetesObject {
  readonly spec: Readonly<Record<string, unknown>>;
  readonly status: {
    readonly phase: string;
    readonly observedGeneration: number;
    readonly lifecycle: LifecycleRecord;
    readonly conditions?: readonly Condition[];
    readonly [field: string]: unknown;
  };
}

export interface CreateOptions {
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
}

const installed = new WeakMap<ControlPlane, Set<string>>();
let worlds = 0;

/** What one test sees: its namespace, its lifecycle's objects, the operator's way to the API server with its faults. */
export class World {
  readonly plane: ControlPlane;
  readonly proxy: FaultProxy;
  readonly lifecycle: Lifecycle;
  /** Undefined for a cluster-scoped kind. */
  readonly namespace: string | undefined;

  private constructor(plane: ControlPlane, proxy: FaultProxy, lifecycle: Lifecycle, namespace: string | undefined) {
    this.plane = plane;
    this.proxy = proxy;
    this.lifecycle = lifecycle;
    this.namespace = namespace;
  }

  /** Installs the lifecycle's CRD if need be; the world ends with the test. */
  static async open(plane: ControlPlane, lifecycle: Lifecycle): Promise<World> {
    await installCrd(plane, lifecycle);
    const namespace = lifecycle.kind.scope === 'Cluster' ? undefined : `world-${++worlds}`;
    if (namespace !== undefined) {
      await must(plane, {
        method: 'POST',
        path: '/api/v1/namespaces',
        body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
      });
    }
    const proxy = await FaultProxy.start(plane);
    onTestFinished(() => proxy.stop());
    return new World(plane, proxy, lifecycle, namespace);
  }

  /** Starts an operator behind the proxy; default of the world's own lifecycle. */
  operator(
    lifecycle: Lifecycle = this.lifecycle,
    options: { readonly instance?: string; readonly events?: boolean } = {},
  ): Promise<Operator> {
    return startOperator({ kubeconfig: this.proxy.kubeconfig('operator'), lifecycles: [lifecycle], namespace: this.namespace, ...options });
  }

  create(name: string, spec: Readonly<Record<string, unknown>>, options: CreateOptions = {}): Promise<Stored> {
    const { apiVersion, kind } = this.lifecycle.kind;
    const metadata = { name, ...(this.namespace === undefined ? {} : { namespace: this.namespace }), ...options };
    return must<Stored>(this.plane, { method: 'POST', path: this.path(this.lifecycle.kind), body: { apiVersion, kind, metadata, spec } });
  }

  /** Undefined when it does not exist. */
  async find<O extends KubernetesObject = KubernetesObject>(kind: Kind<O>, name: string): Promise<O | undefined> {
    const { status, body } = await this.plane.call({ path: this.path(kind, name) });
    if (status === 404) return undefined;
    if (status !== 200) throw new Error(`GET ${kind.kind} ${name}: ${status} ${JSON.stringify(body)}`);
    return body as O;
  }

  async get<O extends KubernetesObject>(kind: Kind<O>, name: string): Promise<O> {
    const found = await this.find(kind, name);
    if (found === undefined) throw new Error(`${kind.kind} ${name} does not exist`);
    return found;
  }

  /** The object under test, as stored. */
  stored(name: string): Promise<Stored> {
    return this.get<Stored>(this.lifecycle.kind as Kind<Stored>, name);
  }

  async list<O extends KubernetesObject>(kind: Kind<O>, query = ''): Promise<readonly O[]> {
    const { items } = await must<{ readonly items: readonly O[] }>(this.plane, { path: `${this.path(kind)}${query}` });
    return items;
  }

  /** A merge patch by the admin. */
  patch<O extends KubernetesObject>(kind: Kind<O>, name: string, body: object, subresource = ''): Promise<O> {
    const path = `${this.path(kind, name)}${subresource}`;
    return must<O>(this.plane, { method: 'PATCH', path, body, contentType: 'application/merge-patch+json' });
  }

  spec(name: string, spec: Readonly<Record<string, unknown>>): Promise<KubernetesObject> {
    return this.patch(this.lifecycle.kind, name, { spec });
  }

  annotate(kind: Kind, name: string, annotations: Readonly<Record<string, string | null>>): Promise<KubernetesObject> {
    return this.patch(kind, name, { metadata: { annotations } });
  }

  async remove(kind: Kind, name: string): Promise<void> {
    await must(this.plane, { method: 'DELETE', path: this.path(kind, name) });
  }

  /** Takes an object away without anybody's consent. */
  async erase(kind: Kind, name: string): Promise<void> {
    await this.remove(kind, name);
    if ((await this.find(kind, name)) !== undefined) await this.patch(kind, name, { metadata: { finalizers: null } });
  }

  make(kind: Kind, body: object): Promise<KubernetesObject> {
    return must(this.plane, { method: 'POST', path: this.path(kind), body: { apiVersion: kind.apiVersion, kind: kind.kind, ...body } });
  }

  /** Waits until the object satisfies the predicate; what it throws means not yet. */
  until(name: string, what: string, holds: (stored: Stored) => boolean | void): Promise<Stored> {
    return eventually(
      async () => {
        const stored = await this.stored(name);
        return holds(stored) === false ? Promise.reject(new Error(JSON.stringify(stored.status ?? null))) : stored;
      },
      { what: `${name}: ${what}` },
    );
  }

  /** Waits for a phase. */
  reaches(name: string, phase: string): Promise<Stored> {
    return this.until(name, `phase ${phase}`, ({ status }) => status?.phase === phase);
  }

  /** Waits for a phase whose spec is taken care of: what is asked now was observed. */
  settles(name: string, phase: string): Promise<Stored> {
    return this.until(
      name,
      `to settle in ${phase}`,
      ({ status, metadata }) => status?.phase === phase && status.observedGeneration === metadata.generation,
    );
  }

  /** Waits until one of the three conditions holds for a reason. */
  shows(name: string, type: 'Ready' | 'Reconciling' | 'Stalled', reason: string): Promise<Condition> {
    return eventually(
      async () => {
        const { status } = await this.stored(name);
        const found = status?.conditions?.find(
          (condition) => condition.type === type && condition.status === 'True' && condition.reason === reason,
        );
        return found ?? Promise.reject(new Error(JSON.stringify(status ?? null)));
      },
      { what: `${name}: ${type} for ${reason}` },
    );
  }

  gone(kind: Kind, name: string): Promise<true> {
    return eventually(async () => (await this.find(kind, name)) === undefined, { what: `${kind.kind} ${name} to be gone` });
  }

  /** Kubernetes Events about the object, oldest first. */
  async events(name: string): Promise<readonly { readonly reason: string; readonly message: string; readonly type: string }[]> {
    const path = `/api/v1/namespaces/${this.namespace ?? 'default'}/events?fieldSelector=involvedObject.name%3D${name}`;
    const { items } = await must<{
      readonly items: readonly { readonly reason: string; readonly message: string; readonly type: string; readonly eventTime: string }[];
    }>(this.plane, { path });
    return items.toSorted((one, other) => one.eventTime.localeCompare(other.eventTime));
  }

  /** The operator's writes so far, Events apart. */
  writes(): readonly ProxiedRequest[] {
    return this.proxy.requests((request) => request.isWrite && request.resource !== 'events');
  }

  /** Which requests of the proxy are about the objects under test. */
  readonly isPrimary = (request: ProxiedRequest): boolean => request.resource === this.lifecycle.kind.plural;

  readonly isStatusWrite = (request: ProxiedRequest): boolean =>
    this.isPrimary(request) && request.subresource === 'status' && request.isWrite;

  path(kind: Kind, name?: string): string {
    const namespace = kind.scope === 'Namespaced' ? (this.namespace ?? 'default') : undefined;
    return resourcePath(kind, { ...(namespace === undefined ? {} : { namespace }), ...(name === undefined ? {} : { name }) });
  }
}

/** `Pending > Building > Running`: the phases an object went through, as its history says. */
export function wayOf(stored: Stored): string {
  const history = stored.status.lifecycle.history ?? [];
  return [history[0]?.from, ...history.map(({ to }) => to)].join(' > ');
}

async function installCrd(plane: ControlPlane, lifecycle: Lifecycle): Promise<void> {
  const known = installed.get(plane) ?? new Set();
  installed.set(plane, known);
  if (known.size === 0) await plane.grant('operator', [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }]);
  const crd = crdOf(lifecycle);
  const { name } = crd.metadata;
  if (known.has(name)) return;
  await must(plane, { method: 'POST', path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', body: crd });
  await eventually(async () => (await plane.call({ path: resourcePath(lifecycle.kind, {}) })).status === 200, {
    what: `${name} to be served`,
    everyMs: 20,
  });
  known.add(name);
}

async function must<Answer>(plane: ControlPlane, call: Parameters<ControlPlane['call']>[0]): Promise<Answer> {
  const { status, body } = await plane.call(call);
  if (status >= 300) throw new Error(`${call.method ?? 'GET'} ${call.path}: ${status} ${JSON.stringify(body)}`);
  return body as Answer;
}
