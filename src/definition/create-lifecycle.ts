import { defineKindOf } from '../resource/kind.ts';
import { buildChart } from './build-chart.ts';
import { completeVocabulary } from './complete-vocabulary.ts';
import { deepFreeze } from './deep-freeze.ts';
import { DefinitionError } from './definition-error.ts';
import { definitionHash } from './definition-hash.ts';
import { findFaults } from './find-faults.ts';
import { knownWordsOf } from './known-words.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { MachineConfig } from './machine-config.ts';
import { isPlainObject } from './scan-json.ts';
import { createXStateMachine } from './xstate-machine.ts';

/**
 * A lifecycle from a vocabulary and a config of any origin (TypeScript, JavaScript, JSON).
 *
 * @throws DefinitionError with every fault found
 */
export function createLifecycle(givenVocabulary: unknown, givenConfig: unknown): Lifecycle<never, never, never> {
  const given = isPlainObject(givenVocabulary) ? givenVocabulary : {};
  const faults = findFaults(given, givenConfig);
  if (faults.length > 0) throw new DefinitionError(knownWordsOf(given).kind, faults);
  const vocabulary = completeVocabulary(given);
  // The checks above have seen every part. A copy, so that what the author does to the original changes nothing.
  const config = deepFreeze(JSON.parse(JSON.stringify(givenConfig)) as MachineConfig);
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
