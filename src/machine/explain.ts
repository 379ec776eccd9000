import type { ChartEdge, Trigger } from '../definition/chart.ts';
import { levelsOf } from '../definition/chart-walk.ts';
import type { Lifecycle } from '../definition/lifecycle.ts';
import { messageOf } from '../failure/message-of.ts';
import type { Deadline } from './deadline.ts';
import { deadlinesOf } from './deadline.ts';
import { durationText } from './duration-text.ts';
import type { Answer } from './evaluation.ts';
import { Evaluation } from './evaluation.ts';
import { factWords } from './fact-words.ts';
import type { Observation } from './observation.ts';
import type { Position } from './position.ts';
import { referenceText } from './reference-text.ts';
import { statePlan } from './state-plan.ts';

/** What one edge out of a state waits for, for people. */
export interface Explanation {
  readonly edge: ChartEdge;
  readonly trigger: Trigger;
  /** The leaf it leads to; the state itself for a command that only acts. */
  readonly target: string;
  /** Whether its trigger and guard hold now. Several may; `decide` says which is taken. A command holds while it is asked. */
  readonly enabled: 'yes' | 'no' | 'unknown';
  /** The fact's words, the guard that is off, what is not known, or how long until the timeout. */
  readonly reason: string;
}

interface Verdict {
  readonly enabled: Explanation['enabled'];
  readonly reason: string;
}

/**
 * Every edge out of the position's state with what it waits for, in the order they are judged. It takes and throws nothing; what
 * fails is unknown, with the error in its reason.
 *
 * @throws PhasekeeperError UNKNOWN_STATE when the position's state is none of the machine's
 */
export function explain(lifecycle: Lifecycle, position: Position, observation: Observation): readonly Explanation[] {
  const { live } = statePlan(lifecycle, position.state);
  const evaluation = new Evaluation(lifecycle, position, observation);
  const deadlines = deadlinesOf(lifecycle, position, observation.view);
  /** Events whose edge is found: the edges after it are not reached. */
  const found = new Set<string>();
  const explanations: Explanation[] = [];
  for (const edge of levelsOf(lifecycle.chart, position.state).flatMap((node) => node.edges)) {
    const { trigger, guard } = edge;
    const event = trigger.type === 'timeout' ? `${trigger.name} ${edge.source}` : trigger.name;
    const triggered = triggerVerdict(trigger, edge, { lifecycle, evaluation, observation, position, deadlines });
    const guarded = guard === undefined ? undefined : guardVerdict(referenceText(guard), evaluation.guard(guard));
    const verdict = found.has(event)
      ? { enabled: 'no' as const, reason: `an earlier edge of ${trigger.name} comes first` }
      : both(triggered, guarded);
    if (guarded === undefined || guarded.enabled === 'yes') found.add(event);
    if (live.has(edge)) explanations.push({ edge, trigger, target: edge.leaf ?? position.state, ...verdict });
  }
  return explanations;
}

interface Seen {
  readonly lifecycle: Lifecycle;
  readonly position: Position;
  readonly observation: Observation;
  readonly evaluation: Evaluation;
  readonly deadlines: readonly Deadline[];
}

function triggerVerdict({ type, name }: Trigger, { source }: ChartEdge, seen: Seen): Verdict {
  switch (type) {
    case 'fact':
      return factVerdict(name, seen);
    case 'command':
      return commandVerdict(name, seen);
    case 'timeout':
      return timeoutVerdict(
        seen.deadlines.find((deadline) => deadline.timeout === name && deadline.source === source),
        name,
        seen,
      );
  }
}

function factVerdict(name: string, { lifecycle, evaluation, observation }: Seen): Verdict {
  const answer = evaluation.fact(name);
  if (answer.type === 'unknown' || answer.type === 'fault') return { enabled: 'unknown', reason: unjudged(answer) };
  const words = factWords(lifecycle, name, observation);
  if (answer.type === 'yes') return { enabled: 'yes', reason: words };
  // The words of a built-in fact are about its being true; those of the author are about what is seen.
  return { enabled: 'no', reason: Object.hasOwn(lifecycle.vocabulary.facts, name) ? `${name}: ${words}` : `waits for ${name}` };
}

function commandVerdict(name: string, { observation: { command }, position }: Seen): Verdict {
  const asked = command?.name === name && command.sequence === position.sequence && command.token !== position.lastCommand?.token;
  return asked ? { enabled: 'yes', reason: command.reason ?? `command ${name}` } : { enabled: 'no', reason: `waits for command ${name}` };
}

function timeoutVerdict(deadline: Deadline | undefined, name: string, { observation: { nowMs } }: Seen): Verdict {
  if (deadline === undefined) return { enabled: 'unknown', reason: `how long ${name} takes is not known` };
  const leftMs = deadline.atMs - nowMs;
  if (leftMs <= 0) return { enabled: 'yes', reason: `longer than ${durationText(deadline.durationMs)} in ${deadline.source}` };
  return { enabled: 'no', reason: `in ${durationText(leftMs)}` };
}

function guardVerdict(guard: string, answer: Answer): Verdict {
  if (answer.type === 'yes') return { enabled: 'yes', reason: guard };
  return answer.type === 'no' ? { enabled: 'no', reason: `held back by ${guard}` } : { enabled: 'unknown', reason: unjudged(answer) };
}

/** Off beats unknown, and what is off first is what is told. */
function both(trigger: Verdict, guard: Verdict | undefined): Verdict {
  if (guard === undefined || trigger.enabled === 'no' || guard.enabled === 'yes') return trigger;
  return guard.enabled === 'no' || trigger.enabled === 'yes' ? guard : trigger;
}

function unjudged(answer: Extract<Answer, { type: 'unknown' | 'fault' }>): string {
  return answer.type === 'unknown' ? `not known: ${answer.what}` : `${answer.place} failed: ${messageOf(answer.error)}`;
}
