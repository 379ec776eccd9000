import { nodeAt } from '../definition/chart-walk.ts';
import { deletedWhenTerminating, isLastLeaf, needsFinalizer } from '../definition/needs-finalizer.ts';
import { names } from '../definition/reserved-names.ts';
import { advance } from '../machine/advance.ts';
import { decide } from '../machine/decide.ts';
import type { Move, Refusal, Stay } from '../machine/decision.ts';
import type { Position } from '../machine/position.ts';
import { refuse } from '../machine/refuse.ts';
import { settle } from '../machine/settle.ts';
import { timedLevels } from '../machine/state-plan.ts';
import type { KubernetesObject } from '../resource/kubernetes-object.ts';
import type { ObjectKey } from '../resource/object-key.ts';
import { type Asserted, earliest, worse } from './asserted.ts';
import { beginRun } from './begin-run.ts';
import { EffectError } from './effect-error.ts';
import { assertPhase, isSettled } from './ensure-phase.ts';
import { GoneError } from './gone-error.ts';
import { violatedInvariant } from './invariants.ts';
import { ObjectMemory } from './object-memory.ts';
import { ownerLabelValue } from './owner-label.ts';
import type { Problem } from './problem.ts';
import type { Run } from './run.ts';
import type { Scene } from './scene.ts';
import { StaleViewError } from './stale-view-error.ts';
import { announceMove, announceRefusal, reportFailure } from './tell.ts';
import { setFinalizer, storePosition, storeProblem } from './write-object.ts';

/** Edges in one reconcile before the key goes back into the queue. */
const edgesPerReconcile = 16;
/** Times a reconcile starts over within itself when the object changed under it. */
const startsPerReconcile = 4;

/**
 * Observe, decide, record, assert: one object at a time, until nothing is left to do.
 *
 * Guarantees: an edge is stored before its phase acts; one edge per write, on the version it was decided on; what is found stale
 * is read live and decided anew; nothing is written when nothing differs.
 */
export class Reconciler {
  readonly #scene: Scene;
  readonly #memories = new Map<ObjectKey, ObjectMemory>();
  readonly #needsFinalizer: boolean;

  constructor(scene: Scene) {
    this.#scene = scene;
    this.#needsFinalizer = needsFinalizer(scene.lifecycle);
  }

  /**
   * Works on one object.
   * @returns milliseconds after which it is due again, undefined when only a change matters
   * @throws what may succeed later; the queue backs off
   */
  async reconcile(key: ObjectKey): Promise<number | undefined> {
    for (let start = 1; ; start++) {
      const object = await this.#read(key);
      if (object === undefined) return undefined;
      const memory = this.#memoryOf(key, object);
      try {
        const dueInMs = await this.#work(memory, object);
        memory.shownFailure = undefined;
        return dueInMs;
      } catch (error) {
        // That it is gone is read live too: a server that does not serve its status says the same.
        if (!(error instanceof StaleViewError || error instanceof GoneError)) return await this.#failed(memory, key, error);
        memory.behind = true;
        if (start >= startsPerReconcile) throw error;
      }
    }
  }

  /** The cached object, or a live one when our last view was found stale. */
  async #read(key: ObjectKey): Promise<KubernetesObject | undefined> {
    const { primaries, cluster, lifecycle, probes } = this.#scene;
    const cached = primaries.get(key);
    const memory = this.#memories.get(key);
    if (memory?.behind === true) {
      const live = await cluster.get(lifecycle.kind, key);
      if (live !== undefined) primaries.observe(live);
      else if (cached !== undefined) primaries.forget(key, cached.metadata.uid);
      memory.behind = false;
    }
    const object = primaries.get(key);
    if (object === undefined || (memory !== undefined && memory.uid !== object.metadata.uid)) {
      if (memory !== undefined) probes.forget(memory.uid);
      this.#memories.delete(key);
    }
    return object;
  }

  #memoryOf(key: ObjectKey, object: KubernetesObject): ObjectMemory {
    const known = this.#memories.get(key);
    if (known !== undefined) return known;
    const memory = new ObjectMemory(object.metadata.uid, ownerLabelValue(this.#scene.lifecycle.name, object.metadata));
    this.#memories.set(key, memory);
    return memory;
  }

  async #work(memory: ObjectMemory, object: KubernetesObject): Promise<number | undefined> {
    const beginning = beginRun(this.#scene, memory, object);
    const { run } = beginning;
    if (beginning.type === 'held') {
      await storeProblem(run, beginning.problem);
      return beginning.retryInMs;
    }
    if (!(await this.#guardedByFinalizer(run))) return undefined;
    if (beginning.type === 'record') {
      await storePosition(run, beginning.position, undefined);
      this.#scene.log.info({ key: run.key, event: beginning.event, state: run.position.state }, 'position recorded');
    }
    return await this.#drive(run);
  }

  /** Sets the finalizer before anything is done. False: the object is on its way out without it, and not ours to touch. */
  async #guardedByFinalizer(run: Run): Promise<boolean> {
    const present = hasFinalizer(run);
    if (present || !this.#needsFinalizer) return true;
    if (run.deleting) return false;
    await setFinalizer(run, true);
    return true;
  }

  async #drive(run: Run): Promise<number | undefined> {
    let edges = 0;
    for (;;) {
      const decision = decide(this.#scene.lifecycle, run.position, run.observation());
      if (decision.type === 'fault') {
        throw new EffectError(decision.place, run.name, { reason: 'EvaluationFailed', disposition: 'retry', cause: decision.error });
      }
      if (decision.type === 'refuse') {
        await this.#refuse(run, decision);
        continue;
      }
      if (decision.type === 'move' && edges++ >= edgesPerReconcile) return 0;
      const violation = decision.type === 'move' ? await this.#move(run, decision) : undefined;
      // A phase that an invariant does not let go still holds what it says.
      const asserted = withProblem(await assertPhase(run), violation);
      const newlyRefused = asserted.refused !== undefined && run.memory.refused === undefined;
      run.memory.refused = asserted.refused;
      if (newlyRefused) run.changed();
      const moved = decision.type === 'move' && violation === undefined;
      if (moved || asserted.wrote || newlyRefused) {
        if (++edges > edgesPerReconcile * 2) return 0;
        continue;
      }
      if (await this.#released(run)) return undefined;
      return await this.#settle(run, decision, asserted);
    }
  }

  /** Stores an edge. @returns the problem when an invariant forbids it; then nothing was stored */
  async #move(run: Run, move: Move): Promise<Problem | undefined> {
    const { lifecycle, instance } = this.#scene;
    const from = run.position.state;
    const at = { nowMs: run.nowMs, spec: run.spec, generation: run.generation, by: move.command?.by ?? instance };
    const next = settledAhead(run, advance(lifecycle, run.position, move, at));
    const violation = violatedInvariant(run, from, next);
    if (violation !== undefined) return violation;
    run.memory.refused = undefined;
    await storePosition(run, next, undefined);
    announceMove(run, move, from);
    return undefined;
  }

  async #refuse(run: Run, refusal: Refusal): Promise<void> {
    await storePosition(run, refuse(run.position, refusal, run.nowMs), undefined);
    announceRefusal(run, refusal);
  }

  /** Takes the finalizer off once nothing is left that it stands for. */
  async #released(run: Run): Promise<boolean> {
    const { lifecycle } = this.#scene;
    if (!run.deleting || !hasFinalizer(run) || !isLastLeaf(lifecycle, run.position.state)) return false;
    for (const group of deletedWhenTerminating(lifecycle)) {
      if (run.owned(group).length > 0) return false;
    }
    await setFinalizer(run, false);
    return true;
  }

  /** Nothing is left to do now: stores what is seen, if it differs, and says when to look again. */
  async #settle(run: Run, decision: Stay | Move, asserted: Asserted): Promise<number | undefined> {
    const nowMs = run.nowMs;
    const position = settled(run, asserted);
    await storePosition(run, position, asserted.problem ?? refusedProblem(asserted));
    const deadline = decision.type === 'stay' ? decision.nextDeadline : undefined;
    return earliest(deadline === undefined ? undefined : Math.max(1, deadline.atMs - nowMs), asserted.retryInMs);
  }

  async #failed(memory: ObjectMemory, key: ObjectKey, error: unknown): Promise<never> {
    memory.behind = true;
    const object = this.#scene.primaries.get(key);
    if (object !== undefined) await reportFailure(this.#scene, memory, { object, error });
    throw error;
  }
}

function hasFinalizer(run: Run): boolean {
  return run.object.metadata.finalizers?.includes(names.finalizer(run.scene.lifecycle.kind.plural)) === true;
}

/** The position to store when nothing is left to do: entry instants of a new object, `accepted` and `stable` brought up to date. */
function settled(run: Run, asserted: Asserted): Position {
  const { position, scene } = run;
  const enteredMs = () => Object.fromEntries(timedLevels(scene.lifecycle, position.state).map((path) => [path, run.nowMs]));
  const recorded = position.recorded ? position : { ...position, enteredMs: enteredMs(), recorded: true };
  const clean = asserted.problem === undefined && asserted.refused === undefined;
  return clean ? settle(scene.lifecycle, recorded, { spec: run.spec, generation: run.generation }) : recorded;
}

/**
 * An edge into a phase that has nothing left to do settles with the same write. Whether it has is asked ahead of time: an ensure
 * that throws there must not keep the edge from being stored, and throws again in its own phase, where it is shown.
 */
function settledAhead(run: Run, position: Position): Position {
  const { lifecycle } = run.scene;
  if (!lifecycle.chart.accepts || nodeAt(lifecycle.chart, position.state).kstatus !== 'Current') return position;
  try {
    return isSettled(run.at(position)) ? settle(lifecycle, position, { spec: run.spec, generation: run.generation }) : position;
  } catch {
    return position;
  }
}

function withProblem(asserted: Asserted, problem: Problem | undefined): Asserted {
  return problem === undefined ? asserted : { ...asserted, problem: worse(problem, asserted.problem) };
}

function refusedProblem(asserted: Asserted): Problem | undefined {
  return asserted.refused === undefined ? undefined : { severity: 'stalled', reason: 'EnsureRefused', message: asserted.refused };
}
