import type { FaultList } from './fault-list.ts';
import { rejectedActions } from './rejected-constructs.ts';

/** Whether a value is an object literal (or parsed JSON), not an instance of a class. */
export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Reports everything in a config that would not survive being written as JSON. Tells whether it found nothing. */
export function scanJson(value: unknown, place: string, faults: FaultList): boolean {
  return scan({ value, place, above: [] }, faults);
}

interface Position {
  readonly value: unknown;
  readonly place: string;
  /** The objects and lists it is part of, to notice one that contains itself. */
  readonly above: readonly unknown[];
}

function scan({ value, place, above }: Position, faults: FaultList): boolean {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return true;
    case 'number':
      return Number.isFinite(value) || refuse(`${value} is no JSON number`, place, faults);
    case 'function':
      return refuseFunction(value, place, faults);
    case 'object':
      break;
    default:
      return refuse(`a value of type ${typeof value} cannot be stored`, place, faults);
  }
  if (value === null) return true;
  if (above.includes(value)) return refuse('it contains itself', place, faults);
  const inside = [...above, value];
  if (Array.isArray(value)) {
    return value.map((each: unknown, index) => scan({ value: each, place: `${place}[${index}]`, above: inside }, faults)).every(Boolean);
  }
  if (!isPlainObject(value)) return refuse(`an instance of ${value.constructor.name} cannot be stored`, place, faults);
  return Object.entries(value)
    .filter(([, each]) => each !== undefined)
    .map(([key, each]) => scan({ value: each, place: `${place}.${key}`, above: inside }, faults))
    .every(Boolean);
}

function refuse(reason: string, place: string, faults: FaultList): false {
  faults.add('NOT_JSON', place, { reason, instead: 'strings, finite numbers, booleans, lists and object literals' });
  return false;
}

/** XState's creators return functions that carry `type: 'xstate.raise'`. */
function refuseFunction(value: object, place: string, faults: FaultList): false {
  const type: unknown = Reflect.get(value, 'type');
  const creator = typeof type === 'string' && type.startsWith('xstate.') ? type.slice('xstate.'.length) : undefined;
  const words = creator === undefined ? undefined : rejectedActions[creator];
  if (words !== undefined) faults.add('REJECTED_CONSTRUCT', place, { reason: `${creator}: ${words.reason}`, instead: words.instead });
  else {
    faults.add('INLINE_FUNCTION', place, {
      reason: 'a function in the config has no name in diagrams, history and refusals',
      instead: 'declare it in the vocabulary and write its name (guards are negated by { type: "not", params: { guard } })',
    });
  }
  return false;
}
