import { describe, expect, it } from 'vitest';
import { runNode } from './command.ts';
import { type TestResult, tally, type VitestReport } from './vitest-report.ts';

describe('tally', () => {
  const test = (status: TestResult['status'], title = 'x'): TestResult => ({ title, fullName: title, ancestorTitles: [], status });
  const report = (success: boolean, ...files: readonly (readonly TestResult[])[]): VitestReport => ({
    success,
    testResults: files.map((assertionResults) => ({
      name: '/x.test.ts',
      status: !success && assertionResults.every(({ status }) => status !== 'passed') ? 'failed' : 'passed',
      assertionResults,
    })),
  });

  it('counts tests and names those that were not run', () => {
    const counted = tally(
      report(false, [test('passed'), test('skipped', 'left out'), test('todo', 'to come')], [test('failed'), test('failed')]),
    );
    expect(counted).toEqual({ passed: 1, failed: 2, notRun: ['left out', 'to come'] });
  });

  it('counts a file that did not load as one failure', () => {
    expect(tally(report(false, [test('passed')], []))).toEqual({ passed: 1, failed: 1, notRun: [] });
  });

  it('counts a failure that belongs to no test', () => {
    expect(tally(report(false, [test('passed')]))).toEqual({ passed: 1, failed: 1, notRun: [] });
  });
});

describe('runNode', () => {
  it('gives code and output of both streams', async () => {
    const ran = await runNode(['-e', "console.log('out'); console.error('err'); process.exitCode = 3"], { output: 'keep' });
    expect(ran.code).toBe(3);
    expect(ran.output.split('\n').toSorted()).toEqual(['', 'err', 'out']);
  });

  it('kills what runs too long together with what it started', async () => {
    const child =
      "const { spawn } = require('node:child_process'); spawn('sleep', ['600'], { stdio: 'inherit' }); setInterval(() => {}, 1e9)";
    const ran = await runNode(['-e', child], { output: 'keep', limitMs: 200 });
    expect(ran.code).toBe(124);
  });
});
