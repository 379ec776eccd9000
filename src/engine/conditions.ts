import { isDeepStrictEqual } from 'node:util';
import { edgesFrom, nodeAt, phaseOf } from '../definition/chart-walk.ts';
import type { Lifecycle, Report } from '../definition/lifecycle.ts';
import type { Position } from '../machine/position.ts';
import type { Condition } from '../resource/condition.ts';
import { cutText } from '../resource/cut-text.ts';
import type { Problem } from './problem.ts';

type Draft = Omit<Condition, 'lastTransitionTime' | 'observedGeneration'>;

/** The API takes 32,768; words of an author's or a webhook's error can be longer, and three conditions carry them. */
const longestMessage = 4_096;

/** Where conditions are merged into. */
export interface ConditionTarget {
  readonly generation: number;
  /** As stored; conditions of other writers are kept. */
  readonly stored: readonly Condition[];
  /** The server's time, RFC 3339. */
  readonly now: string;
}

export interface ConditionInput extends ConditionTarget {
  readonly lifecycle: Lifecycle;
  readonly position: Position;
  readonly spec: Readonly<Record<string, unknown>>;
  /** Words for why the phase was entered. */
  readonly cause: string | undefined;
  readonly problem: Problem | undefined;
  readonly reported: NonNullable<Report['conditions']>;
}

/** The conditions to store: Ready, Reconciling and Stalled, the author's own, and everyone else's as they are. */
export function conditionsOf(input: ConditionInput): readonly Condition[] {
  return mergeConditions([...standardConditions(input), ...input.reported], input);
}

/** The conditions of an object that is held back: what the phase says does not count. */
export function heldConditions(problem: Problem, into: ConditionTarget): readonly Condition[] {
  return mergeConditions(drafts(problem.severity === 'stalled' ? 'Stalled' : 'Reconciling', problem.reason, problem.message), into);
}

function mergeConditions(changes: readonly Draft[], input: ConditionTarget): readonly Condition[] {
  const result = [...input.stored];
  for (const draft of changes) {
    const index = result.findIndex((condition) => condition.type === draft.type);
    const before = result[index];
    const lastTransitionTime = before?.status === draft.status ? before.lastTransitionTime : input.now;
    const condition = {
      ...draft,
      message: cutText(draft.message, longestMessage),
      lastTransitionTime,
      observedGeneration: input.generation,
    };
    if (before === undefined) result.push(condition);
    else result[index] = condition;
  }
  return result;
}

function standardConditions(input: ConditionInput): readonly Draft[] {
  const node = nodeAt(input.lifecycle.chart, input.position.state);
  const phase = phaseOf(input.position.state);
  const message = node.message ?? input.cause ?? '';
  const { problem } = input;
  if (problem?.severity === 'stalled') return drafts('Stalled', problem.reason, problem.message);
  if (node.kstatus === 'Failed') return drafts('Stalled', phase, message);
  if (problem !== undefined) return drafts('Reconciling', problem.reason, problem.message);
  if (node.kstatus !== 'Current') return drafts('Reconciling', phase, message);
  if (specAccepted(input)) return drafts('Ready', phase, message);
  return drafts('Reconciling', 'SpecNotAccepted', notAcceptedMessage(input));
}

/** Exactly one of the three is True; all share its reason, so that none contradicts the others. */
function drafts(holds: 'Ready' | 'Reconciling' | 'Stalled', reason: string, message: string): readonly Draft[] {
  return (['Ready', 'Reconciling', 'Stalled'] as const).map((type) => ({
    type,
    status: type === holds ? 'True' : 'False',
    reason,
    message,
  }));
}

function specAccepted({ lifecycle, position, spec }: ConditionInput): boolean {
  return !lifecycle.chart.accepts || (position.accepted !== undefined && isDeepStrictEqual(position.accepted.spec, spec));
}

function notAcceptedMessage({ lifecycle, position }: ConditionInput): string {
  const guards = edgesFrom(lifecycle.chart, position.state).flatMap((edge) =>
    edge.accepts && edge.guard !== undefined ? [edge.guard.name] : [],
  );
  const held = guards.length === 0 ? 'no edge of this phase accepts it now' : `held back by ${[...new Set(guards)].join(', ')}`;
  return `the asked spec is not the accepted one: ${held}`;
}
