import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';

import { findBinaries } from './binaries.ts';
import { controlPlanePrograms, kwokStagesFolder, versionStamp, versionStampFile } from './control-plane-versions.ts';

let said: string[];

beforeEach(() => {
  said = [];
  const stderr = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    said.push(String(text));
    return true;
  });
  onTestFinished(() => {
    stderr.mockRestore();
    vi.unstubAllEnvs();
  });
});

/** A folder of empty programs, as the cache's `bin` or as what `KUBEBUILDER_ASSETS` names. */
function folderWith(programs: readonly string[], as: 'cache' | 'assets'): string {
  const base = mkdtempSync(join(tmpdir(), 'binaries-'));
  onTestFinished(() => rmSync(base, { recursive: true }));
  const folder = as === 'cache' ? join(base, 'control-plane', 'bin') : base;
  mkdirSync(folder, { recursive: true });
  for (const name of programs) writeFileSync(join(folder, name), '');
  vi.stubEnv('XDG_CACHE_HOME', base);
  vi.stubEnv('KUBEBUILDER_ASSETS', as === 'assets' ? folder : '');
  return folder;
}

describe('finding the programs', () => {
  it('takes a finished build from the cache', () => {
    const folder = folderWith(controlPlanePrograms, 'cache');
    mkdirSync(join(folder, kwokStagesFolder));
    writeFileSync(join(folder, kwokStagesFolder, 'node.yaml'), '');
    writeFileSync(join(folder, versionStampFile), versionStamp());
    const binaries = findBinaries({ controllers: true, scheduler: true, kwok: true });
    expect(binaries).toMatchObject({ folder, etcd: join(folder, 'etcd'), kwok: join(folder, 'kwok') });
    expect(binaries?.kwokStages).toEqual([join(folder, kwokStagesFolder, 'node.yaml')]);
    expect(said).toEqual([]);
  });

  it('says once, on one line, what is missing and how to get it', () => {
    vi.stubEnv('KUBEBUILDER_ASSETS', '');
    vi.stubEnv('XDG_CACHE_HOME', join(tmpdir(), 'there-is-no-such-folder'));
    expect(findBinaries()).toBeUndefined();
    expect(findBinaries()).toBeUndefined();
    expect(said).toHaveLength(1);
    expect(said[0]).toMatch(
      /^control plane: SKIPPED, no control plane has been built; build it with: node test\/control-plane\/build\.ts.*\n$/,
    );
  });

  it('never takes a build that is not finished, or of other versions, for a whole one', () => {
    const folder = folderWith(controlPlanePrograms, 'cache');
    expect(findBinaries()).toBeUndefined();
    writeFileSync(join(folder, versionStampFile), '{}');
    expect(findBinaries()).toBeUndefined();
    expect(said.join('')).toMatch(/holds no finished build[^]*is of other versions/);
  });

  it('takes what envtest has from KUBEBUILDER_ASSETS, for those who need no more', () => {
    const folder = folderWith(['etcd', 'kube-apiserver', 'kubectl'], 'assets');
    expect(findBinaries()).toMatchObject({ folder, kwokStages: [] });
    expect(findBinaries({ kwok: true })).toBeUndefined();
    expect(said.join('')).toContain('lacks kwok with its stages');
  });

  it('says that KUBEBUILDER_ASSETS is wrong rather than look elsewhere', () => {
    vi.stubEnv('KUBEBUILDER_ASSETS', join(tmpdir(), 'no-assets-here'));
    expect(findBinaries()).toBeUndefined();
    expect(said.join('')).toContain('KUBEBUILDER_ASSETS names');
  });
});
