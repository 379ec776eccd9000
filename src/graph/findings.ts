import type { Chart } from '../definition/chart.ts';
import { edgesFrom, nodeAt } from '../definition/chart-walk.ts';
import type { Lifecycle } from '../definition/lifecycle.ts';
import type { Finding } from './finding.ts';
import { legalMoves } from './legal-moves.ts';

/**
 * What is wrong with a machine before it runs: leaves that nothing leads to
 * (a migration counts as a way in), leaves that nothing but deletion leads out of (a
 * steady or Terminating one may be an end), and leaves that a deletion does not leave although the machine has a Terminating one.
 */
export function findings({ chart, vocabulary }: Lifecycle): readonly Finding[] {
  const migrated = Object.values(vocabulary.migrations).flatMap((target) => chart.nodes.get(target)?.initialLeaf ?? []);
  const reachable = reachableFrom(chart, [chart.initial, ...migrated]);
  const terminates = chart.leaves.some((leaf) => isTerminating(chart, leaf));
  return chart.leaves.flatMap((leaf) => [
    ...(reachable.has(leaf) ? [] : [unreachable(leaf)]),
    ...(isDeadEnd(chart, leaf) ? [deadEnd(leaf)] : []),
    ...(terminates && !isTerminating(chart, leaf) && !leavesOnDeletion(chart, leaf) ? [noDeletion(chart, leaf)] : []),
  ]);
}

function reachableFrom(chart: Chart, starts: readonly string[]): ReadonlySet<string> {
  const moves = legalMoves(chart);
  const reached = new Set(starts);
  for (const leaf of reached) for (const next of moves.get(leaf) ?? []) reached.add(next);
  return reached;
}

function isTerminating(chart: Chart, leaf: string): boolean {
  return nodeAt(chart, leaf).kstatus === 'Terminating';
}

function isDeadEnd(chart: Chart, leaf: string): boolean {
  const { kstatus } = nodeAt(chart, leaf);
  if (kstatus === 'Terminating' || kstatus === 'Current') return false;
  return !edgesFrom(chart, leaf).some((edge) => edge.leaf !== undefined && edge.leaf !== leaf && !isTerminating(chart, edge.leaf));
}

function leavesOnDeletion(chart: Chart, leaf: string): boolean {
  return edgesFrom(chart, leaf).some((edge) => edge.trigger.type === 'fact' && edge.trigger.name === 'deleted');
}

function unreachable(state: string): Finding {
  return {
    code: 'UNREACHABLE_STATE',
    state,
    message: `no sequence of edges leads from the initial state to ${state}`,
    hint: `add an edge with target ${state}, or remove the state`,
  };
}

function deadEnd(state: string): Finding {
  return {
    code: 'DEAD_END',
    state,
    message: `an object in ${state} stays there for ever: no edge leads out of it but deletion`,
    hint: `add an edge out of ${state} (a fact, a command, a timeout), or declare its kstatus Current if it is where objects rest`,
  };
}

function noDeletion(chart: Chart, state: string): Finding {
  const target = chart.leaves.find((leaf) => isTerminating(chart, leaf)) ?? '';
  return {
    code: 'NO_DELETION_EDGE',
    state,
    message: `an object that is deleted in ${state} never reaches ${target}`,
    hint: `add on: { deleted: '.${target}' } at the root, or an edge for deleted to ${state}`,
  };
}
