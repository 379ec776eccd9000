import { join } from 'node:path';
import type { Plugin } from 'vitest/config';
import { defineConfig } from 'vitest/config';
import { applyMutant } from './test/mutants/apply-mutant.ts';
import { findMutant } from './test/mutants/all.ts';

const root = import.meta.dirname;
const mutant = process.env['MUTANT'] ? (await findMutant(process.env['MUTANT'])).mutant : undefined;

/** Puts the fault that `MUTANT` names into the one source file it belongs to; see test/mutants/run.ts. */
const mutantPlugin: Plugin = {
  name: 'phasekeeper:mutant',
  enforce: 'pre',
  transform(code, id) {
    if (mutant === undefined || id.split('?')[0] !== join(root, mutant.file)) return null;
    return { code: applyMutant(code, mutant), map: null };
  },
};

/** `phasekeeper`, imported from a test or a machine, is src/index.ts and not dist/. */
const conditions = ['source', 'node', 'import', 'module', 'default'];

const shared = {
  root,
  plugins: [mutantPlugin],
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
};

/** Tests that need a real control plane; test/mutants/run.ts tells them apart by the same names. */
const controlPlane = ['test/control-plane/**/*.test.ts', 'test/scenarios/**/*.test.ts', 'test/**/*.control-plane.test.ts'];

export default defineConfig({
  test: {
    allowOnly: false,
    retry: 0,
    maxWorkers: 2,
    teardownTimeout: 60_000,
    // Its key leaves `MUTANT` out: a run with a fault would hand the faulty module to every run after it.
    fsModuleCache: false,
    projects: [
      {
        ...shared,
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: controlPlane,
          testTimeout: 20_000,
          hookTimeout: 20_000,
        },
      },
      {
        ...shared,
        test: {
          name: 'control-plane',
          include: controlPlane,
          fileParallelism: false,
          maxWorkers: 1,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
