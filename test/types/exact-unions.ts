import { defineLifecycle, type EventOf, type PhaseOf, type StateOf } from 'phasekeeper';
import { z } from 'zod';
import { type mysql, kit } from './mysql-kit.ts';

/** What the compiler must know exactly, and what it must not refuse. Compiled, never run. */
type Equal<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;

type BuiltIn = 'deleted' | 'unaccepted' | 'specChanged' | 'refused' | 'cleared';

export const phases: Equal<PhaseOf<typeof mysql>, 'Pending' | 'Running' | 'Upgrading' | 'Failed' | 'Deleting'> = true;

export const states: Equal<
  StateOf<typeof mysql>,
  | 'Pending'
  | 'Running'
  | 'Upgrading.PreChecking'
  | 'Upgrading.Replacing.Draining'
  | 'Upgrading.Replacing.Starting'
  | 'Upgrading.RollingBack'
  | 'Failed'
  | 'Deleting'
> = true;

export const events: Equal<
  EventOf<typeof mysql>['type'],
  BuiltIn | 'allReady' | 'replicaBehind' | 'versionAsked' | 'backupFresh' | 'secretSeen' | 'gone' | 'retry' | 'rollBack'
> = true;

export const withPayload: EventOf<typeof mysql> = { type: 'replicaBehind', name: 'db-0', ordinal: 1 };
export const withoutPayload: EventOf<typeof mysql> = { type: 'allReady' };

const at = { meta: { kstatus: 'Current' } } as const;

// A fact edge may renew its own phase with an action that makes the fact false; a command may act without moving.
kit.createMachine({
  initial: 'A',
  states: {
    A: {
      ...at,
      on: {
        gone: { target: 'A', reenter: true, actions: 'accept' },
        allReady: [{ target: '#MySQLCluster.A', actions: ['upgraded', { type: 'attemptsSet', params: { to: 0 } }] }, { target: 'B' }],
        backupFresh: { target: 'B', guard: { type: 'not', params: { guard: { type: 'retriesLeft', params: { max: 3 } } } } },
        refused: { target: 'B', guard: { type: 'not', params: { guard: 'deleted' } } },
        retry: { actions: 'attempt' },
        rollBack: 'A',
      },
    },
    B: { ...at },
  },
});

/** Nothing but what must be there. */
export const least = defineLifecycle({
  group: 'a.example.com',
  version: 'v1',
  kind: 'Least',
  scope: 'Namespaced',
  machineVersion: '1.0.0',
  spec: z.object({}),
}).createMachine({
  initial: 'A',
  states: { A: { ...at, on: { deleted: 'B' } }, B: { meta: { kstatus: 'Terminating' } } },
});

export const leastEvents: Equal<EventOf<typeof least>, { readonly type: 'deleted' } | NamedAs<Exclude<BuiltIn, 'deleted'>>> = true;

type NamedAs<Name> = Name extends string ? { readonly type: Name } : never;
