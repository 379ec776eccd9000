import type { Lifecycle } from './lifecycle.ts';
import { edgesFrom, levelsOf, nodeAt } from './chart-walk.ts';

/**
 * Whether objects of a lifecycle carry its finalizer: a Terminating leaf has something to do, or a dependent's scope rules an
 * owner reference out, so that nobody else would remove it.
 */
export function needsFinalizer(lifecycle: Lifecycle): boolean {
  return terminatingLeaves(lifecycle).some((leaf) => levelsOf(lifecycle.chart, leaf).some((level) => level.entry.length > 0));
}

/** Whether the finalizer goes in this leaf once everything is gone: it is Terminating and nothing leads out of it. */
export function isLastLeaf(lifecycle: Lifecycle, leaf: string): boolean {
  return nodeAt(lifecycle.chart, leaf).kstatus === 'Terminating' && edgesFrom(lifecycle.chart, leaf).length === 0;
}

/** Names of the dependents that a Terminating leaf deletes: the object goes only after them. */
export function deletedWhenTerminating(lifecycle: Lifecycle): ReadonlySet<string> {
  const groups = terminatingLeaves(lifecycle).flatMap((leaf) =>
    levelsOf(lifecycle.chart, leaf).flatMap((level) =>
      level.entry.flatMap((entry) => lifecycle.vocabulary.deletes[entry.name]?.from ?? []),
    ),
  );
  return new Set(groups);
}

function terminatingLeaves({ chart }: Lifecycle): readonly string[] {
  return chart.leaves.filter((leaf) => nodeAt(chart, leaf).kstatus === 'Terminating');
}
