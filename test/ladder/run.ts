/** `npm test`: the levels of the ladder one after the other. What cannot run here is said loudly; what fails fails the command. */
import { rmSync } from 'node:fs';
import { loud, runNode, vitestEntry } from './command.ts';
import { prepareControlPlane } from './control-plane.ts';
import { forgetLevel, resultFile, writeLevel } from './results.ts';
import { readReport, tally } from './vitest-report.ts';

const levels = ['unit', 'control-plane'] as const;
/** Nothing hangs longer than this; CI as a whole has an hour. */
const levelLimitMs = 40 * 60_000;
type Level = (typeof levels)[number];

for (const level of levels) forgetLevel(level);

const unitPassed = await runLevel('unit');
const controlPlanePassed = await runControlPlaneLevel();
process.exitCode = unitPassed && controlPlanePassed ? 0 : 1;

async function runControlPlaneLevel(): Promise<boolean> {
  const controlPlane = await prepareControlPlane();
  switch (controlPlane.state) {
    case 'ready':
      return runLevel('control-plane');
    case 'absent':
      loud(`NOT RUN: every test on a real control plane, because ${controlPlane.why}`);
      writeLevel('control-plane', { passed: 0, failed: 0, notRun: [`control plane level: ${controlPlane.why}`] });
      return true;
    case 'broken':
      loud(`FAILED: no control plane, although it should be built: ${controlPlane.why}`);
      writeLevel('control-plane', { passed: 0, failed: 1, notRun: [`control plane level: ${controlPlane.why}`] });
      return false;
    default:
      return controlPlane satisfies never;
  }
}

async function runLevel(level: Level): Promise<boolean> {
  const report = resultFile(`${level}.json`);
  rmSync(report, { force: true });
  console.log(`\n# ${level}`);
  const args = ['run', '--project', level, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const { code } = await runNode([vitestEntry, ...args], { limitMs: levelLimitMs });
  const read = readReport(report);
  const counted = read === undefined ? { passed: 0, failed: 1, notRun: [] } : tally(read);
  // Vitest also fails for what no test is to blame for: an unhandled rejection, a hook.
  const failed = counted.failed === 0 && code !== 0 ? 1 : counted.failed;
  if (counted.notRun.length > 0) loud(`NOT RUN: ${counted.notRun.length} tests of the level ${level}`, counted.notRun);
  writeLevel(level, { passed: counted.passed, failed, notRun: counted.notRun.map((name) => `${level}: ${name}`) });
  return code === 0 && failed === 0;
}
