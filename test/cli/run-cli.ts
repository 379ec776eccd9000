import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ProgramResult, runProgram } from '../control-plane/run-program.ts';

/** The repository's root, where `machines/` is. */
export const root = join(import.meta.dirname, '../..');

/** The entry as it runs from source. */
export const mainArgs: readonly string[] = ['--conditions=source', join(root, 'src/cli/main.ts')];

export interface RunCliOptions {
  /** Added to an environment without kubeconfig, locale, colour and CI. */
  readonly env?: Readonly<Record<string, string>>;
  /** Default the repository's root. */
  readonly cwd?: string;
}

/** What a process sees of this one: where programs are, and a home without a kubeconfig. */
export function cliEnv(env: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], HOME: mkdtempSync(join(tmpdir(), 'phasekeeper-home-')), TZ: 'UTC', ...env };
}

/** Runs the real process to its end. */
export function runCli(args: readonly string[], { env, cwd = root }: RunCliOptions = {}): Promise<ProgramResult> {
  return runProgram(process.execPath, [...mainArgs, ...args], { cwd, env: cliEnv(env), timeoutMs: 60_000 });
}
