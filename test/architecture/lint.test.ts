import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');

interface Snippet {
  /** Where the snippet would stand in the repository: rules depend on the room. */
  readonly file: string;
  readonly source: string;
  /** The rules that must complain, in order; none for a snippet that is fine. */
  readonly rules: readonly string[];
}

const asyncWork = 'export async function work(): Promise<void> {}\n';

const snippets: Readonly<Record<string, Snippet>> = {
  'a promise that nobody awaits': {
    file: 'src/queue/floating.ts',
    source: `${asyncWork}export function start(): void {\n  work();\n}\n`,
    rules: ['typescript(no-floating-promises)'],
  },
  'a promise that nobody awaits, in a test': {
    file: 'test/queue/floating.test.ts',
    source: `${asyncWork}export function start(): void {\n  work();\n}\n`,
    rules: ['typescript(no-floating-promises)'],
  },
  'a promise where a plain callback is expected': {
    file: 'src/queue/misused.ts',
    source: `${asyncWork}export const listeners: (() => void)[] = [];\nlisteners.push(work);\n[1].forEach(work);\n`,
    rules: ['typescript(no-misused-promises)', 'typescript(no-misused-promises)'],
  },
  'any in a signature': {
    file: 'src/queue/any.ts',
    source: 'export function first(list: any[]): number {\n  return list.length;\n}\n',
    rules: ['typescript(no-explicit-any)'],
  },
  'any that leaks from JSON.parse': {
    file: 'src/queue/leak.ts',
    source: 'export function nameIn(text: string): string {\n  return JSON.parse(text);\n}\n',
    rules: ['typescript(no-unsafe-return)'],
  },
  'a cast without a reason': {
    file: 'src/queue/cast.ts',
    source: 'export function named(value: unknown): string {\n  return value as string;\n}\n',
    rules: ['phasekeeper(cast-with-reason)'],
  },
  'a cast through unknown without a reason': {
    file: 'src/queue/double-cast.ts',
    source: 'export const wrong = 1 as unknown as string;\n',
    rules: ['phasekeeper(cast-with-reason)', 'phasekeeper(cast-with-reason)'],
  },
  'a cast with a reason, as const and satisfies': {
    file: 'src/queue/reason.ts',
    source: [
      "export const names = ['a', 'b'] as const satisfies readonly string[];",
      'export function named(value: unknown): string {',
      '  // The caller parsed it with the schema of its kind.',
      '  return value as string;',
      '}',
      '',
    ].join('\n'),
    rules: [],
  },
  'a non-null assertion': {
    file: 'src/queue/non-null.ts',
    source: 'export function head(list: readonly string[]): string {\n  return list[0]!;\n}\n',
    rules: ['typescript(no-non-null-assertion)'],
  },
  'Date.now': {
    file: 'src/queue/date-now.ts',
    source: 'export const atMs = Date.now();\n',
    rules: ['eslint(no-restricted-properties)'],
  },
  'new Date without arguments': {
    file: 'src/queue/new-date.ts',
    source: 'export const at = new Date();\n',
    rules: ['phasekeeper(no-ambient-now)'],
  },
  'luxon reading the clock': {
    file: 'machines/nodepool/luxon-now.ts',
    source: "import { DateTime } from 'luxon';\nexport const at = [DateTime.now(), DateTime.utc()];\n",
    rules: ['eslint(no-restricted-properties)', 'phasekeeper(no-ambient-now)'],
  },
  'a date made of its arguments': {
    file: 'src/queue/date-of.ts',
    source: 'export const at = new Date(Date.UTC(2026, 0, 1)).toISOString();\n',
    rules: [],
  },
  setTimeout: {
    file: 'src/queue/timeout.ts',
    source: 'export function later(run: () => void): void {\n  setTimeout(run, 10);\n}\n',
    rules: ['eslint(no-restricted-globals)'],
  },
  setInterval: {
    file: 'src/queue/interval.ts',
    source: 'export function often(run: () => void): void {\n  globalThis.setInterval(run, 10);\n  setInterval(run, 10);\n}\n',
    rules: ['eslint(no-restricted-globals)', 'eslint(no-restricted-properties)'],
  },
  'a timer by another door': {
    file: 'src/queue/timers.ts',
    source: "import { setTimeout as sleep } from 'node:timers/promises';\nexport const soon = [sleep(1), AbortSignal.timeout(1)];\n",
    rules: ['eslint(no-restricted-imports)', 'eslint(no-restricted-properties)'],
  },
  'Math.random': {
    file: 'src/queue/random.ts',
    source: 'export const jitter = Math.random();\n',
    rules: ['eslint(no-restricted-properties)'],
  },
  console: {
    file: 'src/queue/console.ts',
    source: "export function shout(): void {\n  console.log('here');\n}\n",
    rules: ['eslint(no-console)', 'eslint(no-restricted-globals)'],
  },
  'time and console where they belong': {
    file: 'src/clock/system.ts',
    source: 'export const atMs = Date.now();\nexport const timer = setTimeout(() => undefined, new Date().getTime());\n',
    rules: [],
  },
  'a default export': {
    file: 'src/queue/default.ts',
    source: 'export default function queue(): void {}\n',
    rules: ['import(no-default-export)'],
  },
  'export *': {
    file: 'src/queue/all.ts',
    source: "export * from './reason.ts';\nexport * as reasons from './reason.ts';\n",
    rules: ['phasekeeper(no-export-all)', 'phasekeeper(no-export-all)'],
  },
  'a bare Error': {
    file: 'src/queue/throw.ts',
    source: "export function fail(): never {\n  throw new TypeError('no');\n}\n",
    rules: ['phasekeeper(throw-phasekeeper-error)'],
  },
  'a thrown text': {
    file: 'src/queue/throw-text.ts',
    source: "export function fail(): never {\n  throw 'no';\n}\n",
    rules: ['typescript(only-throw-error)'],
  },
  'a switch that forgets a case': {
    file: 'src/queue/switch.ts',
    source:
      "export function isUp(way: 'up' | 'down'): boolean {\n  switch (way) {\n    case 'up':\n      return true;\n  }\n  return false;\n}\n",
    rules: ['typescript(switch-exhaustiveness-check)'],
  },
  'four positional parameters': {
    file: 'src/queue/params.ts',
    source: 'export function sum(a: number, b: number, c: number, d: number): number {\n  return a + b + c + d;\n}\n',
    rules: ['eslint(max-params)'],
  },
  'a function of 51 lines': {
    file: 'src/queue/long.ts',
    source: `export function long(): void {\n${'  void 0;\n'.repeat(49)}}\n`,
    rules: ['eslint(max-lines-per-function)'],
  },
  'a sleep in a test': {
    file: 'test/queue/sleep.test.ts',
    source: "import { setTimeout as sleep } from 'node:timers/promises';\nexport const nap = [sleep(1), setTimeout(() => undefined, 1)];\n",
    rules: ['eslint(no-restricted-globals)', 'eslint(no-restricted-imports)'],
  },
};

let project: string;
let findings: ReadonlyMap<string, readonly string[]>;

beforeAll(async () => {
  project = mkdtempSync(join(tmpdir(), 'phasekeeper-lint-'));
  symlinkSync(join(root, 'node_modules'), join(project, 'node_modules'));
  for (const file of ['.oxlintrc.json', 'tsconfig.json', 'package.json', 'test/architecture/lint-rules.ts']) {
    mkdirSync(dirname(join(project, file)), { recursive: true });
    copyFileSync(join(root, file), join(project, file));
  }
  for (const { file, source } of Object.values(snippets)) {
    mkdirSync(dirname(join(project, file)), { recursive: true });
    writeFileSync(join(project, file), source);
  }
  findings = await lint(project);
}, 60_000);

afterAll(() => rmSync(project, { recursive: true, force: true }));

describe('lint', () => {
  it.each(Object.entries(snippets).filter(([, snippet]) => snippet.rules.length > 0))('refuses %s', (_, { file, rules }) => {
    expect(findings.get(file) ?? []).toEqual(rules.toSorted());
  });

  it.each(Object.entries(snippets).filter(([, snippet]) => snippet.rules.length === 0))('allows %s', (_, { file }) => {
    expect(findings.get(file) ?? []).toEqual([]);
  });
});

interface Diagnostic {
  readonly code: string;
  readonly filename: string;
}

/** The codes of the rules that complained, sorted, per file. */
async function lint(folder: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const args = [join(root, 'node_modules/oxlint/bin/oxlint'), '--type-aware', '--format=json'];
  const output = await new Promise<string>((resolve) => {
    execFile(process.execPath, args, { cwd: folder, maxBuffer: 2 ** 26 }, (_error, stdout) => resolve(stdout));
  });
  const { diagnostics } = JSON.parse(output) as { diagnostics: readonly Diagnostic[] };
  const perFile = new Map<string, string[]>();
  for (const { filename, code } of diagnostics) perFile.set(filename, [...(perFile.get(filename) ?? []), code].toSorted());
  return perFile;
}
