import type { AnyView } from '../../src/definition/view.ts';
import type { KubernetesObject } from '../../src/resource/kubernetes-object.ts';

/** A node in few words; ready, open, with the asked disk, unless it says otherwise. */
export interface NodeSketch {
  readonly ordinal?: number;
  /** Default `demo-<ordinal>`. */
  readonly name?: string;
  readonly ready?: boolean;
  readonly cordoned?: boolean;
  readonly deleting?: boolean;
  readonly disk?: string;
}

const asked = { minSize: 2, maxSize: 10, systemDiskCategory: 'cloud_essd' };

/** What the pool `demo` sees. Spec and accepted are those of the sample, changed as given; `spec` starts from the sample. */
export function viewOf(seen: {
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly accepted?: Readonly<Record<string, unknown>>;
  readonly nodes: readonly NodeSketch[];
}): AnyView {
  return {
    object: { name: 'demo', uid: 'uid-demo', resourceVersion: '1' },
    spec: { ...asked, ...seen.spec, ...(seen.spec === undefined ? seen.accepted : {}) },
    accepted: { ...asked, ...seen.accepted },
    stable: undefined,
    memory: { attempts: 0 },
    dependents: { nodes: seen.nodes.map(nodeObject) },
    watches: { pods: [] },
    probes: {},
  };
}

function nodeObject({
  ordinal,
  name,
  ready = true,
  cordoned = false,
  deleting = false,
  disk = 'cloud_essd',
}: NodeSketch): KubernetesObject {
  const named = name ?? `demo-${ordinal ?? 0}`;
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name: named,
      uid: `uid-${named}`,
      resourceVersion: '1',
      labels: { 'ack.alibabacloud.com/system-disk-category': disk },
      ...(deleting ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {}),
    },
    ...(cordoned ? { spec: { unschedulable: true } } : {}),
    status: { conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }] },
  };
}
