import { checkDependents } from './check-dependents.ts';
import { checkMachine } from './check-machine.ts';
import { checkMigrations } from './check-migrations.ts';
import { checkNames } from './check-names.ts';
import { checkReferences } from './check-references.ts';
import { checkVocabulary } from './check-vocabulary.ts';
import { checkWords } from './check-words.ts';
import type { DefinitionFault } from './definition-error.ts';
import { FaultList } from './fault-list.ts';
import { knownWordsOf } from './known-words.ts';
import { readConfig } from './read-config.ts';

/** Everything that is wrong with a vocabulary and a config, in the order of the checks; empty when they make a lifecycle. */
export function findFaults(vocabulary: Readonly<Record<string, unknown>>, config: unknown): readonly DefinitionFault[] {
  const words = knownWordsOf(vocabulary);
  const faults = new FaultList();
  checkVocabulary(vocabulary, words, faults);
  checkWords(words, faults);
  checkNames(words, faults);
  const reading = { words, faults };
  const root = readConfig(config, reading);
  if (root !== undefined) {
    checkReferences(root, reading);
    checkMachine(root, reading);
    checkDependents(root, reading);
    checkMigrations(root, reading);
  }
  return faults.faults;
}
