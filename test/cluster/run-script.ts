import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '..', '..');

/** Runs a module's text in a Node process of its own, in the repository's root. @returns what it printed */
export async function runScript(source: string): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', source], { cwd: root });
  return stdout;
}
