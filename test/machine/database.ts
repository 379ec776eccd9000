import { Duration } from 'luxon';
import { z } from 'zod';
import { defineLifecycle } from '../../src/definition/define-lifecycle.ts';
import { UnknownSignal } from '../../src/definition/unknown-signal.ts';
import { defineKindOf } from '../../src/resource/kind.ts';
import type { KubernetesObject, ObjectMeta } from '../../src/resource/kubernetes-object.ts';

const Pod = defineKindOf<KubernetesObject>({ apiVersion: 'v1', kind: 'Pod', scope: 'Namespaced' });

interface Seen {
  readonly object: ObjectMeta;
}

/** A label of the object says what is true: `yes`, `no` (also when absent), `unknown`, `throws`, or `promise`. */
function labelled(name: string) {
  return ({ object }: Seen): boolean => {
    const value = object.labels?.[name];
    if (value === 'unknown') throw new UnknownSignal(`probe ${name}`);
    // The class of what authors throw is theirs.
    if (value === 'throws') throw new TypeError(`${name} broke`);
    // Not typed so: JavaScript's authors can.
    if (value === 'promise') return Promise.reject(new TypeError('late')) as unknown as boolean;
    return value === 'yes';
  };
}

/** A fact about a label. */
function fact(name: string) {
  return { when: labelled(name), says: `${name} is seen` };
}

/** Nested phases, root edges, guards, every kind of trigger; all truths come from labels. */
export const database = defineLifecycle({
  group: 'test.example.com',
  version: 'v1',
  kind: 'Database',
  scope: 'Namespaced',
  machineVersion: '1.2.0',
  spec: z.object({ size: z.int().default(1) }),
  memory: z.object({ attempts: z.int().max(9).default(0), last: z.string().default('') }),
  dependents: { pods: Pod },
  facts: {
    ready: fact('ready'),
    behind: { when: (view) => labelled('behind')(view) && { pod: 'db-0' }, says: ({ object }) => `${object.name} runs an old version` },
    drained: fact('drained'),
    lost: fact('lost'),
    broken: { when: labelled('broken'), says: ({ object }) => `broken: ${object.annotations?.['why']?.toUpperCase()}` },
  },
  commands: { retry: { says: 'try again' }, rollBack: {}, restart: {}, note: {} },
  guards: {
    allowed: labelled('allowed'),
    few: ({ memory }, { max }: { max: number }) => memory.attempts < max,
  },
  timeouts: {
    step: Duration.fromObject({ minutes: 1 }),
    upgrade: Duration.fromObject({ minutes: 5 }),
    grace: (view) => (labelled('slow')(view) ? Duration.fromObject({ hours: 1 }) : Duration.fromObject({ minutes: 1 })),
  },
  remembers: {
    attempt: ({ memory }) => ({ attempts: memory.attempts + 1 }),
    cause: ({ fired }) => ({ last: `${fired.event} ${JSON.stringify(fired.payload)} ${fired.atMs}` }),
    doubt: (view) => (labelled('doubt')(view) ? { attempts: 99 } : {}),
  },
  ensure: { pods: () => [] },
  deletes: {
    surplus: { from: 'pods', only: (live) => live.metadata.labels?.['surplus'] === 'yes' },
    prefixed: { from: 'pods', only: (live, _view, { prefix }: { prefix: string }) => live.metadata.name.startsWith(prefix) },
    all: { from: 'pods', only: () => true },
  },
  adopt: () => 'unknown',
  migrations: { Stopped: 'Failed', Growing: 'Upgrading.Checking' },
}).createMachine({
  initial: 'Pending',
  on: {
    deleted: '.Deleting',
    lost: [{ target: '.Upgrading', guard: 'allowed' }, { target: '.Pending' }],
    broken: { target: '.Failed', guard: 'allowed' },
  },
  states: {
    Pending: {
      meta: { kstatus: 'InProgress' },
      on: { unaccepted: { target: 'Upgrading', guard: 'behind', actions: 'accept' }, ready: 'Running' },
      after: { step: 'Failed' },
    },
    Running: {
      meta: { kstatus: 'Current' },
      entry: 'pods',
      on: {
        specChanged: { target: 'Upgrading', guard: 'allowed', actions: ['accept', 'attempt'] },
        behind: { target: 'Upgrading.Replacing', actions: ['cause', 'attempt'] },
        ready: { target: 'Failed', guard: 'broken' },
      },
      after: { grace: { target: 'Failed', guard: { type: 'not', params: { guard: 'ready' } } } },
    },
    Upgrading: {
      initial: 'Checking',
      entry: 'pods',
      on: {
        rollBack: '.RollingBack',
        specChanged: { target: '.Checking', actions: 'accept', reenter: true },
        behind: { target: '.RollingBack', guard: 'broken' },
      },
      after: { upgrade: '.RollingBack' },
      states: {
        Checking: { meta: { kstatus: 'InProgress' }, on: { ready: 'Replacing' }, after: { step: '#Database.Failed' } },
        Replacing: {
          initial: 'Draining',
          on: { ready: '#Database.Running' },
          states: {
            Draining: {
              meta: { kstatus: 'InProgress' },
              entry: 'surplus',
              on: { drained: 'Starting', behind: { target: 'Starting', guard: 'allowed' } },
            },
            Starting: {
              meta: { kstatus: 'InProgress' },
              on: { behind: 'Draining', restart: '#Database.Upgrading' },
              after: { step: [{ target: '#Database.Upgrading.RollingBack', guard: 'allowed' }, { target: 'Draining' }] },
            },
          },
        },
        RollingBack: {
          meta: { kstatus: 'InProgress' },
          entry: [{ type: 'prefixed', params: { prefix: 'new-' } }],
          on: { ready: '#Database.Running', cleared: { target: '#Database.Pending', guard: 'drained' } },
          after: { step: '#Database.Failed' },
        },
      },
    },
    Failed: {
      meta: { kstatus: 'Failed' },
      on: {
        ready: { target: 'Running', guard: { type: 'not', params: { guard: 'behind' } } },
        retry: { target: 'Pending', guard: { type: 'few', params: { max: 3 } }, actions: 'attempt' },
        note: { actions: ['attempt', 'doubt'] },
        specChanged: { target: 'Pending', actions: 'accept' },
        refused: { target: 'Pending', guard: 'allowed' },
      },
    },
    Deleting: { meta: { kstatus: 'Terminating' }, entry: 'all' },
  },
});
