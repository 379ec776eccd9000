import type { NamedMutant } from './all.ts';

/** Behaviours that this version promises: each has a test of its name and a mutant that the test kills. */
export const promisedBehaviours: readonly string[] = [
  ...numbered(1, 13),
  'B19',
  'B22',
  'B25',
  ...numbered(29, 31),
  ...numbered(37, 44),
  ...numbered(47, 51),
];

/**
 * What is missing, one line each; empty when every promised behaviour has its pair.
 *
 * @param testText the source of a test file, by path from the repository's root; undefined when there is no such file
 */
export function missingPairs(
  mutants: readonly NamedMutant[],
  testText: (path: string) => string | undefined,
  promised: readonly string[] = promisedBehaviours,
): readonly string[] {
  return promised.flatMap((behaviour) => {
    const own = mutants.filter(({ mutant }) => mutant.behaviour === behaviour);
    if (own.length === 0) return [`${behaviour} has no mutant`];
    return own
      .filter(({ mutant }) => !namesTest(testText(mutant.test), behaviour))
      .map(({ mutant }) => `${behaviour} has no test of that name in ${mutant.test}`);
  });
}

/** Whether a test's source contains a title that starts with the behaviour. */
export function namesTest(source: string | undefined, behaviour: string): boolean {
  return source !== undefined && new RegExp(`['"\`]${behaviour} `).test(source);
}

function numbered(first: number, last: number): readonly string[] {
  return Array.from({ length: last - first + 1 }, (_, index) => `B${String(first + index).padStart(2, '0')}`);
}
