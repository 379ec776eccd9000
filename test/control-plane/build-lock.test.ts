import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';

import { BuildLock } from './build-lock.ts';

function lockFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'lock-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, 'lock');
}

describe('the lock of a build', () => {
  it('lets the second builder in when the first is done', async () => {
    const file = lockFile();
    let hasWaited = false;
    const first = await BuildLock.take(file, () => {});
    const second = BuildLock.take(file, () => {
      hasWaited = true;
      first.release();
    });
    expect((await second).waited).toBe(true);
    expect(hasWaited).toBe(true);
    (await second).release();
    expect(existsSync(file)).toBe(false);
  });

  it('is taken over from a builder that died', async () => {
    const file = lockFile();
    const dead = spawnSync(process.execPath, ['--version']).pid;
    writeFileSync(file, String(dead));
    const lock = await BuildLock.take(file, () => {});
    expect(lock.waited).toBe(false);
    lock.release();
  });
});
