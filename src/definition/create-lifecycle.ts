import { defineKindOf } from '../resource/kind.ts';
import { buildChart } from './build-chart.ts';
import { completeVocabulary } from './complete-vocabulary.ts';
import { deepFreeze } from './deep-freeze.ts';
import { definitionHash } from './definition-hash.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { MachineConfig } from './machine-config.ts';
import { createXStateMachine } from './xstate-machine.ts';

/**
 * A lifecycle from a vocabulary and a config of any origin (TypeScript, JavaScript, JSON).
 *
 * @throws DefinitionError with every fault found
 */
export function createLifecycle(givenVocabulary: unknown, givenConfig: unknown): Lifecycle<never, never, never> {
  const vocabulary = completeVocabulary(givenVocabulary as never);
  const config = deepFreeze(structuredClone(givenConfig) as MachineConfig);
  const machine = createXStateMachine(vocabulary, config);
  return Object.freeze({
    name: vocabulary.kind.toLowerCase(),
    kind: defineKindOf({
      apiVersion: `${vocabulary.group}/${vocabulary.version}`,
      kind: vocabulary.kind,
      plural: vocabulary.plural,
      scope: vocabulary.scope,
    }),
    vocabulary,
    config,
    machine,
    chart: buildChart(vocabulary, config, machine),
    hash: definitionHash(vocabulary, config),
  });
}
