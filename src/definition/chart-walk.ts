import type { Chart, ChartEdge, ChartNode } from './chart.ts';
import { PhasekeeperError } from '../failure/phasekeeper-error.ts';

/** The node at a path. @throws PhasekeeperError UNKNOWN_STATE, fatal: callers check stored states first. */
export function nodeAt(chart: Chart, path: string): ChartNode {
  const node = chart.nodes.get(path);
  if (node === undefined) {
    throw new PhasekeeperError(`the machine has no state ${path}`, { code: 'UNKNOWN_STATE', disposition: 'fatal', data: { path } });
  }
  return node;
}

/** The active states of a leaf, the leaf first, the root last. */
export function levelsOf(chart: Chart, leaf: string): readonly ChartNode[] {
  const levels: ChartNode[] = [];
  for (let path: string | undefined = leaf; path !== undefined; ) {
    const node = nodeAt(chart, path);
    levels.push(node);
    path = node.parent;
  }
  return levels;
}

/**
 * The edges that can leave (or renew) a leaf, in the order they are judged: the leaf's, then its parents', then the root's.
 *
 * An edge of a parent or the root onto the active leaf or one of its ancestors is none unless it accepts or remembers: XState
 * would exit and enter the phase again, and restart its timers, for nothing.
 */
export function edgesFrom(chart: Chart, leaf: string): readonly ChartEdge[] {
  return levelsOf(chart, leaf).flatMap((node) => node.edges.filter((edge) => node.path === leaf || !isIdle(chart, edge, leaf)));
}

function isIdle(chart: Chart, edge: ChartEdge, leaf: string): boolean {
  if (edge.target === undefined) return edge.actions.length === 0;
  const ontoActive = edge.leaf === leaf || leaf === edge.target || leaf.startsWith(`${edge.target}.`);
  return ontoActive && !edge.accepts && !edge.actions.some((action) => chart.remembers.has(action.name));
}

/** `Upgrading` for `Upgrading.Draining`. */
export function phaseOf(state: string): string {
  const dot = state.indexOf('.');
  return dot < 0 ? state : state.slice(0, dot);
}
