import { ApiError } from '../cluster/api-error.ts';
import { nodeAt, phaseOf } from '../definition/chart-walk.ts';
import { messageOf } from '../failure/message-of.ts';
import type { Move, Refusal } from '../machine/decision.ts';
import type { KubernetesObject } from '../resource/kubernetes-object.ts';
import { beginRun } from './begin-run.ts';
import { dispositionOf, EffectError } from './effect-error.ts';
import { evaluate } from './evaluate.ts';
import type { ObjectMemory } from './object-memory.ts';
import type { Run } from './run.ts';
import type { Scene } from './scene.ts';
import { storeProblem } from './write-object.ts';

/** One log line and one Kubernetes Event for a transition that was stored. */
export function announceMove(run: Run, move: Move, from: string): void {
  const { lifecycle, events, log } = run.scene;
  const to = run.position.state;
  log.info({ key: run.key, from, to, event: move.event.type, sequence: run.position.sequence, cause: move.cause }, 'transition');
  if (events === undefined) return;
  const worded = announcement(run, move);
  const failed = nodeAt(lifecycle.chart, to).kstatus === 'Failed';
  const plain = { type: failed ? 'Warning' : 'Normal', reason: phaseOf(to), message: `${from} -> ${to}: ${move.cause}` } as const;
  events.record({ regarding: run.object, ...(worded ?? plain) });
}

function announcement(run: Run, move: Move) {
  const { vocabulary } = run.scene.lifecycle;
  for (const action of move.edge.actions) {
    const announce = vocabulary.announce[action.name];
    if (announce === undefined) continue;
    try {
      const words = evaluate({ place: `announce ${action.name}`, object: run.name }, () => announce.message(run.view()));
      if (words.type === 'value') return { type: announce.type, reason: announce.reason, message: words.value };
    } catch (error) {
      run.scene.log.warn({ key: run.key, err: error }, 'announcement failed');
    }
  }
  return undefined;
}

/** One log line and one Kubernetes Event for a command that was refused. */
export function announceRefusal(run: Run, refusal: Refusal): void {
  run.scene.log.warn({ key: run.key, command: refusal.command.name, reason: refusal.reason, by: refusal.command.by }, 'command refused');
  run.scene.events?.record({ regarding: run.object, type: 'Warning', reason: 'CommandRefused', message: refusal.message });
}

/**
 * Shows a failure on the object, once until it succeeds again or fails differently. Faults of the network show in the log alone:
 * there is no server to tell.
 */
export async function reportFailure(
  scene: Scene,
  memory: ObjectMemory,
  { object, error }: { readonly object: KubernetesObject; readonly error: unknown },
): Promise<void> {
  const permanent = error instanceof ApiError && error.disposition === 'terminal';
  if (!(error instanceof EffectError) && !permanent) return;
  const reason = error instanceof EffectError ? error.reason : 'TransitionRefused';
  const shown = `${reason}/${error instanceof EffectError ? JSON.stringify(error.data) : error.code}`;
  const known = memory.shownFailure === shown;
  if (known && memory.isFailureStored) return;
  memory.shownFailure = shown;
  memory.isFailureStored = false;
  const message = messageOf(error);
  if (!known) scene.events?.record({ regarding: object, type: 'Warning', reason, message });
  try {
    const { run } = beginRun(scene, memory, object);
    await storeProblem(run, { severity: dispositionOf(error) === 'retry' ? 'waiting' : 'stalled', reason, message });
    memory.isFailureStored = true;
  } catch (second) {
    // What the server will never take is not tried with each retry.
    memory.isFailureStored = dispositionOf(second) !== 'retry';
    scene.log.warn({ key: object.metadata.name, err: second }, 'failure could not be shown on the object');
  }
}
