import { Duration } from 'luxon';
import { z } from 'zod';
import { defineLifecycle } from '../../src/definition/define-lifecycle.ts';
import { defineKindOf } from '../../src/resource/kind.ts';

const Pod = defineKindOf({ apiVersion: 'v1', kind: 'Pod', scope: 'Namespaced' });
const Zone = defineKindOf({ apiVersion: 'test.example.com/v1', kind: 'Zone', scope: 'Cluster' });

/** One field per shape that a CustomResourceDefinition can have. */
export const rolloutSpec = z.object({
  image: z
    .string()
    .min(1)
    .max(200)
    .regex(/^[\w.:/-]+$/),
  replicas: z.int().min(0).max(100).default(1),
  weight: z.number().gt(0).lt(1).optional(),
  step: z.int32().multipleOf(5).optional(),
  paused: z.boolean().default(false),
  strategy: z.enum(['Recreate', 'Rolling']).default('Rolling'),
  level: z.literal([1, 2, 3]).optional(),
  labels: z.record(z.string(), z.string()).optional(),
  // The words that come back with names stand in a list of objects, each with a list of its own.
  volumes: z
    .array(z.object({ name: z.string(), size: z.int(), mounts: z.array(z.string()).default([]) }))
    .max(8)
    .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] })
    .optional(),
  note: z.string().nullable().optional(),
  id: z.uuid().optional(),
  owner: z.email().optional(),
  since: z.iso.datetime().optional(),
  spaced: z
    .string()
    .regex(/^\S+\s\S+$/)
    .startsWith('a')
    .endsWith('z')
    .includes('.')
    .optional(),
  port: z.union([z.int(), z.string()]).meta({ 'x-kubernetes-int-or-string': true }).optional(),
  raw: z.looseObject({ kind: z.string().optional() }).meta({ 'x-kubernetes-preserve-unknown-fields': true }).optional(),
  window: z
    .object({ from: z.int(), to: z.int() })
    .refine(({ from, to }) => from < to)
    .meta({ 'x-kubernetes-validations': [{ rule: 'self.from < self.to', message: 'from must be before to' }] })
    .optional(),
});

/** Nested phases, a command that only acts, an edge of a parent, migrations. */
export const rollout = defineLifecycle({
  group: 'test.example.com',
  version: 'v1',
  kind: 'Rollout',
  scope: 'Namespaced',
  machineVersion: '2.0.0',
  spec: rolloutSpec,
  status: z.object({ ready: z.int(), zones: z.array(z.string()).default([]) }),
  memory: z.object({ tries: z.int().default(0), notes: z.array(z.string()).default([]) }),
  dependents: { pods: Pod },
  watches: { zones: { kind: Zone, of: () => [] } },
  facts: { ready: { when: () => true, says: 'all is ready' } },
  commands: { retry: {}, note: {}, abort: {} },
  guards: { few: ({ memory }, { max }: { max: number }) => memory.tries < max },
  timeouts: { step: Duration.fromObject({ minutes: 90 }), grace: () => Duration.fromObject({ minutes: 1 }) },
  remembers: { attempt: ({ memory }) => ({ tries: memory.tries + 1 }) },
  announce: { aborted: { type: 'Warning', reason: 'Aborted', message: () => 'aborted' } },
  ensure: { pods: () => [], probePods: () => [] },
  deletes: { oldPods: { from: 'pods', only: () => true } },
  adopt: () => 'unknown',
  migrations: { Stopped: 'Failed', Draining: 'Upgrading.Checking' },
}).createMachine({
  initial: 'Pending',
  on: { deleted: '.Deleting' },
  states: {
    Pending: { meta: { kstatus: 'InProgress' }, on: { unaccepted: { target: 'Running', actions: 'accept' } }, after: { grace: 'Failed' } },
    Running: { meta: { kstatus: 'Current' }, entry: 'pods', on: { specChanged: { target: 'Upgrading', actions: 'accept' } } },
    Upgrading: {
      initial: 'Checking',
      entry: 'probePods',
      on: { abort: { target: '#Rollout.Failed', actions: 'aborted' } },
      states: {
        Checking: { meta: { kstatus: 'InProgress' }, on: { ready: 'Replacing' } },
        Replacing: {
          meta: { kstatus: 'InProgress' },
          entry: ['pods', 'oldPods'],
          on: { ready: '#Rollout.Running' },
          after: { step: { target: '#Rollout.Failed', guard: { type: 'not', params: { guard: 'ready' } } } },
        },
      },
    },
    Failed: {
      meta: { kstatus: 'Failed' },
      on: { retry: { target: 'Pending', guard: { type: 'few', params: { max: 3 } } }, note: { actions: 'attempt' } },
    },
    Deleting: { meta: { kstatus: 'Terminating' } },
  },
});

/** What `rollout` declares, written out by hand. */
export const rolloutMoves: Readonly<Record<string, readonly string[]>> = {
  Pending: ['Running', 'Failed', 'Deleting'],
  Running: ['Upgrading.Checking', 'Deleting'],
  'Upgrading.Checking': ['Upgrading.Replacing', 'Failed', 'Deleting'],
  'Upgrading.Replacing': ['Running', 'Failed', 'Deleting'],
  Failed: ['Pending', 'Failed', 'Deleting'],
  Deleting: [],
};

/** The machine before: its states are gone from `rollout`, two of them by a migration. */
export const rolloutBefore = defineLifecycle({
  group: 'test.example.com',
  version: 'v1',
  kind: 'Rollout',
  scope: 'Namespaced',
  machineVersion: '1.0.0',
  spec: rolloutSpec,
  commands: { stop: {}, drain: {}, lose: {}, back: {} },
  adopt: () => 'unknown',
}).createMachine({
  initial: 'Pending',
  states: {
    Pending: {
      meta: { kstatus: 'InProgress' },
      on: {
        unaccepted: { target: 'Stopped', actions: 'accept' },
        stop: 'Stopped',
        drain: 'Draining',
        lose: 'Lost',
      },
    },
    Stopped: { meta: { kstatus: 'Current' }, on: { back: 'Pending' } },
    Draining: { meta: { kstatus: 'Current' }, on: { back: 'Pending' } },
    Lost: { meta: { kstatus: 'Current' }, on: { back: 'Pending' } },
  },
});
