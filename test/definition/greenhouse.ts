import { Duration } from 'luxon';
import { z } from 'zod';
import { createLifecycle } from '../../src/definition/create-lifecycle.ts';
import { DefinitionError, type DefinitionFault } from '../../src/definition/definition-error.ts';
import { ConfigMap } from '../../src/resource/core-kinds.ts';

type Json = Readonly<Record<string, unknown>>;

/** A vocabulary without a fault, for tests that put one into it. */
export const vocabulary = {
  group: 'garden.example.com',
  version: 'v1',
  kind: 'Greenhouse',
  scope: 'Namespaced',
  machineVersion: '1.0.0',
  spec: z.object({ size: z.int() }),
  status: z.object({ plants: z.int().default(0) }),
  memory: z.object({ attempts: z.int().default(0) }),
  dependents: { maps: ConfigMap },
  facts: { warm: { when: () => true, says: 'it is warm' }, cold: { when: () => false, says: () => 'it is cold' } },
  commands: { retry: {}, water: { says: 'water the plants' } },
  guards: { hasWater: () => true, isAbove: (_view: unknown, params: { degrees: number }) => params.degrees > 0 },
  timeouts: { grow: Duration.fromObject({ minutes: 5 }) },
  remembers: { attempt: () => ({ attempts: 1 }), attemptsSet: (_view: unknown, params: { to: number }) => ({ attempts: params.to }) },
  ensure: { plants: () => [], rows: (_view: unknown, params: { count: number }) => Array.from({ length: params.count }) },
  deletes: {
    weeds: { from: 'maps', only: () => true },
    row: { from: 'maps', only: (_live: unknown, _view: unknown, params: { index: number }) => params.index > 0 },
  },
  announce: { grown: { type: 'Normal', reason: 'Grown', message: () => 'grown' } },
  adopt: () => 'unknown',
} as const;

/** A state without a fault. */
export const steady = { meta: { kstatus: 'Current' } } as const;

/** A config without a fault, with one state replaced and others added. */
export function configWith(states: Json, root: Json = {}): Json {
  return {
    initial: 'Empty',
    on: { deleted: '.Gone' },
    ...root,
    states: { Empty: steady, Gone: { meta: { kstatus: 'Terminating' } }, ...states },
  };
}

/** Makes the lifecycle of a vocabulary and a config of any shape. */
export function define(config: unknown, patch: Json = {}) {
  return createLifecycle({ ...vocabulary, ...patch }, config);
}

/** What is wrong with a definition; nothing if it makes a lifecycle. */
export function faultsOf(config: unknown, patch: Json = {}): readonly DefinitionFault[] {
  try {
    define(config, patch);
    return [];
  } catch (error) {
    if (error instanceof DefinitionError) return error.faults;
    throw error;
  }
}
