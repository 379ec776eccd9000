import { allStates, type DraftEdge, type DraftState, initialLeafOf, withParents } from './draft.ts';
import type { Reading } from './reading.ts';
import { acceptAction } from './reserved-names.ts';
import { resolveTarget, suggestTarget } from './resolve-target.ts';

/** What only the machine as a whole can show: targets, facts that would be true for ever, dead ends, destructive starts. */
export function checkMachine(root: DraftState, reading: Reading): void {
  for (const state of allStates(root)) {
    for (const edge of state.edges) {
      checkTarget(edge, state, reading);
      checkEndless(edge, state, reading);
    }
    if (state.children.size > 0 || state === root) continue;
    if (state.kstatus === undefined) {
      reading.faults.add('NO_KSTATUS', `${state.place}.meta`, {
        reason: 'readers cannot tell whether this phase is steady, moving or failed',
        instead: "meta: { kstatus: 'InProgress' | 'Current' | 'Failed' | 'Terminating' }",
      });
    }
    checkDeadEnd(state, reading);
  }
  checkStart(root, reading);
  checkAdopt(root, reading);
}

function checkTarget({ target }: DraftEdge, state: DraftState, { words, faults }: Reading): void {
  if (target === undefined || resolveTarget(target.text, state, words.kind) !== undefined) return;
  faults.add('UNKNOWN_TARGET', target.place, {
    reason: `${JSON.stringify(target.text)} names no state from here`,
    instead: suggestTarget(target.text, state, words.kind),
  });
}

/** A fact that leads to where it is must be made false by an action, or it is true again in the next pass. */
function checkEndless(edge: DraftEdge, state: DraftState, { words, faults }: Reading): void {
  if (edge.trigger.type !== 'fact' || edge.target === undefined) return;
  const target = resolveTarget(edge.target.text, state, words.kind);
  if (target === undefined || !(target === state || initialLeafOf(target) === state)) return;
  if (edge.actions.some(({ name }) => name === acceptAction || words.has('remembers', name))) return;
  faults.add('ENDLESS_FACT', edge.place, {
    reason: `${edge.trigger.name} leads to the phase it is in, where it is true again in the next pass, for ever`,
    instead: 'another target, or an action that makes it false: accept or a remember',
  });
}

/**
 * A leaf needs a way out. Deletion counts as one only where the object may stay for good: nobody should have to delete an object
 * because a phase that promises to move, or has failed, never ends.
 */
function checkDeadEnd(state: DraftState, { words, faults }: Reading): void {
  if (state.kstatus === 'Terminating') return;
  const ways = withParents(state).flatMap((level) =>
    level.edges.filter((edge) => leadsAway(edge, { level, leaf: state, kind: words.kind })),
  );
  if (ways.some((edge) => edge.trigger.name !== 'deleted' || state.kstatus === 'Current')) return;
  const only =
    ways.length === 0 ? 'no edge leads out of it' : `only deletion leads out of it, though it is ${state.kstatus ?? 'not steady'}`;
  faults.add('DEAD_END', state.place, {
    reason: `a dead end: ${only}, counting its parents and the root`,
    instead: 'a fact, a timeout or a command in on or after; meta.kstatus Current where it may stay; Terminating for deletion',
  });
}

/** A target that is unknown was reported; the author meant a way out. */
function leadsAway(edge: DraftEdge, { level, leaf, kind }: { level: DraftState; leaf: DraftState; kind: string }): boolean {
  if (edge.target === undefined) return false;
  const target = resolveTarget(edge.target.text, level, kind);
  return target === undefined || initialLeafOf(target) !== leaf;
}

function checkStart(root: DraftState, { words, faults }: Reading): void {
  const start = initialLeafOf(root);
  for (const level of start === undefined ? [] : withParents(start)) {
    for (const { name, place } of level.entry) {
      if (!words.has('deletes', name)) continue;
      faults.add('DESTRUCTIVE_START', place, {
        reason: `every object without a record is in ${start?.path}, also one whose status was lost: ${name} would remove what it runs`,
        instead: 'name it in entry of a phase that an edge leads to',
      });
    }
  }
}

function checkAdopt(root: DraftState, { words, faults }: Reading): void {
  const accepting = allStates(root)
    .flatMap((state) => state.edges)
    .flatMap((edge) => edge.actions)
    .find(({ name }) => name === acceptAction);
  if (accepting === undefined || words.adopts) return;
  faults.add('NO_ADOPT', accepting.place, {
    reason: 'after a lost status nobody could tell which spec the existing dependents run',
    instead: "adopt: (view) => the spec they run, or 'unknown', in the vocabulary",
  });
}
