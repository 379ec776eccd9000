import { PhasekeeperError } from '../failure/phasekeeper-error.ts';
import { messageOf } from '../failure/message-of.ts';
import { CommandError } from './command-error.ts';
import type { Paint } from './paint.ts';

/** An error as people see it: what, the facts indented below, the command to type; with `debug` the stack and its causes. */
export function errorText(error: unknown, { paint, debug }: { readonly paint: Paint; readonly debug: boolean }): string {
  const [what = '', ...rest] = messageOf(error).split('\n');
  const facts = [...rest, ...(error instanceof CommandError ? error.facts : [])].map((fact) => `  ${fact.replace(/^ {2}/, '')}`);
  const hint = error instanceof PhasekeeperError && error.hint !== undefined ? [`${paint('bold', 'hint:')} ${error.hint}`] : [];
  const stack = debug ? stacks(error) : [];
  return [`${paint('bad', 'error:')} ${what}`, ...facts, ...hint, ...stack].join('\n');
}

function stacks(error: unknown): readonly string[] {
  if (!(error instanceof Error)) return [];
  const code = error instanceof PhasekeeperError ? [`code ${error.code}, ${error.disposition}, ${JSON.stringify(error.data)}`] : [];
  const own = [...code, error.stack ?? error.message];
  return error.cause === undefined ? own : [...own, 'caused by', ...stacks(error.cause)];
}
