/**
 * `MUTANT=cluster/B40 node --import ./test/mutants/register.ts …` runs a plain Node process with that fault in it. Without
 * `MUTANT` it does nothing, so a harness may always pass it.
 */
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { findMutant } from './all.ts';
import { applyMutant } from './apply-mutant.ts';

const root = dirname(dirname(import.meta.dirname));
/** Given once through NODE_OPTIONS and once through a harness, it must still be applied once. */
const registered = Symbol.for('phasekeeper:mutant');

if (process.env['MUTANT'] && !Reflect.has(globalThis, registered)) {
  Reflect.set(globalThis, registered, true);
  const { mutant } = await findMutant(process.env['MUTANT']);
  const file = join(root, mutant.file);
  const url = pathToFileURL(file).href;
  registerHooks({
    load(asked, context, nextLoad) {
      if (asked.split('?')[0] !== url) return nextLoad(asked, context);
      return { format: 'module-typescript', source: applyMutant(readFileSync(file, 'utf8'), mutant), shortCircuit: true };
    },
  });
}
