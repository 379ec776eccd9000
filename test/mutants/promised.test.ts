import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { allMutants } from './all.ts';
import { missingPairs } from './coverage.ts';

const root = join(import.meta.dirname, '..', '..');
const sourceOf = (path: string) => (existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : undefined);

describe('the behaviours this version promises', () => {
  it('each have a test of their name and a mutant that it kills', async () => {
    expect(missingPairs(await allMutants(), sourceOf)).toEqual([]);
  });

  it('are missed when their test or their mutant is gone', async () => {
    const mutants = await allMutants();
    const without = mutants.filter(({ mutant }) => mutant.behaviour !== 'B13');
    expect(missingPairs(without, sourceOf)).toEqual(['B13 has no mutant']);
    expect(missingPairs(mutants, () => '')).not.toEqual([]);
  });
});
