import { eventPhrase, type LegalMove, movesFrom } from './legal-move.ts';
import type { NextStep } from './next-step.ts';
import { conditionOf, type ObjectSummary } from './object-summary.ts';

/** What is known of the ways out of a state beside the object itself. */
export interface WaysOut {
  readonly moves: readonly LegalMove[];
  /** Only where the definition and the dependents are at hand. */
  readonly explained?: readonly NextStep[] | undefined;
}

/**
 * What would move an object on, from the edges out of its state: `-` in a steady one, commands and a new spec in a failed one, else
 * the facts with what is seen of the first. A problem of the operator with the object comes before all that.
 */
export function waitingFor(summary: ObjectSummary, { moves, explained }: WaysOut): string {
  const { lifecycle, phase } = summary;
  if (lifecycle === undefined || Object.keys(lifecycle.entered ?? {}).length === 0) return 'the operator';
  const stalled = conditionOf(summary, 'Stalled');
  const held = [stalled, conditionOf(summary, 'Reconciling')].find(
    (condition) => condition?.status === 'True' && condition.reason !== phase,
  );
  if (held !== undefined) return held.message === '' ? held.reason : held.message;
  if (conditionOf(summary, 'Ready')?.status === 'True') return '-';
  const events = [
    ...new Set(
      movesFrom(moves, lifecycle.state)
        .filter((move) => move.to !== lifecycle.state)
        .map(({ event }) => event),
    ),
  ];
  const commands = (lifecycle.allowedCommands ?? [])
    .filter((name) => name !== 'pause' && name !== 'resume')
    .map((name) => `command ${name}`);
  const facts = events.filter((event) => !/^(command|timeout) /.test(event) && event !== 'deleted' && event !== 'refused');
  if (stalled?.status === 'True') return [...commands, ...facts.map(eventPhrase)].join(', or ') || stalled.message;
  const awaited = facts.filter((event) => event !== 'specChanged');
  const words = explained?.find(({ event, enabled }) => event === awaited[0] && enabled === 'no')?.reason;
  const [first] = awaited;
  if (first === undefined) return commands.join(', or ') || (conditionOf(summary, 'Reconciling')?.message ?? '-');
  return words === undefined || words === '' ? eventPhrase(first) : `${first} (${words})`;
}
