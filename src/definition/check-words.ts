import { Duration } from 'luxon';
import type { FaultList } from './fault-list.ts';
import type { KnownWords } from './known-words.ts';
import { suggestName } from './nearest-name.ts';
import { isPlainObject } from './scan-json.ts';

/** One declared word and where it stands. */
interface Word {
  readonly place: string;
  readonly value: unknown;
}

type Check = (word: Word, faults: FaultList, words: KnownWords) => void;

type Parts = Readonly<Record<string, { readonly is: (value: unknown) => boolean; readonly instead: string; readonly optional?: true }>>;

const aFunction = (value: unknown) => typeof value === 'function';
const text = (value: unknown) => typeof value === 'string' && value !== '';
const oneOf =
  (...values: readonly unknown[]) =>
  (value: unknown) =>
    values.includes(value);
const period = (value: unknown) => Duration.isDuration(value) && value.isValid && value.toMillis() > 0;
const periodExample = 'Duration.fromObject({ seconds: 30 })';
const isKind = (value: unknown) =>
  isPlainObject(value) &&
  text(value['apiVersion']) &&
  text(value['kind']) &&
  text(value['plural']) &&
  oneOf('Cluster', 'Namespaced')(value['scope']);
const kindExample = "defineKindOf({ apiVersion: 'v1', kind: 'ConfigMap', scope: 'Namespaced' })";

const checks: Readonly<Record<string, Check>> = {
  dependents: alone(isKind, 'it is not a kind', kindExample),
  watches: ofParts({ kind: { is: isKind, instead: kindExample }, of: { is: aFunction, instead: '(object) => the keys it wakes' } }),
  probes: ofParts({
    timeout: { is: period, instead: periodExample },
    maxAge: { is: period, instead: periodExample },
    answer: { is: (value) => typeof value === 'object' && value !== null && '_zod' in value, instead: 'z.object({ … })' },
    input: { is: aFunction, instead: '(view) => what the answer depends on' },
    ask: { is: aFunction, instead: 'async (input, signal) => …' },
  }),
  facts: ofParts({
    when: { is: aFunction, instead: '(view) => true or false' },
    says: { is: (value) => text(value) || aFunction(value), instead: "'words for people', or (view) => words" },
  }),
  commands: ofParts({ says: { is: text, instead: "'what it does'", optional: true } }),
  guards: alone(aFunction, 'it is not a function', '(view, params) => true or false'),
  timeouts: checkTimeout,
  remembers: alone(aFunction, 'it is not a function', '(view, params) => the changed part of memory'),
  ensure: alone(aFunction, 'it is not a function', '(view, params) => the objects that must exist'),
  deletes: checkDelete,
  announce: ofParts({
    type: { is: oneOf('Normal', 'Warning'), instead: "'Normal' or 'Warning'" },
    reason: { is: (value) => typeof value === 'string' && /^[A-Z][A-Za-z0-9]*$/.test(value), instead: "'ScaleUpTimeout': PascalCase" },
    message: { is: aFunction, instead: '(view) => words' },
  }),
  invariants: alone(aFunction, 'it is not a function', '(view) => true or false'),
  migrations: alone(text, 'it is not the path of a state', "OldPhase: 'NewPhase'"),
};

/** Every declared word has the shape its section asks for. */
export function checkWords(words: KnownWords, faults: FaultList): void {
  for (const [section, check] of Object.entries(checks)) {
    for (const [name, value] of Object.entries(words.section(section))) {
      check({ place: `${words.kind}.${section}.${name}`, value }, faults, words);
    }
  }
}

function alone(is: (value: unknown) => boolean, reason: string, instead: string): Check {
  return ({ place, value }, faults) => {
    if (!is(value)) faults.add('WRONG_SHAPE', place, { reason, instead });
  };
}

function ofParts(parts: Parts): Check {
  return ({ place, value }, faults) => {
    if (!isPlainObject(value)) {
      faults.add('WRONG_SHAPE', place, { reason: 'it is not an object', instead: `{ ${Object.keys(parts).join(', ')} }` });
      return;
    }
    for (const key of Object.keys(value)) {
      if (Object.hasOwn(parts, key)) continue;
      faults.add('UNKNOWN_KEY', `${place}.${key}`, { reason: 'it has no such part', instead: suggestName(key, Object.keys(parts)) });
    }
    for (const [key, part] of Object.entries(parts)) {
      const given = value[key];
      if (given === undefined ? part.optional : part.is(given)) continue;
      const reason = given === undefined ? `${key} is missing` : `${key} is not what it must be`;
      faults.add('WRONG_SHAPE', `${place}.${key}`, { reason, instead: part.instead });
    }
  };
}

const deleteParts = ofParts({
  from: { is: text, instead: 'the name of a dependent' },
  how: { is: oneOf('delete', 'drain'), instead: "'delete' or 'drain'", optional: true },
  oneAtATime: { is: (value) => typeof value === 'boolean', instead: 'true or false', optional: true },
  only: { is: aFunction, instead: '(live, view) => whether this one may go' },
});

function checkDelete(word: Word, faults: FaultList, words: KnownWords): void {
  deleteParts(word, faults, words);
  const from = isPlainObject(word.value) ? word.value['from'] : undefined;
  if (typeof from !== 'string' || words.has('dependents', from)) return;
  faults.add('UNKNOWN_NAME', `${word.place}.from`, {
    reason: `no dependent is called ${from}`,
    instead: suggestName(from, words.names('dependents')),
  });
}

/** Ways to read a clock inside a function, by its text. */
const readsClock =
  /\bDate\s*(\(|\.now\b)|\bnew\s+Date\s*[();,]|\bDateTime\s*\.\s*(now|local|utc)\b|\bperformance\b|\bTemporal\s*\.\s*Now\b|\bhrtime\b/;

function checkTimeout({ place, value }: Word, faults: FaultList): void {
  if (typeof value === 'function') {
    if (!readsClock.test(Function.prototype.toString.call(value))) return;
    faults.add('DELAY_READS_TIME', place, {
      reason: 'a delay that reads the time moves its own deadline each time it is computed',
      instead: 'a Duration from the view: it counts from when the state was entered',
    });
  } else if (typeof value === 'number') {
    faults.add('NUMERIC_DELAY', place, { reason: 'a number has no unit', instead: `Duration.fromObject({ milliseconds: ${value} })` });
  } else if (!period(value)) {
    faults.add('WRONG_SHAPE', place, { reason: 'it is not a valid Duration above zero', instead: periodExample });
  }
}
