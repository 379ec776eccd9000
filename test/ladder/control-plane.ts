import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root, runNode } from './command.ts';

/** Whether the levels that need a real control plane can run. */
export type ControlPlane =
  | { readonly state: 'ready' }
  /** It cannot be had here; `why` says so in words for the log. */
  | { readonly state: 'absent'; readonly why: string }
  /** It should have been built and was not: a failure, never a reason to skip. */
  | { readonly state: 'broken'; readonly why: string };

const buildScript = 'test/control-plane/build.ts';
/** A cold build takes about 10 minutes on 2 cores. */
const buildLimitMs = 30 * 60_000;
/** What the build script exits with when there is neither Go nor an earlier build. */
const cannotBuild = 3;

/** Builds the control plane into its cache if Go is here; quick when it is built already. */
export async function prepareControlPlane(): Promise<ControlPlane> {
  if (!existsSync(join(root, buildScript))) return { state: 'absent', why: `${buildScript} does not exist in this checkout` };
  const { code } = await runNode([buildScript], { limitMs: buildLimitMs });
  if (code === 0) return { state: 'ready' };
  if (code === cannotBuild) return { state: 'absent', why: 'no control plane is built, and without Go it cannot be' };
  return { state: 'broken', why: `node ${buildScript} exited with ${code}` };
}
