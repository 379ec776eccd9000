import type { Mutant } from './mutant.ts';

/**
 * The source with the mutant's fault in it.
 *
 * @throws when the text to find is not there exactly once: a mutant that is applied nowhere, or in two places, proves nothing
 */
export function applyMutant(source: string, mutant: Pick<Mutant, 'behaviour' | 'file' | 'find' | 'replace'>): string {
  const times = occurrences(source, mutant.find);
  if (times !== 1)
    throw new Error(`mutant of ${mutant.behaviour}: its text occurs ${times} times in ${mutant.file}, expected once: ${mutant.find}`);
  if (mutant.find === mutant.replace) throw new Error(`mutant of ${mutant.behaviour}: find and replace are the same: ${mutant.find}`);
  return source.replace(mutant.find, () => mutant.replace);
}

/** How often a text occurs, overlaps not counted. */
function occurrences(source: string, text: string): number {
  return text === '' ? 0 : source.split(text).length - 1;
}
