import type { TestResult, VitestReport } from '../ladder/vitest-report.ts';

export type Verdict = { readonly killed: true } | { readonly killed: false; readonly because: string };

/** Errors that a fault in the text causes, not a fault in what it does. */
const accidents = /^(SyntaxError|ReferenceError|TypeError)\b/;
const timeouts = /^Error: (Test|Hook) timed out in /;

/**
 * Whether a run with a mutant failed for the right reason: a test named after the behaviour, by something it said itself.
 *
 * @param report undefined when vitest wrote none
 */
export function judge(report: VitestReport | undefined, behaviour: string): Verdict {
  if (report === undefined) return survived('vitest wrote no report');
  const unloaded = report.testResults.find((file) => file.status === 'failed' && file.assertionResults.length === 0);
  if (unloaded !== undefined) return survived(`the test file did not load: ${firstLine(unloaded.message ?? '')}`);
  const called = report.testResults.flatMap((file) => file.assertionResults).filter((test) => isNamed(test, behaviour));
  const named = called.filter((test) => test.status === 'passed' || test.status === 'failed');
  if (called.length === 0) return survived(`no test's name starts with ${behaviour}`);
  if (named.length === 0) return survived(report.success ? 'its tests were left out' : 'a hook failed before its tests could run');
  const failures = named.filter((test) => test.status === 'failed').map((test) => firstLine(test.failureMessages?.[0] ?? ''));
  if (failures.length === 0) return survived(named.length === 1 ? 'its test passed' : `its ${named.length} tests passed`);
  if (failures.every((failure) => accidents.test(failure) || timeouts.test(failure) || failure === '')) {
    return survived(`no assertion failed, only: ${failures[0] || 'a failure without a message'}`);
  }
  return { killed: true };
}

function survived(because: string): Verdict {
  return { killed: false, because };
}

function isNamed(test: TestResult, behaviour: string): boolean {
  return [...test.ancestorTitles, test.title].some((title) => title.startsWith(`${behaviour} `));
}

function firstLine(text: string): string {
  return text.trim().split('\n', 1)[0] ?? '';
}
