import { ApiError } from '../cluster/api-error.ts';
import type { NamedReference } from '../definition/chart.ts';
import { PhasekeeperError } from '../failure/phasekeeper-error.ts';
import { activeEntries } from '../machine/active-entries.ts';
import { type Asserted, mergeAsserted, nothingAsserted, worse } from './asserted.ts';
import { deletableNow } from './declared-delete.ts';
import { removeDependents } from './remove-dependents.ts';
import { stepFor, type Step, writeDependent } from './dependent-writer.ts';
import { desiredDependent, type DesiredDependent } from './desired-dependent.ts';
import { EffectError } from './effect-error.ts';
import { evaluate } from './evaluate.ts';
import type { Problem } from './problem.ts';
import type { Run } from './run.ts';

/** Waiting for something that no watch reports (a PodDisruptionBudget, an old dependent): look again this often. */
const waitingRetryMs = 5_000;
/** A permanent refusal is tried again this often: quotas and permissions change without a sign. */
const refusedRetryMs = 60_000;
const parallelWrites = 8;

/**
 * Makes true what the active phase says: its ensures by server-side apply and its declared deletes, all active levels, root first,
 * only where something differs.
 * @throws EffectError for what may succeed later; permanent refusals are in the result
 */
export async function assertPhase(run: Run): Promise<Asserted> {
  let result: Asserted = nothingAsserted;
  for (const entry of activeEntries(run.scene.lifecycle, run.position.state)) {
    const isDelete = entry.name in run.scene.lifecycle.vocabulary.deletes;
    result = mergeAsserted(result, isDelete ? await removeDependents(run, entry) : await ensure(run, entry));
    if (result.problem?.severity === 'stalled' || result.refused !== undefined) break;
  }
  return result;
}

/** Whether nothing would be left to assert in the phase of `run`: what `stable` waits for. */
export function isSettled(run: Run): boolean {
  const { lifecycle } = run.scene;
  return activeEntries(lifecycle, run.position.state).every((entry) => {
    if (entry.name in lifecycle.vocabulary.deletes) return deletableNow(run, entry).length === 0;
    const steps = stepsOf(run, entry);
    return steps !== undefined && steps.length === 0;
  });
}

async function ensure(run: Run, entry: NamedReference): Promise<Asserted> {
  const steps = stepsOf(run, entry);
  if (steps === undefined) return nothingAsserted;
  let problem: Problem | undefined;
  let wrote = false;
  const writes: Exclude<Step, { type: 'hold' }>[] = [];
  for (const step of steps) {
    if (step.type === 'hold') problem = worse(problem, step.problem);
    else writes.push(step);
  }
  try {
    for (let index = 0; index < writes.length; index += parallelWrites) {
      // All of them end before the reconcile does, also when one fails: the next one must not run beside them.
      const answers = await Promise.allSettled(writes.slice(index, index + parallelWrites).map((step) => writeDependent(run, step)));
      for (const answer of answers) {
        if (answer.status === 'rejected') continue;
        wrote ||= answer.value.changed;
        problem = worse(problem, answer.value.problem);
      }
      const failed = answers.find((answer) => answer.status === 'rejected');
      if (failed !== undefined) throw failed.reason;
    }
  } catch (error) {
    if (isPermanent(error)) return { wrote, problem, refused: error.message, retryInMs: refusedRetryMs };
    throw new EffectError(`ensure ${entry.name}`, run.name, { reason: 'EnsureFailed', disposition: 'retry', cause: error });
  }
  return { wrote, problem, refused: undefined, retryInMs: problem === undefined ? undefined : waitingRetryMs };
}

/** What differs, or undefined when the ensure reads something that is not known. */
function stepsOf(run: Run, entry: NamedReference): readonly Step[] | undefined {
  const { lifecycle } = run.scene;
  const author = lifecycle.vocabulary.ensure[entry.name];
  if (author === undefined) return [];
  const desired = evaluate({ place: `ensure ${entry.name}`, object: run.name }, () => author(run.view(), entry.params));
  if (desired.type === 'unknown') return undefined;
  const seen = new Map<string, DesiredDependent>();
  const steps: Step[] = [];
  for (const object of desired.value) {
    const dependent = desiredDependent(run, object);
    const id = `${dependent.group}/${dependent.key}`;
    if (seen.has(id)) throw desiredTwice(run, entry, id);
    seen.set(id, dependent);
    const step = stepFor(run, dependent);
    if (step !== undefined) steps.push(step);
  }
  return steps;
}

function desiredTwice(run: Run, entry: NamedReference, id: string): EffectError {
  const cause = new PhasekeeperError(`${id} is desired twice`, { code: 'DESIRED_TWICE', disposition: 'terminal', data: { id } });
  return new EffectError(`ensure ${entry.name}`, run.name, { reason: 'EnsureFailed', disposition: 'terminal', cause });
}

function isPermanent(error: unknown): error is PhasekeeperError {
  return error instanceof PhasekeeperError && error.disposition === 'terminal' && !(error instanceof ApiError && error.status === 404);
}
