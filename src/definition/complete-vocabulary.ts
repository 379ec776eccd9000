import { z } from 'zod';
import type { AnyVocabulary } from './lifecycle.ts';

/** A vocabulary with its defaults filled in. Called after the checks: what it is given has the right shape. */
export function completeVocabulary(given: Readonly<Record<string, unknown>>): AnyVocabulary {
  const kind = String(given['kind']);
  const completed: unknown = {
    versions: [given['version']],
    plural: `${kind.toLowerCase()}s`,
    shortNames: [],
    status: z.object({}),
    memory: z.object({}),
    ...emptySections,
    columns: [],
    report: undefined,
    adopt: undefined,
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
  };
  // The one place where the author's types are erased: the checks of this room have seen every part.
  return Object.freeze(completed as AnyVocabulary);
}

/** The sections that map names to what they mean, each empty. */
export const emptySections = Object.freeze({
  dependents: Object.freeze({}),
  watches: Object.freeze({}),
  probes: Object.freeze({}),
  facts: Object.freeze({}),
  commands: Object.freeze({}),
  guards: Object.freeze({}),
  timeouts: Object.freeze({}),
  remembers: Object.freeze({}),
  ensure: Object.freeze({}),
  deletes: Object.freeze({}),
  announce: Object.freeze({}),
  invariants: Object.freeze({}),
  migrations: Object.freeze({}),
});
