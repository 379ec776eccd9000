import { ageText } from './age-text.ts';
import { dependentName } from './dependent-line.ts';
import type { Description } from './description.ts';
import { deadlineText } from './get-rows.ts';
import { eventPhrase } from './legal-move.ts';
import { localTime } from './local-time.ts';
import type { Look, Paint } from './paint.ts';
import { type Cell, TablePrinter } from './table-printer.ts';

export interface DescribeTextOptions {
  readonly paint: Paint;
  readonly isUnicode: boolean;
  readonly nowMs: number;
}

/** What `describe` prints: head, phase, why, next, the tree of dependents, transitions, conditions. */
export function describeText(description: Description, options: DescribeTextOptions): string {
  const parts = [
    headText(description, options),
    treeText(description, options),
    transitionsText(description, options),
    conditionsText(description, options),
  ];
  return parts.filter((part) => part !== '').join('\n');
}

function headText(description: Description, { paint, nowMs }: DescribeTextOptions): string {
  const { object, machineVersion = '-', observedGeneration = 0, sequence = 0, phase = '-', state, since, deadline, next } = description;
  const where = object.namespace === undefined ? '' : ` in ${object.namespace}`;
  const title = `${object.kind} ${object.name}${where}   machine ${machineVersion}   generation ${object.generation ?? '-'}, observed ${observedGeneration}   transition ${sequence}`;
  const inside = state === undefined || state === phase ? '' : ` (${state})`;
  const held = since === undefined ? '' : ` for ${ageText(nowMs - Date.parse(since))}`;
  const flags = description.conditions
    .filter(({ type }) => ['Ready', 'Reconciling', 'Stalled'].includes(type))
    .filter(({ type, status }) => type === 'Ready' || status === 'True');
  const shown = flags.map(({ type, status, reason }) => `${type}=${status}${type === 'Ready' || reason === phase ? '' : ` (${reason})`}`);
  const left = deadline === undefined ? [] : [['Deadline', `${deadline.timeout} ${deadlineText(Date.parse(deadline.at) - nowMs)}`]];
  const problem = description.conditions.find(
    ({ type, status, reason }) => (type === 'Stalled' || type === 'Reconciling') && status === 'True' && reason !== phase,
  );
  const rows: (readonly Cell[])[] = [
    ['Phase', { text: [`${phase}${inside}${held}`, ...shown].join('   '), look: lookOf(description) }],
    ...left,
    ['Why', whyText(description)],
    ...(problem === undefined ? [] : [['Problem', problem.message]]),
  ];
  const steps = new TablePrinter().add(next.map(stepRow)).split('\n').slice(0, -1);
  const nextRows = steps.map((line, index) => [index === 0 ? 'Next' : '', line]);
  return `${paint('bold', title)}\n${new TablePrinter({ paint }).add([...rows, ...nextRows])}`;
}

function stepRow({ event, to, guard, enabled, reason = '' }: Description['next'][number]): readonly string[] {
  const now = enabled === 'yes' ? `now: ${reason}` : reason;
  return [`${eventPhrase(event)}${guard === undefined ? '' : ` [${guard}]`}`, `-> ${to}`, now];
}

function whyText({ history, conditions }: Description): string {
  const [last] = history;
  if (last === undefined) return conditions.find(({ status }) => status === 'True')?.message ?? 'the operator has not acted on it yet';
  return `${last.from} -> ${last.to} by ${last.event}${last.cause === undefined ? '' : `: ${last.cause}`}`;
}

function lookOf({ conditions }: Description): Look {
  const isTrue = (type: string) => conditions.some((condition) => condition.type === type && condition.status === 'True');
  if (isTrue('Stalled')) return 'bad';
  return isTrue('Ready') ? 'good' : 'moving';
}

function treeText({ object, dependents }: Description, { isUnicode, nowMs }: DescribeTextOptions): string {
  if (dependents === undefined) return '';
  const [branch, last] = isUnicode ? ['├─ ', '└─ '] : ['|- ', '`- '];
  const rows = dependents.map((line, index) => {
    const name = isUnicode ? dependentName(line) : dependentName(line).replace('…', '...');
    const prefix = index === dependents.length - 1 ? last : branch;
    return [`${prefix}${name}`, line.state, line.created === '' ? '-' : ageText(nowMs - Date.parse(line.created)), line.message];
  });
  return `${object.kind}/${object.name}${rows.length === 0 ? '   no dependents' : ''}\n${new TablePrinter().add(rows)}`;
}

function transitionsText({ history }: Description, { paint }: DescribeTextOptions): string {
  if (history.length === 0) return '';
  const rows = history.map(({ sequence, at, from, to, event, cause = '', by = '' }, index) => {
    const before = history[index + 1]?.at;
    const held = before === undefined ? '' : `after ${ageText(Date.parse(at) - Date.parse(before))}`;
    return [String(sequence), localTime(at), `${from} -> ${to}`, event, held, cause, by];
  });
  return `${paint('bold', 'Last transitions')}\n${new TablePrinter({ indent: '  ' }).add(rows)}`;
}

function conditionsText({ conditions }: Description, { paint, nowMs }: DescribeTextOptions): string {
  if (conditions.length === 0) return '';
  const rows = conditions.map(({ type, status, lastTransitionTime, reason, message }) => {
    const age = lastTransitionTime === undefined ? '-' : ageText(nowMs - Date.parse(lastTransitionTime));
    return [type, status, age, reason, message];
  });
  return `${paint('bold', 'Conditions')}\n${new TablePrinter({ indent: '  ' }).add(rows)}`;
}
