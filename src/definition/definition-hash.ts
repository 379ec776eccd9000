import { createHash } from 'node:crypto';
import type { AnyVocabulary } from './lifecycle.ts';
import type { MachineConfig } from './machine-config.ts';

/** The sections of a vocabulary whose names belong to the machine. */
const sections = [
  'dependents',
  'watches',
  'probes',
  'facts',
  'commands',
  'guards',
  'timeouts',
  'remembers',
  'ensure',
  'deletes',
  'announce',
  'invariants',
  'migrations',
] as const;

/**
 * The first seven hex digits of the SHA-256 of config and vocabulary names. The order of states and edges counts (it decides), the
 * order of a vocabulary's names does not.
 */
export function definitionHash(vocabulary: AnyVocabulary, config: MachineConfig): string {
  const words = sections.map((section) => [section, Object.keys(vocabulary[section]).toSorted()]);
  const { group, version, versions, kind, scope, machineVersion } = vocabulary;
  const text = JSON.stringify([{ group, version, versions, kind, scope, machineVersion }, words, config]);
  return createHash('sha256').update(text).digest('hex').slice(0, 7);
}
