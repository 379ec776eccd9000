import { ApiError } from '../cluster/api-error.ts';
import { names } from '../definition/reserved-names.ts';
import type { Position } from '../machine/position.ts';
import { composeProblem, composeStatus } from './compose-status.ts';
import { GoneError } from './gone-error.ts';
import type { Problem } from './problem.ts';
import type { Run } from './run.ts';
import { StaleViewError } from './stale-view-error.ts';

/**
 * Stores a position: one merge patch of the status on the version that was read.
 * @returns whether anything was written
 * @throws StaleViewError on a 409; GoneError when the object is gone; ApiError otherwise
 */
export async function storePosition(run: Run, position: Position, problem: Problem | undefined): Promise<boolean> {
  if (run.isStored(position, problem)) return false;
  const { patch } = composeStatus(run.at(position), problem);
  if (patch !== undefined) await patchObject(run, { status: patch }, 'status');
  run.moveTo(position);
  run.noteStored(problem);
  return patch !== undefined;
}

/** Shows a problem in the conditions and leaves the rest of the status alone. */
export async function storeProblem(run: Run, problem: Problem): Promise<void> {
  const patch = composeProblem(run, problem);
  if (patch !== undefined) await patchObject(run, { status: patch }, 'status');
}

/** Sets our finalizer or takes it off; other controllers' finalizers stay. */
export async function setFinalizer(run: Run, present: boolean): Promise<void> {
  const ours = names.finalizer(run.scene.lifecycle.kind.plural);
  const others = (run.object.metadata.finalizers ?? []).filter((finalizer) => finalizer !== ours);
  await patchObject(run, { metadata: { finalizers: present ? [...others, ours] : others } }, undefined);
}

async function patchObject(
  run: Run,
  body: { readonly metadata?: object; readonly status?: object },
  subresource: 'status' | undefined,
): Promise<void> {
  const { uid, resourceVersion } = run.object.metadata;
  const { lifecycle, cluster, primaries } = run.scene;
  const options = { fieldManager: names.fieldManager(lifecycle.name), ...(subresource === undefined ? {} : { subresource }) };
  try {
    const answer = await cluster.patch(lifecycle.kind, run.key, { ...body, metadata: { ...body.metadata, uid, resourceVersion } }, options);
    primaries.observe(answer);
    run.object = answer;
    run.changed();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.status === 409) throw new StaleViewError(run.name, error);
    if (error.status === 404) throw new GoneError(run.name, error);
    throw error;
  }
}
