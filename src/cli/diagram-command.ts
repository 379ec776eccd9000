import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Lifecycle } from '../definition/lifecycle.ts';
import { mermaid } from '../graph/mermaid.ts';
import { renderVisualizations } from '../graph/render-visualizations.ts';
import { transitionTable } from '../graph/transition-table.ts';
import { type ExitCode, exitCode } from './exit-code.ts';
import { findDefinitions } from './find-definitions.ts';
import { staleReason } from './stale-reason.ts';
import { loadLifecycles } from './load-lifecycles.ts';
import { TablePrinter } from './table-printer.ts';
import type { Terminal } from './terminal.ts';
import { UsageError } from './usage-error.ts';

export interface DiagramFlags {
  readonly output?: 'mermaid' | 'table';
  readonly write: boolean;
  readonly check: boolean;
}

/** `phasekeeper diagram`: prints machines, or keeps the files in `visualizations/` fresh. */
export async function diagramCommand(machines: readonly string[], flags: DiagramFlags, terminal: Terminal): Promise<ExitCode> {
  const { cwd, out } = terminal;
  if ([flags.output !== undefined, flags.write, flags.check].filter(Boolean).length > 1) {
    throw new UsageError('--output, --write and --check exclude each other', { hint: 'phasekeeper diagram --check' });
  }
  const loaded = await loadLifecycles(findDefinitions(machines, cwd), cwd);
  const lifecycles = loaded.map(({ lifecycle }) => lifecycle);
  if (flags.check) return check(lifecycles, terminal);
  if (flags.write) return write(lifecycles, terminal);
  out(lifecycles.map(flags.output === 'table' ? tableOf : mermaid).join('\n'));
  return exitCode.yes;
}

function check(lifecycles: readonly Lifecycle[], { cwd, out, say, paint }: Terminal): ExitCode {
  const files = [...renderVisualizations(lifecycles)];
  const stale = files.flatMap(([file, text]) => {
    const stored = read(resolve(cwd, file));
    return stored === text ? [] : [{ file, reason: staleReason(stored, text) }];
  });
  for (const { file, reason } of stale) out(`${paint('bad', 'stale')}  ${file}   (${reason})     run: phasekeeper diagram --write\n`);
  if (stale.length > 0) return exitCode.no;
  say(`fresh: ${files.map(([file]) => file).join(', ')}`);
  return exitCode.yes;
}

function write(lifecycles: readonly Lifecycle[], { cwd, say }: Terminal): ExitCode {
  for (const [file, text] of renderVisualizations(lifecycles)) {
    const path = resolve(cwd, file);
    if (read(path) === text) {
      say(`fresh    ${file}`);
      continue;
    }
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    say(`written  ${file}`);
  }
  return exitCode.yes;
}

/** Undefined when there is no such file. */
function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw new UsageError(`cannot read ${path}`, { cause: error });
  }
}

function tableOf(lifecycle: Lifecycle): string {
  const rows = transitionTable(lifecycle).map(({ from, event, guard, to, actions }) => [
    from,
    event,
    guard ?? '-',
    to,
    actions.join(', ') || '-',
  ]);
  return new TablePrinter().add([['FROM', 'EVENT', 'GUARD', 'TO', 'ACTIONS'], ...rows]);
}
