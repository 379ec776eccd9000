import { describe, expect, it } from 'vitest';
import type { TestResult, VitestReport } from '../ladder/vitest-report.ts';
import { nameMutants } from './all.ts';
import { applyMutant } from './apply-mutant.ts';
import { missingPairs, promisedBehaviours } from './coverage.ts';
import type { Mutant } from './mutant.ts';
import { judge } from './verdict.ts';

const mutant: Mutant = {
  behaviour: 'B40',
  file: 'src/cluster/reflector.ts',
  find: 'isSilent()',
  replace: 'false',
  test: 'test/cluster/reflector.test.ts',
  why: 'a silent socket is never noticed',
};

describe('applyMutant', () => {
  it('replaces the one occurrence, taking dollar signs literally', () => {
    expect(applyMutant('if (isSilent()) relist();', { ...mutant, replace: "'$&'" })).toBe("if ('$&') relist();");
  });

  it.each([
    ['is not there', 'relist();', mutant],
    ['is there twice', 'isSilent() || isSilent()', mutant],
    ['is empty', 'isSilent()', { ...mutant, find: '' }],
    ['is what replaces it', 'isSilent()', { ...mutant, replace: 'isSilent()' }],
  ])('refuses a mutant whose text %s', (_, source, wrong) => {
    expect(() => applyMutant(source, wrong)).toThrow('mutant of B40');
  });
});

describe('nameMutants', () => {
  it('numbers the mutants of one behaviour within a room', () => {
    const names = nameMutants('cluster', [mutant, { ...mutant, behaviour: 'B41' }, mutant]).map((each) => each.name);
    expect(names).toEqual(['cluster/B40', 'cluster/B41', 'cluster/B40#2']);
  });
});

describe('judge', () => {
  const failed = (title: string, message: string): TestResult => result(title, 'failed', [message]);

  it('lets an assertion of the named test kill', () => {
    expect(judge(report([failed('B40 notices', 'AssertionError: expected 1 to be 2')]), 'B40')).toEqual({ killed: true });
  });

  it('lets a test kill whose describe carries the behaviour', () => {
    const nested: TestResult = { ...failed('in Pending', 'AssertionError: no'), ancestorTitles: ['B25 delete in every phase'] };
    expect(judge(report([nested]), 'B25')).toEqual({ killed: true });
  });

  it.each<[string, VitestReport | undefined]>([
    ['vitest wrote no report', undefined],
    ['the test file did not load: SyntaxError: x', report([], 'SyntaxError: x')],
    ["no test's name starts with B40", report([failed('B400 is another', 'AssertionError: x')])],
    ['its tests were left out', report([result('B40 was left out', 'skipped')])],
    ['a hook failed before its tests could run', { ...report([result('B40 was not reached', 'skipped')]), success: false }],
    ['its test passed', report([result('B40 notices', 'passed'), failed('another', 'AssertionError: x')])],
    ['no assertion failed, only: ReferenceError: x is not defined', report([failed('B40 notices', 'ReferenceError: x is not defined')])],
    ['no assertion failed, only: Error: Test timed out in 5000ms.', report([failed('B40 notices', 'Error: Test timed out in 5000ms.')])],
  ])('lets a mutant survive when %s', (because, from) => {
    expect(judge(from, 'B40')).toEqual({ killed: false, because });
  });
});

describe('missingPairs', () => {
  const [named] = nameMutants('cluster', [mutant]);

  it('is empty when every promised behaviour has a mutant and a test of its name', () => {
    expect(missingPairs([named as NonNullable<typeof named>], () => "it('B40 notices a silent socket')", ['B40'])).toEqual([]);
  });

  it('names a behaviour without a mutant, and one whose test has another name', () => {
    expect(missingPairs([named as NonNullable<typeof named>], () => "it('notices B40')", ['B40', 'B41'])).toEqual([
      'B40 has no test of that name in test/cluster/reflector.test.ts',
      'B41 has no mutant',
    ]);
  });

  it('promises each behaviour once', () => {
    expect(new Set(promisedBehaviours).size).toBe(promisedBehaviours.length);
    expect(promisedBehaviours).toHaveLength(32);
  });
});

function result(title: string, status: TestResult['status'], failureMessages: readonly string[] = []): TestResult {
  return { title, fullName: title, ancestorTitles: [], status, failureMessages };
}

function report(tests: readonly TestResult[], message = ''): VitestReport {
  const status = message !== '' || tests.some((test) => test.status === 'failed') ? 'failed' : 'passed';
  return { success: status === 'passed', testResults: [{ name: '/x.test.ts', status, message, assertionResults: tests }] };
}
