import { defineKindOf } from './kind.ts';
import type { KubernetesObject } from './kubernetes-object.ts';

/** The parts of a Node that lifecycles read. */
export interface NodeObject extends KubernetesObject {
  readonly spec?: { readonly unschedulable?: boolean };
  readonly status?: {
    readonly conditions?: readonly {
      readonly type: string;
      readonly status: string;
      readonly reason?: string;
      readonly message?: string;
    }[];
  };
}

/** The parts of a Pod that lifecycles read. Its owners are in `metadata.ownerReferences`. */
export interface PodObject extends KubernetesObject {
  /** `nodeName` is absent until the pod is scheduled. */
  readonly spec?: { readonly nodeName?: string };
  readonly status?: { readonly phase?: string };
}

/** The parts of a ConfigMap that lifecycles read. */
export interface ConfigMapObject extends KubernetesObject {
  readonly data?: Readonly<Record<string, string>>;
}

/** Nodes: cluster-scoped. */
export const Node = defineKindOf<NodeObject>({ apiVersion: 'v1', kind: 'Node', scope: 'Cluster' });
/** Pods: namespaced. */
export const Pod = defineKindOf<PodObject>({ apiVersion: 'v1', kind: 'Pod', scope: 'Namespaced' });
/** ConfigMaps: namespaced, without a generation. */
export const ConfigMap = defineKindOf<ConfigMapObject>({ apiVersion: 'v1', kind: 'ConfigMap', scope: 'Namespaced' });
