import type { ChartEdge, Trigger } from '../definition/chart.ts';
import { edgesFrom } from '../definition/chart-walk.ts';
import type { Lifecycle } from '../definition/lifecycle.ts';
import { referenceText } from '../machine/reference-text.ts';
import { eventWords } from './event-words.ts';

/** One way out of a leaf, or back onto it. */
export interface TransitionRow {
  /** Path of the leaf. */
  readonly from: string;
  readonly trigger: Trigger;
  /** The trigger in words: `atTarget`, `command retry`, `timeout scaleUp 15m`. */
  readonly event: string;
  /** In words: `canShrink`, `not nodesReady`, `retriesLeft(max=3)`. */
  readonly guard?: string;
  /** Path of the leaf that is entered; `from` itself for a command that only acts. */
  readonly to: string;
  /** In words and in order; `accept` among them. */
  readonly actions: readonly string[];
  readonly accepts: boolean;
  /** Path of the state that declares the edge: the leaf, a parent, or `''` for the root. */
  readonly declaredBy: string;
  readonly description?: string;
}

/** Every edge of every leaf, leaves in document order, edges in the order they are judged. */
export function transitionTable(lifecycle: Lifecycle): readonly TransitionRow[] {
  const { chart } = lifecycle;
  return chart.leaves.flatMap((leaf) => edgesFrom(chart, leaf).map((edge) => transitionRow(lifecycle, leaf, edge)));
}

/** One edge as a row. @param from what stands for its source: a leaf, or words for many */
export function transitionRow(lifecycle: Lifecycle, from: string, edge: ChartEdge): TransitionRow {
  return {
    from,
    trigger: edge.trigger,
    event: eventWords(lifecycle, edge.trigger),
    ...(edge.guard === undefined ? {} : { guard: referenceText(edge.guard) }),
    to: edge.leaf ?? from,
    actions: edge.actions.map(referenceText),
    accepts: edge.accepts,
    declaredBy: edge.source,
    ...(edge.description === undefined ? {} : { description: edge.description }),
  };
}
