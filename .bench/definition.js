import { ConfigMap, defineLifecycle } from 'phasekeeper';
import { z } from 'zod';
/**
 * The job that operators are compared by: a namespaced NodePool whose nodes are ConfigMaps named `<pool>-<ordinal>`. Five writes
 * make a pool of three: two of its status, three ConfigMaps. Nothing is accepted and nothing is cleaned up, as in the peers.
 */
export const nodePool = defineLifecycle({
    group: 'ack.alibabacloud.com',
    version: 'v1',
    kind: 'NodePool',
    scope: 'Namespaced',
    machineVersion: '1.0.0',
    spec: z.object({ minSize: z.int().min(0), maxSize: z.int().min(0), systemDiskCategory: z.string().optional() }),
    status: z.object({ actualReplicas: z.int().default(0) }),
    dependents: { configMaps: ConfigMap },
    facts: {
        belowTarget: {
            when: ({ spec, dependents }) => dependents.configMaps.length < spec.minSize,
            says: ({ spec, dependents }) => `${dependents.configMaps.length} of ${spec.minSize} exist`,
        },
        aboveTarget: {
            when: ({ spec, dependents }) => dependents.configMaps.length > spec.minSize,
            says: ({ spec, dependents }) => `${dependents.configMaps.length} exist, ${spec.minSize} wanted`,
        },
        atTarget: {
            when: ({ spec, dependents }) => dependents.configMaps.length === spec.minSize,
            says: ({ spec }) => `${spec.minSize} of ${spec.minSize} exist`,
        },
    },
    ensure: {
        configMaps: ({ object, spec }) => Array.from({ length: spec.minSize }, (_, ordinal) => ({
            apiVersion: 'v1',
            kind: 'ConfigMap',
            metadata: { name: `${object.name}-${ordinal}`, labels: { nodepool: object.name } },
        })),
    },
    deletes: {
        surplus: {
            from: 'configMaps',
            only: (live, { object, spec }) => Number(live.metadata.name.slice(object.name.length + 1)) >= spec.minSize,
        },
    },
    report: ({ dependents }) => ({ status: { actualReplicas: dependents.configMaps.length } }),
}).createMachine({
    initial: 'Pending',
    states: {
        Pending: { meta: { kstatus: 'InProgress' }, on: { belowTarget: 'ScalingUp', aboveTarget: 'ScalingDown', atTarget: 'Running' } },
        ScalingUp: { meta: { kstatus: 'InProgress' }, entry: 'configMaps', on: { atTarget: 'Running', aboveTarget: 'ScalingDown' } },
        ScalingDown: { meta: { kstatus: 'InProgress' }, entry: 'surplus', on: { atTarget: 'Running', belowTarget: 'ScalingUp' } },
        Running: { meta: { kstatus: 'Current' }, on: { belowTarget: 'ScalingUp', aboveTarget: 'ScalingDown' } },
    },
});
