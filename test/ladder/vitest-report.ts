import { existsSync, readFileSync } from 'node:fs';

/** One test of vitest's JSON report. */
export interface TestResult {
  readonly ancestorTitles: readonly string[];
  readonly title: string;
  readonly fullName: string;
  readonly status: 'passed' | 'failed' | 'skipped' | 'pending' | 'todo' | 'disabled';
  readonly failureMessages?: readonly string[];
}

/** What this repository reads of vitest's JSON report. */
export interface VitestReport {
  readonly success: boolean;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: 'passed' | 'failed';
    /** Why the file could not be collected; empty otherwise. */
    readonly message?: string;
    readonly assertionResults: readonly TestResult[];
  }[];
}

/** The report in a file, or undefined when vitest did not get as far as writing it. */
export function readReport(path: string): VitestReport | undefined {
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as VitestReport) : undefined;
}

export interface Tally {
  readonly passed: number;
  readonly failed: number;
  /** Full names of tests that were not run. */
  readonly notRun: readonly string[];
}

/** Counts a report. A file that failed without a failed test (it did not load, or a hook threw) counts as one failure. */
export function tally(report: VitestReport): Tally {
  const tests = report.testResults.flatMap((file) => file.assertionResults);
  const brokenFiles = report.testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
  );
  const failed = tests.filter((test) => test.status === 'failed').length + brokenFiles.length;
  return {
    passed: tests.filter((test) => test.status === 'passed').length,
    failed: failed === 0 && !report.success ? 1 : failed,
    notRun: tests.filter((test) => test.status !== 'passed' && test.status !== 'failed').map((test) => test.fullName),
  };
}
