/** `npm run verify`: everything CI checks, to the end even when something fails, with one line of numbers at last. */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loud, root, runCommand, runNode } from './command.ts';
import { prepareControlPlane } from './control-plane.ts';
import { readLevel, resultFile, resultsFolder } from './results.ts';

interface Step {
  readonly name: string;
  /** The levels whose numbers this step writes; a step without any counts only when it fails. */
  readonly levels?: readonly string[];
  /** Undefined when it passed, `failed`, or why it was not run. */
  readonly run: () => Promise<'passed' | 'failed' | { readonly notRun: string }>;
}

const steps: readonly Step[] = [
  script('format:check'),
  script('lint'),
  script('typecheck'),
  script('build'),
  { name: 'the build loads', run: async () => verdict((await runNode(['--input-type=module', '-e', "await import('phasekeeper')"])).code) },
  { name: 'generated files are fresh', run: generateCheck },
  { name: 'control plane', run: controlPlane },
  { name: 'test', levels: ['unit', 'control-plane'], run: async () => verdict((await runNode(['test/ladder/run.ts'])).code) },
  { name: 'mutants', levels: ['mutants'], run: script('mutants').run },
];

rmSync(resultsFolder, { recursive: true, force: true });
const table: string[] = [];
const notRun: string[] = [];
let passed = 0;
let failed = 0;

for (const step of steps) {
  console.log(`\n=== ${step.name}`);
  const startMs = performance.now();
  const outcome = await step.run();
  const seconds = ((performance.now() - startMs) / 1_000).toFixed(1);
  const levels = (step.levels ?? []).map(readLevel);
  const counted = levels.reduce((sum, level) => sum + (level?.failed ?? 0), 0);
  passed += levels.reduce((sum, level) => sum + (level?.passed ?? 0), 0);
  // A step that failed without a number to show for it is one failure.
  failed += counted === 0 && outcome === 'failed' ? 1 : counted;
  notRun.push(...levels.flatMap((level) => level?.notRun ?? []));
  if (typeof outcome === 'object') notRun.push(`${step.name}: ${outcome.notRun}`);
  table.push(`${(typeof outcome === 'object' ? 'NOT RUN' : outcome).padEnd(8)} ${seconds.padStart(7)} s  ${step.name}`);
}

console.log(`\n${table.join('\n')}`);
if (notRun.length > 0) loud('NOT RUN', notRun);
const total = `${passed} passed, ${failed} failed`;
writeFileSync(resultFile('total.txt'), `${total}\n`);
console.log(total);
process.exitCode = failed === 0 ? 0 : 1;

function script(name: string): Step {
  return { name, run: async () => verdict((await runCommand('npm', ['run', '--silent', name])).code) };
}

function verdict(code: number): 'passed' | 'failed' {
  return code === 0 ? 'passed' : 'failed';
}

async function generateCheck() {
  if (!existsSync(join(root, 'src/cli/main.ts'))) return { notRun: 'src/cli/main.ts does not exist in this checkout' };
  return script('generate:check').run();
}

async function controlPlane() {
  const prepared = await prepareControlPlane();
  if (prepared.state === 'absent') return { notRun: prepared.why };
  return prepared.state === 'ready' ? 'passed' : 'failed';
}
