import type { TriggerType } from './chart.ts';
import type { DraftEdge, DraftReference } from './draft.ts';
import type { FaultList } from './fault-list.ts';
import { isBuiltInCommand } from './known-words.ts';
import { suggestName } from './nearest-name.ts';
import type { Reading } from './reading.ts';
import { isPlainObject, scanJson } from './scan-json.ts';

const edgeKeys = ['target', 'guard', 'actions', 'reenter', 'description'];

interface Source {
  readonly value: unknown;
  readonly place: string;
  readonly key: 'on' | 'after';
}

/** Reads `on` or `after`: every edge whose trigger is known and whose shape is right. */
export function readEdges({ value, place, key }: Source, reading: Reading): readonly DraftEdge[] {
  if (value === undefined) return [];
  if (!isPlainObject(value)) {
    reading.faults.add('WRONG_SHAPE', place, { reason: `${key} maps names to edges`, instead: `${key}: { name: 'Target' }` });
    return [];
  }
  return Object.entries(value).flatMap(([name, edges]) => {
    const at = `${place}.${name}`;
    const type = key === 'on' ? readEventName(name, at, reading) : readTimeoutName(name, at, reading);
    if (!scanJson(edges, at, reading.faults)) return [];
    return type === undefined
      ? []
      : readEdgeList(edges, at, reading.faults).map((edge) => withTrigger(edge, { type, name }, reading.faults));
  });
}

function readEventName(name: string, place: string, { words, faults }: Reading): TriggerType | undefined {
  if (words.isFact(name)) return 'fact';
  if (words.has('commands', name)) return 'command';
  if (name.includes('*') || name === '') {
    faults.add('REJECTED_CONSTRUCT', place, {
      reason: 'a wildcard hides which facts and commands move the object',
      instead: 'name each fact and command',
    });
  } else if (name.startsWith('xstate.')) {
    faults.add('REJECTED_CONSTRUCT', place, {
      reason: "XState's own events are not stored",
      instead: 'name a fact, or a timeout in after',
    });
  } else if (isBuiltInCommand(name)) {
    faults.add('RESERVED_NAME', place, { reason: `every phase accepts ${name} already`, instead: 'leave it out' });
  } else if (words.has('timeouts', name)) {
    faults.add('MISPLACED_NAME', place, { reason: `${name} is a timeout`, instead: 'name it in after' });
  } else if (words.has('guards', name)) {
    faults.add('MISPLACED_NAME', place, { reason: `${name} is a guard, and a guard moves nothing`, instead: 'declare it as a fact' });
  } else {
    const known = [...words.facts, ...words.names('commands')];
    faults.add('UNKNOWN_NAME', place, { reason: `no fact or command is called ${name}`, instead: suggestName(name, known) });
  }
  return undefined;
}

function readTimeoutName(name: string, place: string, { words, faults }: Reading): 'timeout' | undefined {
  if (words.has('timeouts', name)) return 'timeout';
  if (/^\d+(\.\d+)?$/.test(name)) {
    faults.add('NUMERIC_DELAY', place, {
      reason: 'a number has no unit and no name in diagrams and history',
      instead: `declare it under timeouts, such as step: Duration.fromObject({ milliseconds: ${name} }), and write its name`,
    });
  } else if (words.isFact(name) || words.has('commands', name)) {
    faults.add('MISPLACED_NAME', place, { reason: `${name} is a fact or a command`, instead: 'name it in on' });
  } else {
    faults.add('UNKNOWN_NAME', place, { reason: `no timeout is called ${name}`, instead: suggestName(name, words.names('timeouts')) });
  }
  return undefined;
}

type UntriggeredEdge = Omit<DraftEdge, 'trigger'>;

function readEdgeList(value: unknown, place: string, faults: FaultList): readonly UntriggeredEdge[] {
  if (typeof value === 'string') return [{ place, target: { place, text: value }, guard: undefined, actions: [] }];
  if (isPlainObject(value)) return readEdge(value, place, faults);
  if (Array.isArray(value) && value.length > 0) {
    return value.flatMap((each: unknown, index) => {
      if (isPlainObject(each)) return readEdge(each, `${place}[${index}]`, faults);
      const target = typeof each === 'string' ? each : 'Target';
      faults.add('WRONG_SHAPE', `${place}[${index}]`, { reason: 'an edge in a list is an object', instead: `{ target: '${target}' }` });
      return [];
    });
  }
  faults.add('EMPTY_EDGE', place, { reason: 'it names no edge', instead: 'a target, or leave it out: a fact without an edge is normal' });
  return [];
}

function readEdge(value: Readonly<Record<string, unknown>>, place: string, faults: FaultList): readonly UntriggeredEdge[] {
  for (const key of Object.keys(value)) {
    if (!edgeKeys.includes(key)) {
      faults.add('UNKNOWN_KEY', `${place}.${key}`, { reason: 'an edge has no such part', instead: suggestName(key, edgeKeys) });
    }
  }
  const { target, guard, actions, reenter, description } = value;
  if (target === undefined && (actions === undefined || (Array.isArray(actions) && actions.length === 0))) {
    faults.add('EMPTY_EDGE', place, {
      reason: 'an edge without target and actions forbids its event in silence',
      instead: 'a target, or leave it out: what has no edge is refused with what would be legal',
    });
    return [];
  }
  if (reenter !== undefined && reenter !== true) {
    faults.add('WRONG_SHAPE', `${place}.reenter`, { reason: 'reenter is true or absent', instead: 'reenter: true, or leave it out' });
  }
  if (description !== undefined && typeof description !== 'string') {
    faults.add('WRONG_SHAPE', `${place}.description`, { reason: 'a description is text', instead: "description: '…'" });
  }
  if (target !== undefined && typeof target !== 'string') {
    faults.add('WRONG_SHAPE', `${place}.target`, { reason: 'an edge leads to one state, named by text', instead: "target: 'Running'" });
    return [];
  }
  return [
    {
      place,
      target: target === undefined ? undefined : { place: `${place}.target`, text: target },
      guard: guard === undefined ? undefined : readReference(guard, `${place}.guard`, faults),
      actions: actions === undefined ? [] : readReferences(actions, `${place}.actions`, faults),
    },
  ];
}

/** Only a command may act without moving: a fact would be true again in the next pass, a timeout due again. */
function withTrigger(edge: UntriggeredEdge, trigger: DraftEdge['trigger'], faults: FaultList): DraftEdge {
  if (edge.target === undefined && trigger.type !== 'command') {
    const again = trigger.type === 'fact' ? 'a fact is true again in the next pass' : 'a due timeout stays due';
    faults.add('NO_TARGET', edge.place, {
      reason: `${again}, so its edge must lead somewhere`,
      instead: 'a target; the own state if an action such as accept makes the fact false',
    });
  }
  return { ...edge, trigger };
}

/** Reads one reference or a list of them. */
export function readReferences(value: unknown, place: string, faults: FaultList): readonly DraftReference[] {
  if (!scanJson(value, place, faults)) return [];
  const list: readonly { at: string; each: unknown }[] = Array.isArray(value)
    ? value.map((each: unknown, index) => ({ at: `${place}[${index}]`, each }))
    : [{ at: place, each: value }];
  return list.map(({ at, each }) => readReference(each, at, faults)).filter((reference) => reference !== undefined);
}

function readReference(value: unknown, place: string, faults: FaultList): DraftReference | undefined {
  if (typeof value === 'string') return { place, name: value, params: undefined };
  if (!isPlainObject(value) || typeof value['type'] !== 'string') {
    faults.add('WRONG_SHAPE', place, {
      reason: 'a reference is a name, or a name with params',
      instead: "{ type: 'name', params: { … } }",
    });
    return undefined;
  }
  for (const key of Object.keys(value)) {
    if (key !== 'type' && key !== 'params') {
      faults.add('UNKNOWN_KEY', `${place}.${key}`, {
        reason: 'a reference has no such part',
        instead: suggestName(key, ['type', 'params']),
      });
    }
  }
  const { type, params } = value;
  if (params !== undefined && !isPlainObject(params)) {
    faults.add('WRONG_SHAPE', `${place}.params`, { reason: 'params are an object', instead: 'params: { name: value }' });
    return undefined;
  }
  return { place, name: type, params };
}
