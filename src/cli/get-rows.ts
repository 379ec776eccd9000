import type { KubernetesObject } from '../resource/kubernetes-object.ts';
import { ageText } from './age-text.ts';
import { conditionOf, leftMs, sinceMs, summaryOf } from './object-summary.ts';
import type { Look } from './paint.ts';
import type { ObjectTable } from './read-table.ts';
import { waitingFor, type WaysOut } from './waiting-for.ts';

export interface GetRowsOptions {
  /** Whether a column says which namespace. */
  readonly withNamespace: boolean;
  /** Whether columns of lower priority are shown. */
  readonly wide: boolean;
  readonly nowMs: number;
  readonly waysOut: (object: KubernetesObject) => WaysOut;
}

/** Columns of ours that the server has too. */
const ours = new Set(['Name', 'Phase', 'Since', 'Ready', 'Age']);

/** The head of the table. */
export function getHead(
  { columns }: Pick<ObjectTable, 'columns'>,
  options: Pick<GetRowsOptions, 'withNamespace' | 'wide'>,
): readonly string[] {
  const author = authorColumns(columns, options.wide).map((index) => columns[index]?.name.toUpperCase() ?? '');
  return [...(options.withNamespace ? ['NAMESPACE'] : []), 'NAME', 'PHASE', 'SINCE', 'DEADLINE', 'READY', ...author, 'WAITING FOR', 'AGE'];
}

/** One row per object, in the order of the table. */
export function getRows({ columns, rows }: Pick<ObjectTable, 'columns' | 'rows'>, options: GetRowsOptions): readonly (readonly string[])[] {
  const author = authorColumns(columns, options.wide);
  return rows.map(({ cells, object }) => {
    const { metadata } = object;
    const summary = summaryOf(object);
    const age = (instantMs: number | undefined) =>
      instantMs === undefined || Number.isNaN(instantMs) ? '-' : ageText(options.nowMs - instantMs);
    return [
      ...(options.withNamespace ? [metadata.namespace ?? '-'] : []),
      metadata.name,
      summary.phase ?? '-',
      age(sinceMs(summary)),
      deadlineText(leftMs(summary, options.nowMs)),
      conditionOf(summary, 'Ready')?.status ?? '-',
      ...author.map((index) => cells[index] ?? '-'),
      waitingFor(summary, options.waysOut(object)),
      age(Date.parse(metadata.creationTimestamp ?? '')),
    ];
  });
}

/** `in 1m45s`, `6m overdue`, `-` without a deadline. */
export function deadlineText(left: number | undefined): string {
  if (left === undefined) return '-';
  return left >= 0 ? `in ${ageText(left)}` : `${ageText(-left)} overdue`;
}

/** How a phase is to be looked at; the word says it too. */
export function lookOf(object: KubernetesObject, nowMs: number): Look {
  const summary = summaryOf(object);
  if (conditionOf(summary, 'Stalled')?.status === 'True' || (leftMs(summary, nowMs) ?? 0) < 0) return 'bad';
  return conditionOf(summary, 'Ready')?.status === 'True' ? 'good' : 'moving';
}

function authorColumns(columns: ObjectTable['columns'], wide: boolean): readonly number[] {
  return columns.flatMap(({ name, priority }, index) => (ours.has(name) || (priority > 0 && !wide) ? [] : [index]));
}
