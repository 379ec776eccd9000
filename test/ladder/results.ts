import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './command.ts';

/** What one level of the ladder counted; written by whoever ran it, read by `npm run verify`. */
export interface LevelResult {
  readonly passed: number;
  readonly failed: number;
  /** What was left out, and why, in words. */
  readonly notRun: readonly string[];
}

/** Folder of everything a run leaves behind; ignored by git. */
export const resultsFolder = join(root, '.results');

/** A file in the results folder, which exists afterwards. */
export function resultFile(name: string): string {
  mkdirSync(resultsFolder, { recursive: true });
  return join(resultsFolder, name);
}

/** Forgets what an earlier run said about a level, so that a run that dies early is not mistaken for it. */
export function forgetLevel(level: string): void {
  rmSync(join(resultsFolder, `${level}.level.json`), { force: true });
}

export function writeLevel(level: string, result: LevelResult): void {
  writeFileSync(resultFile(`${level}.level.json`), `${JSON.stringify(result, undefined, 2)}\n`);
}

export function readLevel(level: string): LevelResult | undefined {
  const path = join(resultsFolder, `${level}.level.json`);
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as LevelResult) : undefined;
}
