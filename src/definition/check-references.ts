import { allStates, type DraftReference, type DraftState } from './draft.ts';
import { suggestName } from './nearest-name.ts';
import type { Reading } from './reading.ts';
import { acceptAction, notGuard } from './reserved-names.ts';
import { isPlainObject } from './scan-json.ts';
import { takesParams } from './takes-params.ts';

/** Every name in `entry`, `guard` and `actions` is one that may stand there, with params if and only if it takes any. */
export function checkReferences(root: DraftState, reading: Reading): void {
  for (const state of allStates(root)) {
    for (const reference of state.entry) checkEntry(reference, reading);
    for (const edge of state.edges) {
      if (edge.guard !== undefined) checkGuard(edge.guard, reading);
      for (const action of edge.actions) checkAction(action, reading);
    }
  }
}

function checkEntry(reference: DraftReference, reading: Reading): void {
  const { words, faults } = reading;
  const { name, place } = reference;
  if (words.has('ensure', name)) checkParams(reference, { what: 'ensure', fn: words.section('ensure')[name], position: 1 }, reading);
  else if (words.has('deletes', name)) {
    checkParams(reference, { what: 'delete', fn: onlyOf(words.section('deletes')[name]), position: 2 }, reading);
  } else if (isAction(name, reading)) {
    faults.add('MISPLACED_NAME', place, {
      reason: `${name} happens once, on an edge; entry holds as long as the state is active`,
      instead: 'name it in actions of the edges that lead here',
    });
  } else {
    const known = [...words.names('ensure'), ...words.names('deletes')];
    faults.add('UNKNOWN_NAME', place, { reason: `no ensure or delete is called ${name}`, instead: suggestName(name, known) });
  }
}

function checkAction(reference: DraftReference, reading: Reading): void {
  const { words, faults } = reading;
  const { name, place } = reference;
  if (words.has('remembers', name))
    checkParams(reference, { what: 'remember', fn: words.section('remembers')[name], position: 1 }, reading);
  else if (words.has('announce', name) || name === acceptAction)
    checkParams(reference, { what: 'action', fn: () => {}, position: 0 }, reading);
  else if (words.has('ensure', name) || words.has('deletes', name)) {
    faults.add('MISPLACED_NAME', place, {
      reason: `${name} must hold as long as a state is active; after a crash an edge is not taken again`,
      instead: 'name it in entry of the state the edge leads to',
    });
  } else {
    const known = [acceptAction, ...words.names('announce'), ...words.names('remembers')];
    faults.add('UNKNOWN_NAME', place, { reason: `no announce or remember is called ${name}`, instead: suggestName(name, known) });
  }
}

function checkGuard(reference: DraftReference, reading: Reading): void {
  const { words, faults } = reading;
  const { name, place, params } = reference;
  if (name === notGuard) return checkNot(reference, reading);
  if (words.has('guards', name)) checkParams(reference, { what: 'guard', fn: words.section('guards')[name], position: 1 }, reading);
  else if (words.isFact(name)) checkParams(reference, { what: 'fact', fn: () => {}, position: 0 }, reading);
  else {
    const known = [...words.names('guards'), ...words.facts, ...(params === undefined ? [] : [notGuard])];
    faults.add('UNKNOWN_NAME', place, { reason: `no guard or fact is called ${name}`, instead: suggestName(name, known) });
  }
}

/** `not` holds a name, or a name with params. */
function checkNot({ place, params }: DraftReference, reading: Reading): void {
  const guard = params?.['guard'];
  const negated = isPlainObject(guard) ? { name: guard['type'], params: guard['params'] } : { name: guard, params: undefined };
  const others = Object.keys(params ?? {}).filter((key) => key !== 'guard');
  if (typeof negated.name !== 'string' || negated.name === notGuard || others.length > 0 || !isOptionalObject(negated.params)) {
    reading.faults.add('PARAMS_MISMATCH', place, {
      reason: 'not takes one guard or fact',
      instead: "{ type: 'not', params: { guard: 'nodesReady' } }; for more, declare a guard of its own",
    });
    return;
  }
  checkGuard({ place: `${place}.params.guard`, name: negated.name, params: negated.params }, reading);
}

function isOptionalObject(value: unknown): value is Readonly<Record<string, unknown>> | undefined {
  return value === undefined || isPlainObject(value);
}

interface Declared {
  readonly what: string;
  readonly fn: unknown;
  /** Of the params among the function's parameters. */
  readonly position: number;
}

function checkParams({ place, name, params }: DraftReference, { what, fn, position }: Declared, { faults }: Reading): void {
  const takes = position === 0 ? 'no' : takesParams(fn, position);
  if (takes === 'yes' && params === undefined) {
    faults.add('PARAMS_MISMATCH', place, {
      reason: `the ${what} ${name} takes params and is given none`,
      instead: `{ type: '${name}', params: { … } }`,
    });
  }
  if (takes === 'no' && params !== undefined) {
    faults.add('PARAMS_MISMATCH', `${place}.params`, { reason: `the ${what} ${name} takes no params`, instead: `'${name}'` });
  }
}

function isAction(name: string, { words }: Reading): boolean {
  return name === acceptAction || words.has('announce', name) || words.has('remembers', name);
}

function onlyOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, 'only') : undefined;
}
