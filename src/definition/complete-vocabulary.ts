import { z } from 'zod';
import type { AnyVocabulary } from './lifecycle.ts';
import { emptySections } from './vocabulary-sections.ts';

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
