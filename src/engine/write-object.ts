import { ApiError } from '../cluster/api-error.ts';
import { names } from '../definition/reserved-names.ts';
import type { Position } from '../machine/position.ts';
import { composeProblem, composeStatus } from './compose-status.ts';
import { GoneError } from './gone-error.ts';
import type { Problem } from './problem.ts';
import type { Run } from './run.ts';
import { StaleViewError } from './stale-view-error.ts';

/** What is to be different: a merge patch, or the status as a whole. */
type Change =
  | { readonly type: 'merge'; readonly body: { readonly metadata?: object; readonly status?: object } }
  | { readonly type: 'json'; readonly status: object };

/**
 * Stores a position: one patch of the status on the version that was read.
 * @returns whether anything was written
 * @throws StaleViewError on a 409; GoneError when the object is gone; ApiError otherwise
 */
export async function storePosition(run: Run, position: Position, problem: Problem | undefined): Promise<boolean> {
  if (run.isStored(position, problem)) return false;
  const { patch, status } = composeStatus(run.at(position), problem);
  if (patch !== undefined) await patchObject(run, statusChange(status, patch), 'status');
  run.moveTo(position);
  run.noteStored(problem);
  return patch !== undefined;
}

/** Shows a problem in the conditions and leaves the rest of the status alone. */
export async function storeProblem(run: Run, problem: Problem): Promise<void> {
  const patch = composeProblem(run, problem);
  if (patch !== undefined) await patchObject(run, { type: 'merge', body: { status: patch } }, 'status');
}

/** Sets our finalizer or takes it off; other controllers' finalizers stay. */
export async function setFinalizer(run: Run, present: boolean): Promise<void> {
  const ours = names.finalizer(run.scene.lifecycle.kind.plural);
  const others = (run.object.metadata.finalizers ?? []).filter((finalizer) => finalizer !== ours);
  await patchObject(run, { type: 'merge', body: { metadata: { finalizers: present ? [...others, ours] : others } } }, undefined);
}

async function patchObject(run: Run, change: Change, subresource: 'status' | undefined): Promise<void> {
  const { lifecycle, cluster, primaries } = run.scene;
  const options = {
    fieldManager: names.fieldManager(lifecycle.name),
    type: change.type,
    ...(subresource === undefined ? {} : { subresource }),
  };
  try {
    const answer = await cluster.patch(lifecycle.kind, run.key, atVersionRead(run, change), options);
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

/** The body of a patch that happens to the object at the version that was read, or not at all. */
function atVersionRead(run: Run, change: Change): unknown {
  const { uid, resourceVersion } = run.object.metadata;
  if (change.type === 'merge') return { ...change.body, metadata: { ...change.body.metadata, uid, resourceVersion } };
  return [
    { op: 'replace', path: '/metadata/uid', value: uid },
    { op: 'replace', path: '/metadata/resourceVersion', value: resourceVersion },
    { op: 'add', path: '/status', value: change.status },
  ];
}

/** A merge patch takes null for a removal: a status that holds one is stored as a whole. */
function statusChange(status: object, patch: object): Change {
  return holdsNull(status) ? { type: 'json', status } : { type: 'merge', body: { status: patch } };
}

function holdsNull(value: unknown): boolean {
  return value === null || (typeof value === 'object' && Object.values(value).some(holdsNull));
}
