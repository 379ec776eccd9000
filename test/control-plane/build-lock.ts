import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const pollMs = 500;

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function tryToCreate(file: string): boolean {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

function ownerOf(file: string): number | undefined {
  try {
    const pid = Number(readFileSync(file, 'utf8'));
    return Number.isInteger(pid) && pid > 0 ? pid : undefined;
  } catch {
    return undefined;
  }
}

/** Keeps two builds from the same folder: a file that holds the builder's pid. One left by a builder that died is taken over. */
export class BuildLock {
  readonly #file: string;
  /** Whether somebody else held it first. */
  readonly waited: boolean;

  private constructor(file: string, waited: boolean) {
    this.#file = file;
    this.waited = waited;
  }

  /** Waits as long as the holder lives. `onWait` is called once, when the wait begins. */
  static async take(file: string, onWait: () => void): Promise<BuildLock> {
    let waited = false;
    while (!tryToCreate(file)) {
      const owner = ownerOf(file);
      if (owner !== undefined && !isAlive(owner)) {
        rmSync(file, { force: true });
        continue;
      }
      if (!waited) onWait();
      waited = true;
      await sleep(pollMs);
    }
    return new BuildLock(file, waited);
  }

  release(): void {
    rmSync(this.#file, { force: true });
  }
}
