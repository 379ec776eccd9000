import { crdYaml } from '../../src/manifest/crd-yaml.ts';
import { rbacOf } from '../../src/manifest/rbac.ts';
import { nodePool } from '../../machines/nodepool/definition.ts';
import type { ControlPlane } from '../control-plane/control-plane.ts';
import { eventually } from '../control-plane/eventually.ts';

export const poolsPath = '/apis/ack.alibabacloud.com/v1/nodepools';

/** A NodePool as stored, as far as the scenarios read it. */
export interface StoredPool {
  readonly metadata: { readonly name: string; readonly uid: string; readonly resourceVersion: string; readonly generation: number };
  readonly spec: { readonly minSize: number; readonly maxSize: number };
  readonly status: {
    readonly phase: string;
    readonly actualReplicas?: number;
    readonly observedGeneration: number;
    readonly conditions?: readonly { readonly type: string; readonly status: string; readonly reason: string; readonly message: string }[];
    readonly lifecycle: {
      readonly state: string;
      readonly sequence: number;
      readonly lastCommand?: { readonly name: string; readonly result: string };
      readonly history?: readonly { readonly sequence: number; readonly from: string; readonly to: string; readonly event: string }[];
    };
  };
}

interface StoredNode {
  readonly metadata: { readonly name: string; readonly uid: string };
  readonly spec?: { readonly unschedulable?: boolean };
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

/** NodePools on one control plane, seen and changed as a person with kubectl would. */
export class Pools {
  readonly plane: ControlPlane;

  constructor(plane: ControlPlane) {
    this.plane = plane;
  }

  /** Installs the generated CRD and gives the user `operator` the generated rights. */
  async install(): Promise<void> {
    await this.plane.mustKubectl(['apply', '-f', '-'], { input: crdYaml(nodePool) });
    await this.plane.mustKubectl(['wait', '--for=condition=Established', 'crd/nodepools.ack.alibabacloud.com', '--timeout=30s']);
    await this.plane.grant('operator', rbacOf(nodePool).rules);
    await eventually(async () => (await this.plane.call({ path: poolsPath })).status === 200, { what: 'nodepools to be served' });
  }

  async apply(name: string, spec: { readonly minSize: number; readonly maxSize?: number; readonly disk?: string }): Promise<void> {
    const { minSize, maxSize = 10, disk = 'cloud_essd' } = spec;
    const manifest = {
      apiVersion: 'ack.alibabacloud.com/v1',
      kind: 'NodePool',
      metadata: { name },
      spec: { minSize, maxSize, systemDiskCategory: disk },
    };
    await this.plane.mustKubectl(['apply', '-f', '-'], { input: JSON.stringify(manifest) });
  }

  /** Undefined when there is none. */
  async get(name: string): Promise<StoredPool | undefined> {
    const answer = await this.plane.call({ path: `${poolsPath}/${name}` });
    return answer.status === 200 ? (answer.body as StoredPool) : undefined;
  }

  async nodes(pool: string): Promise<readonly StoredNode[]> {
    const answer = await this.plane.call({ path: '/api/v1/nodes' });
    return (answer.body as { items: StoredNode[] }).items.filter((node) => new RegExp(`^${pool}-\\d+$`).test(node.metadata.name));
  }

  async nodeNames(pool: string): Promise<readonly string[]> {
    return (await this.nodes(pool)).map((node) => node.metadata.name).toSorted();
  }

  /** Waits until the pool is in a phase with that many replicas and has seen its spec. */
  async until(name: string, phase: string, replicas?: number): Promise<StoredPool> {
    return await eventually(
      async () => {
        const pool = await this.get(name);
        const there = pool?.status.phase === phase && (replicas === undefined || pool.status.actualReplicas === replicas);
        return there && pool.status.observedGeneration === pool.metadata.generation ? pool : undefined;
      },
      { what: `${name} to be ${phase}${replicas === undefined ? '' : ` with ${replicas}`}`, withinMs: 60_000, everyMs: 30 },
    );
  }

  async untilGone(name: string): Promise<void> {
    await eventually(async () => (await this.get(name)) === undefined, { what: `${name} to be gone`, withinMs: 60_000, everyMs: 30 });
  }

  async deleteNow(name: string): Promise<void> {
    await this.plane.call({ method: 'DELETE', path: `${poolsPath}/${name}` });
  }

  /** Says that a node is Ready or not, as its kubelet would. */
  async setReady(node: string, ready: boolean): Promise<void> {
    const body = { status: { conditions: [{ type: 'Ready', status: ready ? 'True' : 'False', reason: 'Test', message: '' }] } };
    const path = `/api/v1/nodes/${node}/status`;
    await this.plane.call({ method: 'PATCH', path, contentType: 'application/strategic-merge-patch+json', body });
  }

  /** Every transition the API server stored for a pool, in order, read from the operator's writes in its audit log. */
  transitions(pool: string): readonly string[] {
    const states = this.plane
      .audit({ user: 'operator', resource: 'nodepools', subresource: 'status', name: pool, verb: 'patch', code: 200 })
      .map((entry) => (entry.responseBody as StoredPool).status.lifecycle);
    return states
      .filter(({ sequence }, index) => index === 0 || sequence !== states[index - 1]?.sequence)
      .map(({ state, sequence }) => `${sequence} ${state}`);
  }

  /** Names of the pool's nodes by what the operator did to them and the API server carried out. */
  effects(pool: string): { readonly created: readonly string[]; readonly deleted: readonly string[] } {
    const entries = this.plane.audit({ user: 'operator', resource: 'nodes', writes: true });
    const ours = entries.filter((entry) => entry.name?.startsWith(`${pool}-`));
    return {
      created: ours.filter((entry) => entry.verb === 'patch' && entry.code === 201).map((entry) => entry.name ?? ''),
      deleted: ours.filter((entry) => entry.verb === 'delete' && entry.code === 200).map((entry) => entry.name ?? ''),
    };
  }
}
