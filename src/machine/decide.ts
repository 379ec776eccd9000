import type { ChartEdge, Trigger } from '../definition/chart.ts';
import type { Lifecycle } from '../definition/lifecycle.ts';
import { messageOf } from '../failure/message-of.ts';
import { PhasekeeperError } from '../failure/phasekeeper-error.ts';
import { chooseEdge } from './choose-edge.ts';
import type { CommandRequest } from './command-request.ts';
import type { Deadline } from './deadline.ts';
import { readDeadlines } from './deadline.ts';
import type { Decision, Fault, GuardedOff, Move, Refusal } from './decision.ts';
import { durationText } from './duration-text.ts';
import { Evaluation } from './evaluation.ts';
import { factWords } from './fact-words.ts';
import type { Observation } from './observation.ts';
import type { Position } from './position.ts';
import { refusalOf } from './refusal.ts';
import { referenceText } from './reference-text.ts';
import { remember } from './remember.ts';
import type { StatePlan } from './state-plan.ts';
import { statePlan } from './state-plan.ts';

type Json = Readonly<Record<string, unknown>>;

const nothing: Json = {};

export type { Observation };

/**
 * What to do about what is seen: the first enabled edge of deletion, command, facts and due timeouts, or none.
 *
 * Pure, synchronous and total: every observation of every state of the machine gets one of the four answers, and code of the author
 * that fails is an answer too.
 *
 * @throws PhasekeeperError UNKNOWN_STATE when the position's state is none of the machine's; `restore` never makes such a position
 */
export function decide(lifecycle: Lifecycle, position: Position, observation: Observation): Decision {
  const pass: Pass = {
    lifecycle,
    position,
    observation,
    plan: statePlan(lifecycle, position.state),
    evaluation: new Evaluation(lifecycle, position, observation),
    attempts: new Map(),
    unknown: new Set(),
    guardedOff: [],
  };
  return byDeletion(pass) ?? byCommand(pass) ?? byFacts(pass) ?? byTimeouts(pass);
}

/** One decision under way. */
interface Pass {
  readonly lifecycle: Lifecycle;
  readonly position: Position;
  readonly observation: Observation;
  readonly plan: StatePlan;
  readonly evaluation: Evaluation;
  /** XState's answers to the facts that are true, by fact. */
  readonly attempts: Map<string, Attempt>;
  readonly unknown: Set<string>;
  readonly guardedOff: GuardedOff[];
}

/** An event that is put to the machine. */
interface Event {
  readonly trigger: Trigger;
  readonly source: string;
  readonly payload: Json;
  readonly cause: () => string;
  readonly command?: CommandRequest;
}

type Attempt = { readonly type: 'edge'; readonly edge: ChartEdge } | { readonly type: 'none'; readonly guards: readonly string[] } | Fault;

function byDeletion(pass: Pass): Move | Fault | undefined {
  if (!pass.plan.hasDeletion || pass.evaluation.fact('deleted').type !== 'yes') return undefined;
  const event = factEvent(pass, 'deleted', nothing);
  const attempt = put(pass, event);
  return attempt.type === 'edge' ? take(pass, event, attempt.edge) : faultOrNote(pass, event, attempt);
}

function byCommand(pass: Pass): Move | Refusal | Fault | undefined {
  const { observation, position, plan, lifecycle } = pass;
  const { command } = observation;
  if (command === undefined || command.token === position.lastCommand?.token) return undefined;
  const refuse = refusalOf({ lifecycle, position, command, legal: plan.commands, object: observation.name });
  if (refuse.early !== undefined) return refuse.early;
  const { commands } = lifecycle.vocabulary;
  const event: Event = {
    trigger: { type: 'command', name: command.name },
    source: '',
    payload: nothing,
    cause: () => command.reason ?? commands[command.name]?.says ?? `command ${command.name}`,
    command,
  };
  const attempt = put(pass, event);
  if (attempt.type === 'fault') return attempt;
  if (attempt.type === 'none') return attempt.guards.length === 0 ? refuse.noEdge() : refuse.guardedOff(attempt.guards);
  return take(pass, event, attempt.edge) ?? refuse.guardedOff([...pass.unknown]);
}

function byFacts(pass: Pass): Move | Fault | undefined {
  for (const { source, name } of pass.plan.facts) {
    const answer = pass.evaluation.fact(name);
    if (answer.type === 'no') continue;
    if (answer.type === 'fault') return faultOf(pass, answer);
    if (answer.type === 'unknown') {
      pass.unknown.add(answer.what);
      continue;
    }
    const event = factEvent(pass, name, answer.payload);
    let attempt = pass.attempts.get(name);
    if (attempt === undefined) pass.attempts.set(name, (attempt = put(pass, event)));
    // XState looks through all levels for one event; an edge of a higher level waits until the lower level's other facts had theirs.
    const move =
      attempt.type === 'edge' ? attempt.edge.source === source && take(pass, event, attempt.edge) : faultOrNote(pass, event, attempt);
    if (move) return move;
  }
  return undefined;
}

function byTimeouts(pass: Pass): Decision {
  const { lifecycle, position, observation, unknown, guardedOff } = pass;
  const factUnknown = unknown.size > 0;
  const deadlines = readDeadlines(lifecycle, position, observation.view);
  if (deadlines.fault !== undefined) return faultOf(pass, deadlines.fault);
  for (const what of deadlines.unknown) unknown.add(what);
  let next: Deadline | undefined;
  for (const deadline of deadlines.known) {
    if (deadline.atMs > observation.nowMs) {
      next = deadline;
      break;
    }
    const event = timeoutEvent(deadline);
    const attempt = put(pass, event);
    const waits = factUnknown && attempt.type === 'edge' && intoDeletes(pass, attempt.edge);
    if (waits) continue;
    const move = attempt.type === 'edge' ? take(pass, event, attempt.edge) : faultOrNote(pass, event, attempt);
    if (move !== undefined) return move;
  }
  const stay = { type: 'stay', unknown: [...unknown], guardedOff } as const;
  return next === undefined ? stay : { ...stay, nextDeadline: { atMs: next.atMs, timeout: next.timeout } };
}

/** Time must not lead to removals while something that would lead elsewhere cannot be judged. */
function intoDeletes({ lifecycle }: Pass, { leaf }: ChartEdge): boolean {
  return leaf !== undefined && statePlan(lifecycle, leaf).hasDeletes;
}

/** Puts an event to XState. An edge that XState would take for nothing is none. */
function put(pass: Pass, { trigger, source, payload }: Event): Attempt {
  const { lifecycle, position, evaluation, unknown } = pass;
  const guards: string[] = [];
  let fault: Fault | undefined;
  const choice = chooseEdge(lifecycle, {
    state: position.state,
    trigger,
    source,
    payload,
    judge: (guard) => {
      if (fault !== undefined) return false;
      const answer = evaluation.guard(guard);
      if (answer.type === 'yes') return true;
      if (answer.type === 'fault') fault = faultOf(pass, answer);
      if (answer.type === 'unknown') unknown.add(answer.what);
      guards.push(answer.type === 'unknown' ? `${referenceText(guard)} (unknown)` : referenceText(guard));
      return false;
    },
  });
  if (fault !== undefined) return fault;
  if (choice.type === 'mismatch') return faultOf(pass, mismatched(trigger, choice.message));
  if (choice.type === 'none') return { type: 'none', guards };
  return pass.plan.live.has(choice.edge) ? choice : { type: 'none', guards: [] };
}

/** The move, or nothing when a remember needs what is not known. */
function take(pass: Pass, event: Event, edge: ChartEdge): Move | Fault | undefined {
  const type = `${event.trigger.type} ${event.trigger.name}`;
  const fired = { event: type, payload: event.payload, atMs: pass.observation.nowMs };
  const remembered = remember(pass.lifecycle, pass, { edge, fired });
  if (remembered.type === 'fault') return faultOf(pass, remembered);
  if (remembered.type === 'unknown') {
    pass.unknown.add(remembered.what);
    return undefined;
  }
  const move = { type: 'move', edge, event: { type, payload: event.payload }, cause: event.cause(), memory: remembered.memory } as const;
  return event.command === undefined ? move : { ...move, command: event.command };
}

function faultOrNote(pass: Pass, { trigger }: Event, attempt: Exclude<Attempt, { type: 'edge' }>): Fault | undefined {
  if (attempt.type === 'fault') return attempt;
  const event = `${trigger.type} ${trigger.name}`;
  for (const guard of attempt.guards) {
    if (!pass.guardedOff.some((other) => other.event === event && other.guard === guard)) pass.guardedOff.push({ event, guard });
  }
  return undefined;
}

function faultOf({ observation }: Pass, { place, error }: { readonly place: string; readonly error: unknown }): Fault {
  return { type: 'fault', place, object: observation.name, error, message: `${place} failed for ${observation.name}: ${messageOf(error)}` };
}

function mismatched({ type, name }: Trigger, message: string): { readonly place: string; readonly error: unknown } {
  const error = new PhasekeeperError(message, { code: 'MACHINE_MISMATCH', disposition: 'fatal', data: { trigger: `${type} ${name}` } });
  return { place: 'machine', error };
}

function factEvent({ lifecycle, observation }: Pass, name: string, payload: Json): Event {
  return { trigger: { type: 'fact', name }, source: '', payload, cause: () => factWords(lifecycle, name, observation) };
}

function timeoutEvent({ timeout, source, durationMs }: Deadline): Event {
  return {
    trigger: { type: 'timeout', name: timeout },
    source,
    payload: nothing,
    cause: () => `${timeout}: longer than ${durationText(durationMs)} in ${source}`,
  };
}
