/**
 * `npm run mutants`: puts each fault into the code, one at a time, and expects the test of its behaviour to fail.
 *
 *   --only B40,cluster,queue/B46   behaviours, rooms or single mutants
 *   --coverage                     only list promised behaviours without a mutant or a test
 *   --list                         only list the mutants
 */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { loud, root, runNode, vitestEntry } from '../ladder/command.ts';
import { prepareControlPlane } from '../ladder/control-plane.ts';
import { forgetLevel, resultFile, writeLevel } from '../ladder/results.ts';
import { readReport } from '../ladder/vitest-report.ts';
import { allMutants, type NamedMutant } from './all.ts';
import { applyMutant } from './apply-mutant.ts';
import { missingPairs, namesTest } from './coverage.ts';
import { judge, type Verdict } from './verdict.ts';

const unitAtOnce = 2;
const unitLimitMs = 5 * 60_000;
const controlPlaneLimitMs = 20 * 60_000;

const { values } = parseArgs({
  options: { only: { type: 'string' }, coverage: { type: 'boolean', default: false }, list: { type: 'boolean', default: false } },
});
const mutants = await allMutants();

if (values.list) for (const { name, mutant } of mutants) console.log(`${name.padEnd(20)} ${mutant.why}`);
else if (values.coverage) process.exitCode = listMissing();
else process.exitCode = await runAll(select(values.only));

function listMissing(): number {
  const missing = missingPairs(mutants, readSource);
  for (const line of missing) console.log(line);
  console.log(`${missing.length} missing`);
  return missing.length === 0 ? 0 : 1;
}

function select(only: string | undefined): readonly NamedMutant[] {
  if (only === undefined) return mutants;
  const wanted = only.split(',');
  const selected = mutants.filter(({ name, room, mutant }) => [name, room, mutant.behaviour].some((each) => wanted.includes(each)));
  if (selected.length > 0) return selected;
  console.error(`error: no mutant matches --only ${only}\nhint: npm run mutants -- --list`);
  process.exit(2);
}

async function runAll(selected: readonly NamedMutant[]): Promise<number> {
  forgetLevel('mutants');
  const verdicts = new Map<NamedMutant, Verdict>();
  const record = (named: NamedMutant, verdict: Verdict) => {
    verdicts.set(named, verdict);
    console.log(`${verdict.killed ? 'killed  ' : 'SURVIVED'}  ${named.name}  ${verdict.killed ? named.mutant.why : verdict.because}`);
  };
  const sound: NamedMutant[] = [];
  for (const named of selected) {
    const because = unsound(named);
    if (because === undefined) sound.push(named);
    else record(named, { killed: false, because });
  }
  await inParallel(
    sound.filter((named) => !needsControlPlane(named)),
    unitAtOnce,
    async (named) => record(named, await tryMutant(named)),
  );
  const notRun = await runOnControlPlane(sound.filter(needsControlPlane), record);

  const killed = [...verdicts.values()].filter((verdict) => verdict.killed).length;
  const survived = verdicts.size - killed;
  writeLevel('mutants', { passed: killed, failed: survived, notRun });
  console.log(`${selected.length} mutants, ${killed} killed${notRun.length === 0 ? '' : `, ${notRun.length} not run`}`);
  return survived === 0 ? 0 : 1;
}

/** @returns what was not run, and why */
async function runOnControlPlane(
  group: readonly NamedMutant[],
  record: (named: NamedMutant, verdict: Verdict) => void,
): Promise<readonly string[]> {
  if (group.length === 0) return [];
  const controlPlane = await prepareControlPlane();
  if (controlPlane.state === 'absent') {
    loud(`NOT RUN: ${group.length} mutants whose tests need a control plane, because ${controlPlane.why}`);
    return group.map(({ name }) => `mutant ${name}: ${controlPlane.why}`);
  }
  for (const named of group) {
    record(named, controlPlane.state === 'broken' ? { killed: false, because: controlPlane.why } : await tryMutant(named));
  }
  return [];
}

/** Why a mutant cannot prove anything, without running it. */
function unsound({ mutant }: NamedMutant): string | undefined {
  const source = readSource(mutant.file);
  if (source === undefined) return `${mutant.file} does not exist`;
  try {
    applyMutant(source, mutant);
  } catch (error) {
    return String(error);
  }
  const test = readSource(mutant.test);
  if (test === undefined) return `${mutant.test} does not exist`;
  return namesTest(test, mutant.behaviour) ? undefined : `no test's name starts with ${mutant.behaviour} in ${mutant.test}`;
}

async function tryMutant(named: NamedMutant): Promise<Verdict> {
  const { mutant, name } = named;
  const onControlPlane = needsControlPlane(named);
  const report = resultFile(`mutant-${name.replace(/\W/g, '-')}.json`);
  rmSync(report, { force: true });
  const register = pathToFileURL(join(import.meta.dirname, 'register.ts')).href;
  const project = onControlPlane ? 'control-plane' : 'unit';
  const args = ['run', '--project', project, mutant.test, '-t', `${mutant.behaviour} `, '--maxWorkers=1', '--reporter=json'];
  const { code } = await runNode([vitestEntry, ...args, `--outputFile=${report}`], {
    output: 'keep',
    limitMs: onControlPlane ? controlPlaneLimitMs : unitLimitMs,
    // Processes that the test starts carry the fault as well.
    env: { MUTANT: name, NODE_OPTIONS: `${process.env['NODE_OPTIONS'] ?? ''} --import=${register}`.trim() },
  });
  if (code === 124) return { killed: false, because: 'its test never ended' };
  return judge(readReport(report), mutant.behaviour);
}

/** As vitest.config.ts divides the levels. */
function needsControlPlane({ mutant }: NamedMutant): boolean {
  return /^test\/(control-plane|scenarios)\/|\.control-plane\.test\.ts$/.test(mutant.test);
}

function readSource(path: string): string | undefined {
  const file = join(root, path);
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

async function inParallel<T>(items: readonly T[], atOnce: number, work: (item: T) => Promise<void>): Promise<void> {
  const queue = [...items];
  const worker = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}
