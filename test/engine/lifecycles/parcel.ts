import { ConfigMap, defineKindOf, defineLifecycle, type DesiredObject, type KubernetesObject } from 'phasekeeper';
import { z } from 'zod';

const Service = defineKindOf<KubernetesObject>({ apiVersion: 'v1', kind: 'Service', scope: 'Namespaced' });
const Secret = defineKindOf<KubernetesObject>({ apiVersion: 'v1', kind: 'Secret', scope: 'Namespaced' });
const ResourceQuota = defineKindOf<KubernetesObject>({ apiVersion: 'v1', kind: 'ResourceQuota', scope: 'Namespaced' });

/** The objects that a parcel holds; a test may change it while the operator runs. */
export interface ParcelContent {
  objects: readonly DesiredObject[];
}

/** A kind that holds whatever a test desires, works on its spec directly, and leaves the removal to the garbage collector: no finalizer. */
export function defineParcel(content: ParcelContent) {
  return defineLifecycle({
    group: 'parcel.test',
    version: 'v1',
    kind: 'Parcel',
    scope: 'Namespaced',
    machineVersion: '1.0.0',
    spec: z.object({ label: z.string().default('') }),
    dependents: { configMaps: ConfigMap, services: Service, secrets: Secret, quotas: ResourceQuota },
    facts: {
      packed: {
        when: (view) => Object.values(view.dependents).reduce((count, objects) => count + objects.length, 0) >= content.objects.length,
        says: 'everything is there',
      },
      incomplete: {
        when: (view) => Object.values(view.dependents).reduce((count, objects) => count + objects.length, 0) < content.objects.length,
        says: 'something is missing',
      },
    },
    ensure: { content: () => content.objects },
  }).createMachine({
    initial: 'Packing',
    states: {
      Packing: { meta: { kstatus: 'InProgress' }, entry: 'content', on: { packed: 'Packed' } },
      Packed: { meta: { kstatus: 'Current' }, entry: 'content', on: { incomplete: 'Packing' } },
    },
  });
}
