import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findBinaries } from '../control-plane/binaries.ts';
import { runProgram } from '../control-plane/run-program.ts';
import { cliEnv, root } from './run-cli.ts';

const tour = ['--conditions=source', join(root, 'test/control-plane/tour.ts')];
const wanted = { controllers: true, scheduler: true, kwok: true };

describe('npm start', () => {
  it.skipIf(findBinaries(wanted) === undefined)(
    'shows every phase, a refused forgery and the end of the pool, exit code 0',
    { timeout: 180_000 },
    async () => {
      const { code, stdout, stderr } = await runProgram(process.execPath, tour, { cwd: root });
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      const words = [...stdout.matchAll(/^\d\d:\d\d:\d\d {2}demo {2}(\w+)/gm)].map(([, word]) => word);
      expect(new Set(words)).toEqual(
        new Set(['Pending', 'ScalingUp', 'Running', 'refused', 'resized', 'ScalingDown', 'node', 'Deleting', 'gone']),
      );
      expect(stdout).toContain('422: legal from Running: ');
      expect(stdout).toMatch(/\nTour: \d+ transitions, 1 write refused as it should be, 0 errors, [\d.]+s\./);
    },
  );

  it('never falls back to another kubeconfig, exit code 3', { timeout: 60_000 }, async () => {
    const { code, stderr } = await runProgram(process.execPath, [...tour, '--use-kubeconfig'], { cwd: root, env: cliEnv() });
    expect(code).toBe(3);
    expect(stderr).toContain('error: KUBECONFIG is not set\nhint: ');
  });
});
