import { createHash } from 'node:crypto';
import { ApiError } from '../cluster/api-error.ts';
import { names } from '../definition/reserved-names.ts';
import type { FieldSet, KubernetesObject } from '../resource/kubernetes-object.ts';
import type { DesiredDependent } from './desired-dependent.ts';
import { missingField, undesiredField } from './field-difference.ts';
import { ownershipOf } from './ownership.ts';
import type { Problem } from './problem.ts';
import type { Run } from './run.ts';

/** What is to be done about one desired dependent. */
export type Step =
  | { readonly type: 'create'; readonly dependent: DesiredDependent }
  | { readonly type: 'update'; readonly dependent: DesiredDependent; readonly stored: KubernetesObject; readonly path: string }
  | { readonly type: 'hold'; readonly problem: Problem };

/** A rival may undo our field this often before we stop and say so. */
const correctionsAllowed = 3;
/** Corrections further apart than this are not one fight. */
const contestWindowMs = 10 * 60_000;

/** Compares one desired dependent with the cache: what has to be written, or undefined when nothing differs. */
export function stepFor(run: Run, dependent: DesiredDependent): Step | undefined {
  const stored = run.scene.dependents[dependent.group]?.get(dependent.key);
  if (stored === undefined) return { type: 'create', dependent };
  const where = `${dependent.kind.kind} ${dependent.key}`;
  if (ownershipOf(stored, run.object.metadata.uid) === 'foreign') {
    return hold('waiting', 'WaitingForOldDependents', `${where} belongs to another object; waiting until it is gone`);
  }
  if (stored.metadata.deletionTimestamp !== undefined)
    return hold('waiting', 'WaitingForDeletion', `${where} is being deleted; it is made again when it is gone`);
  const owned = ownedFields(run, stored);
  const path =
    missingField({ desired: dependent.body, stored, owned }) ?? (owned === undefined ? undefined : undesiredField(owned, dependent.body));
  if (path === undefined) return undefined;
  const applied = run.memory.applied(applyKey(dependent));
  if (applied?.digest !== digestOf(dependent)) return { type: 'update', dependent, stored, path };
  if (applied.notCanonical) return undefined;
  const contested = applied.corrections >= correctionsAllowed && run.nowMs - applied.atMs < contestWindowMs;
  if (!contested) return { type: 'update', dependent, stored, path };
  return hold('stalled', 'FieldContested', `${where}: someone else keeps changing ${path}; let one of the two own it`);
}

function hold(severity: Problem['severity'], reason: string, message: string): Step {
  return { type: 'hold', problem: { severity, reason, message } };
}

/** What became of a write. */
export interface Written {
  /** What is seen may have changed: facts are to be judged anew. */
  readonly changed: boolean;
  readonly problem: Problem | undefined;
}

/**
 * Writes one dependent by server-side apply and puts the answer into the cache.
 *
 * A create carries no UID and is not forced. An update carries the UID that was seen, so that it never brings back what was
 * deleted meanwhile, and is forced only where our reference controls.
 * @returns a problem when the name turned out to be taken
 * @throws ApiError as the server answered; a 409 on an update means that the cache was behind, and is settled here by a live read
 */
export async function writeDependent(run: Run, step: Exclude<Step, { type: 'hold' }>): Promise<Written> {
  const { dependent } = step;
  const stored = step.type === 'update' ? step.stored : await findUnseen(run, dependent);
  const ours = stored !== undefined && ownershipOf(stored, run.object.metadata.uid) === 'ours';
  if (step.type === 'create' && stored !== undefined && !ours) return notOurs(run, dependent, stored);
  const fieldManager = names.fieldManager(run.scene.lifecycle.name);
  const body =
    stored === undefined ? dependent.body : { ...dependent.body, metadata: { ...dependent.body.metadata, uid: stored.metadata.uid } };
  try {
    const answer = await run.scene.cluster.apply(dependent.kind, dependent.key, body, { fieldManager, force: ours });
    if (stored === undefined && isTaken(run, answer)) return await release(run, dependent, fieldManager);
    run.memory.noteTaken(applyKey(dependent), false);
    run.scene.dependents[dependent.group]?.observe(answer);
    run.changed();
    noteApplied(run, dependent, { answer, corrects: stored !== undefined });
    return { changed: true, problem: undefined };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (!ours && isForeign(error)) return nameTaken(run, dependent, error.message);
    if (error.status !== 409 && error.status !== 404) throw error;
    await refresh(run, dependent);
    if (stored === undefined) throw error;
    return { changed: true, problem: undefined };
  }
}

/**
 * The object of that name that the cache does not hold. Asked only where there can be one: after a restart (its label may have been
 * taken off meanwhile), or when the name was found to be taken. An apply would merge into it, and nobody could tell afterwards
 * whose it was.
 */
async function findUnseen(run: Run, dependent: DesiredDependent): Promise<KubernetesObject | undefined> {
  if (run.memory.sawBeginning && !run.memory.isTaken(applyKey(dependent))) return undefined;
  return await run.scene.cluster.get(dependent.kind, dependent.key);
}

/** With our label the cache was late and has it now; without, it is somebody else's. */
function notOurs(run: Run, dependent: DesiredDependent, stored: KubernetesObject): Written {
  const label = dependent.body.metadata.labels?.[names.ownerLabel];
  if (stored.metadata.labels?.[names.ownerLabel] !== label) return nameTaken(run, dependent, 'an object that is not ours has this name');
  run.scene.dependents[dependent.group]?.observe(stored);
  run.changed();
  return { changed: true, problem: undefined };
}

/** Reads one dependent live, so that the cache is no longer behind. */
async function refresh(run: Run, dependent: DesiredDependent): Promise<void> {
  const cache = run.scene.dependents[dependent.group];
  const before = cache?.get(dependent.key);
  const live = await run.scene.cluster.get(dependent.kind, dependent.key);
  if (live !== undefined) cache?.upsert(live);
  else if (before !== undefined) cache?.forget(dependent.key, before.metadata.uid);
  run.changed();
}

/**
 * An unforced apply merges into an object that was already there; it was there when another manager has written to it. One that
 * left our cache a moment ago (its label was taken off by hand) is still ours.
 */
function isTaken(run: Run, answer: KubernetesObject): boolean {
  const manager = names.fieldManager(run.scene.lifecycle.name);
  const others = (answer.metadata.managedFields ?? []).some((entry) => entry.manager !== manager && entry.subresource === undefined);
  return others && !run.scene.departed.has(answer.metadata.uid);
}

async function release(run: Run, dependent: DesiredDependent, fieldManager: string): Promise<Written> {
  const { name, namespace } = dependent.body.metadata;
  const empty = {
    apiVersion: dependent.body.apiVersion,
    kind: dependent.body.kind,
    metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
  };
  await run.scene.cluster.apply(dependent.kind, dependent.key, empty, { fieldManager, force: false });
  return nameTaken(run, dependent, 'an object that is not ours has this name');
}

function nameTaken(run: Run, dependent: DesiredDependent, why: string): Written {
  run.memory.noteTaken(applyKey(dependent), true);
  const message = `${dependent.kind.kind} ${dependent.key}: ${why}; rename or remove it`;
  return { changed: false, problem: { severity: 'stalled', reason: 'NameTaken', message } };
}

function noteApplied(
  run: Run,
  dependent: DesiredDependent,
  { answer, corrects }: { readonly answer: KubernetesObject; readonly corrects: boolean },
): void {
  const key = applyKey(dependent);
  const path = missingField({ desired: dependent.body, stored: answer, owned: ownedFields(run, answer) });
  const before = run.memory.applied(key);
  if (path === undefined && !corrects) {
    run.memory.forgetApplied(key);
    return;
  }
  const digest = digestOf(dependent);
  const again = before?.digest === digest && run.nowMs - before.atMs < contestWindowMs;
  run.memory.noteApplied(key, {
    digest,
    corrections: again ? before.corrections + 1 : 0,
    atMs: run.nowMs,
    notCanonical: path !== undefined,
  });
  if (path === undefined) return;
  const message = `${dependent.kind.kind} ${dependent.key}: the server stores ${path} differently from what is desired; desire it as it is stored`;
  run.scene.log.warn({ key: run.key, dependent: dependent.key, path }, 'desired field is not canonical');
  run.scene.events?.record({ regarding: run.object, type: 'Warning', reason: 'NotCanonical', message });
}

function ownedFields(run: Run, stored: KubernetesObject): FieldSet | undefined {
  const manager = names.fieldManager(run.scene.lifecycle.name);
  return stored.metadata.managedFields?.find((entry) => entry.manager === manager && entry.operation === 'Apply')?.fieldsV1;
}

/** The server refused because someone else owns a field that we desire, or already controls the object. */
function isForeign(error: ApiError): boolean {
  if (error.status === 422) return error.message.includes('Only one reference can have Controller set to true');
  return error.status === 409 && error.message.includes('conflict with');
}

function applyKey(dependent: DesiredDependent): string {
  return `${dependent.group}/${dependent.key}`;
}

function digestOf(dependent: DesiredDependent): string {
  return createHash('sha1').update(JSON.stringify(dependent.body)).digest('base64');
}
