import type { Lifecycle } from '../definition/lifecycle.ts';
import { collapsedRows } from './collapsed-rows.ts';
import { lifecycleTitle } from './lifecycle-title.ts';

/** The transition table as a Markdown document: a title and one table. */
export function transitionTableMarkdown(lifecycle: Lifecycle): string {
  const rows = collapsedRows(lifecycle).map((row) =>
    [row.from, row.event, row.guard ?? '', row.to, row.actions.join(', '), row.description ?? ''].map(cell).join(' | '),
  );
  const head = ['| from | event | guard | to | actions | why |', '|---|---|---|---|---|---|'];
  return [`# ${lifecycleTitle(lifecycle)}`, '', ...head, ...rows.map((row) => `| ${row} |`), ''].join('\n');
}

function cell(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('|', '\\|').replaceAll(/\s+/g, ' ');
}
