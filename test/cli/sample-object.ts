import type { KubernetesObject } from '../../src/resource/kubernetes-object.ts';

/** The instant at which the tests below look, RFC 3339. */
export const now = '2026-11-30T12:00:00.000Z';

/** Milliseconds since 1970 of `now`. */
export const nowMs = Date.parse(now);

function condition(type: string, status: string, reason: string, message: string): object {
  return { type, status, reason, message, lastTransitionTime: '2026-11-30T11:19:02Z', observedGeneration: 4 };
}

/** A pool that ran out of time while it grew. */
export const failedPool: KubernetesObject = {
  apiVersion: 'ack.alibabacloud.com/v1',
  kind: 'NodePool',
  metadata: { name: 'gpu-b', uid: 'u-1', resourceVersion: '7', generation: 4, creationTimestamp: '2026-11-28T12:00:00Z' },
  spec: { minSize: 3, maxSize: 5, systemDiskCategory: 'cloud_essd' },
  status: {
    phase: 'Failed',
    observedGeneration: 4,
    actualReplicas: 1,
    lifecycle: {
      machineVersion: '1.0.0',
      state: 'Failed',
      sequence: 7,
      entered: { Failed: '2026-11-30T11:19:02.000Z' },
      accepted: { generation: 4, spec: { minSize: 3, maxSize: 5, systemDiskCategory: 'cloud_essd' } },
      allowedCommands: ['retry', 'pause', 'resume'],
      history: [
        {
          sequence: 6,
          from: 'Running',
          to: 'ScalingUp',
          event: 'fact belowTarget',
          at: '2026-11-30T11:04:02.000Z',
          cause: '2 of 3 nodes ready',
          by: 'pk-1',
        },
        {
          sequence: 7,
          from: 'ScalingUp',
          to: 'Failed',
          event: 'timeout scaleUp',
          at: '2026-11-30T11:19:02.000Z',
          cause: 'longer than 15m in ScalingUp',
          by: 'pk-1',
        },
      ],
    },
    conditions: [
      condition('Ready', 'False', 'Failed', 'out of time'),
      condition('Reconciling', 'False', 'Failed', 'out of time'),
      condition('Stalled', 'True', 'Failed', 'out of time'),
    ],
  },
};

/** A pool on its way up, a minute and three quarters before its deadline. */
export const growingPool: KubernetesObject = {
  ...failedPool,
  metadata: { ...failedPool.metadata, name: 'gpu-a' },
  status: {
    phase: 'ScalingUp',
    observedGeneration: 4,
    lifecycle: {
      state: 'ScalingUp',
      sequence: 6,
      entered: { ScalingUp: '2026-11-30T11:46:45.000Z' },
      deadline: { at: '2026-11-30T12:01:45.000Z', timeout: 'scaleUp' },
      accepted: { generation: 4, spec: { minSize: 3, maxSize: 5, systemDiskCategory: 'cloud_essd' } },
      allowedCommands: ['pause', 'resume'],
    },
    conditions: [
      condition('Ready', 'False', 'ScalingUp', '1 of 3 nodes ready'),
      condition('Reconciling', 'True', 'ScalingUp', '1 of 3 nodes ready'),
    ],
  },
};
