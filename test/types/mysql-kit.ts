import { Duration } from 'luxon';
import { defineKindOf, defineLifecycle, type KubernetesObject } from 'phasekeeper';
import { z } from 'zod';

interface Replica extends KubernetesObject {
  readonly ready: boolean;
  readonly version: string;
}

interface Secret extends KubernetesObject {
  readonly data?: Readonly<Record<string, string>>;
}

const Replicas = defineKindOf<Replica>({ apiVersion: 'v1', kind: 'Pod', scope: 'Namespaced' });
const Secrets = defineKindOf<Secret>({ apiVersion: 'v1', kind: 'Secret', scope: 'Namespaced' });

/** A vocabulary with every section in use, for the type tests. */
export const kit = defineLifecycle({
  group: 'db.example.com',
  version: 'v1',
  kind: 'MySQLCluster',
  scope: 'Namespaced',
  machineVersion: '1.0.0',
  spec: z.object({ replicas: z.int().min(1), version: z.string() }),
  status: z.object({ ready: z.int().default(0), note: z.string().optional() }),
  memory: z.object({ attempts: z.int().default(0) }),
  dependents: { replicas: Replicas, secrets: Secrets },
  watches: { secrets: { kind: Secrets, of: (secret) => secret.data?.['cluster'] } },
  probes: {
    backup: {
      timeout: Duration.fromObject({ seconds: 3 }),
      maxAge: Duration.fromObject({ minutes: 1 }),
      answer: z.object({ fresh: z.boolean() }),
      input: (view) => ({ replicas: view.spec.replicas }),
      ask: async (input: { replicas: number }) => ({ fresh: input.replicas > 0 }),
    },
  },
  facts: {
    allReady: { when: (view) => view.dependents.replicas.every((each) => each.ready), says: 'every replica is ready' },
    replicaBehind: {
      when: (view) => {
        const behind = view.dependents.replicas.find((each) => each.version !== view.accepted.version);
        return behind === undefined ? false : { name: behind.metadata.name, ordinal: 1 };
      },
      says: (view) => `${view.dependents.replicas.length} replicas`,
    },
    versionAsked: { when: (view) => view.spec.version !== view.accepted.version, says: 'another version is asked' },
    backupFresh: { when: (view) => view.probes.backup.fresh, says: 'the backup is fresh' },
    secretSeen: { when: (view) => view.watches.secrets.some((each) => each.data !== undefined), says: 'a secret exists' },
    gone: { when: (view) => view.dependents.replicas.length === 0, says: 'no replica is left' },
  },
  commands: { retry: {}, rollBack: { says: 'go back to the last stable version' } },
  guards: {
    retriesLeft: (view, params: { max: number }) => view.memory.attempts < params.max,
    hasQuorum: (view) => view.dependents.replicas.length > 1,
  },
  timeouts: {
    step: Duration.fromObject({ minutes: 5 }),
    upgrade: (view) => Duration.fromObject({ minutes: 10 * view.spec.replicas }),
  },
  remembers: {
    attempt: (view) => ({ attempts: view.memory.attempts + 1 }),
    attemptsSet: (_view, params: { to: number }) => ({ attempts: params.to }),
    firedAt: (view) => ({ attempts: view.fired.atMs }),
  },
  ensure: {
    statefulSet: (view) => [
      { apiVersion: 'apps/v1', kind: 'StatefulSet', metadata: { name: view.object.name }, spec: { replicas: view.accepted.replicas } },
    ],
    partition: (view, params: { from: 'top' | 'bottom' }) => [
      { apiVersion: 'apps/v1', kind: 'StatefulSet', metadata: { name: view.object.name }, spec: { from: params.from } },
    ],
  },
  deletes: {
    surplus: { from: 'replicas', only: (live, view) => live.version !== view.accepted.version },
    secret: { from: 'secrets', only: (live, _view, params: { key: string }) => live.data?.[params.key] !== undefined },
  },
  announce: { upgraded: { type: 'Normal', reason: 'Upgraded', message: (view) => `runs ${view.accepted.version}` } },
  report: (view) => ({ status: { ready: view.dependents.replicas.filter((each) => each.ready).length } }),
  adopt: (view) => ({ replicas: view.dependents.replicas.length, version: view.dependents.replicas[0]?.version ?? view.spec.version }),
  invariants: { someReady: (view) => view.transition.to !== 'Running' || view.transition.after.ready > 0 },
});

/** Nested three deep; every way of naming a target. */
export const mysql = kit.createMachine({
  initial: 'Pending',
  on: { deleted: '.Deleting' },
  states: {
    Pending: {
      meta: { kstatus: 'InProgress' },
      entry: 'statefulSet',
      on: { allReady: 'Running', versionAsked: { target: 'Upgrading', actions: 'accept' } },
      after: { step: 'Failed' },
    },
    Running: {
      meta: { kstatus: 'Current' },
      entry: 'statefulSet',
      on: {
        versionAsked: { target: 'Upgrading', guard: 'hasQuorum', actions: ['accept', { type: 'attemptsSet', params: { to: 0 } }] },
        specChanged: { target: 'Running', guard: { type: 'not', params: { guard: 'versionAsked' } }, actions: ['upgraded', 'accept'] },
      },
    },
    Upgrading: {
      initial: 'PreChecking',
      on: { rollBack: '.RollingBack', versionAsked: { target: '.PreChecking', actions: 'accept', reenter: true } },
      after: { upgrade: '.RollingBack' },
      states: {
        PreChecking: {
          meta: { kstatus: 'InProgress' },
          on: { backupFresh: { target: 'Replacing', guard: 'allReady' } },
          after: { step: '#MySQLCluster.Failed' },
        },
        Replacing: {
          initial: 'Draining',
          on: {
            allReady: { target: '#MySQLCluster.Running', actions: ['upgraded', 'attempt'] },
          },
          states: {
            Draining: { meta: { kstatus: 'InProgress' }, on: { replicaBehind: 'Starting' } },
            Starting: {
              meta: { kstatus: 'InProgress' },
              entry: { type: 'partition', params: { from: 'top' } },
              on: { gone: 'Draining', retry: { actions: 'attempt' } },
              after: { step: '#MySQLCluster.Upgrading.RollingBack' },
            },
          },
        },
        RollingBack: {
          meta: { kstatus: 'InProgress' },
          entry: ['statefulSet', 'surplus', { type: 'secret', params: { key: 'password' } }],
          on: { allReady: '#MySQLCluster.Running', replicaBehind: 'Replacing.Starting' },
        },
      },
    },
    Failed: {
      meta: { kstatus: 'Failed' },
      on: {
        retry: { target: 'Pending', guard: { type: 'retriesLeft', params: { max: 3 } }, actions: 'attempt' },
        versionAsked: { target: 'Pending', actions: 'accept' },
      },
    },
    Deleting: { meta: { kstatus: 'Terminating' }, entry: 'surplus' },
  },
});
