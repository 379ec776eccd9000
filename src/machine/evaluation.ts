import type { NamedReference } from '../definition/chart.ts';
import type { Lifecycle } from '../definition/lifecycle.ts';
import { notGuard } from '../definition/reserved-names.ts';
import { UnknownSignal } from '../definition/unknown-signal.ts';
import { PhasekeeperError } from '../failure/phasekeeper-error.ts';
import { builtInFact } from './built-in-fact.ts';
import { isPromise } from './is-promise.ts';
import type { Observation } from './observation.ts';
import type { Position } from './position.ts';
import { referenceText } from './reference-text.ts';

type Json = Readonly<Record<string, unknown>>;

/** What a fact or a guard says: a third truth value, and a fourth for what the author's code did instead of answering. */
export type Answer =
  | { readonly type: 'yes'; readonly payload: Json }
  | { readonly type: 'no' }
  | { readonly type: 'unknown'; readonly what: string }
  | { readonly type: 'fault'; readonly place: string; readonly error: unknown };

const yes: Answer = { type: 'yes', payload: {} };
const no: Answer = { type: 'no' };

/** The facts and guards of one observation. Facts are judged when first asked for, and once; nothing here throws. */
export class Evaluation {
  readonly #lifecycle: Lifecycle;
  readonly #position: Position;
  readonly #observation: Observation;
  readonly #facts = new Map<string, Answer>();

  constructor(lifecycle: Lifecycle, position: Position, observation: Observation) {
    this.#lifecycle = lifecycle;
    this.#position = position;
    this.#observation = observation;
  }

  fact(name: string): Answer {
    const before = this.#facts.get(name);
    if (before !== undefined) return before;
    const answer = this.#judgeFact(name);
    this.#facts.set(name, answer);
    return answer;
  }

  /** Guards by name, facts by name, and `not` over either. What is unknown stays unknown under `not`. */
  guard(reference: NamedReference): Answer {
    const { name, params } = reference;
    if (name === notGuard) return negated(this.guard(negatedReference(params['guard'])));
    const { guards } = this.#lifecycle.vocabulary;
    const judge = Object.hasOwn(guards, name) ? guards[name] : undefined;
    if (judge === undefined) return this.fact(name);
    const place = `guard ${referenceText(reference)}`;
    return answerTo(place, () => truthOf(place, judge(this.#observation.view, params)));
  }

  #judgeFact(name: string): Answer {
    const place = `fact ${name}`;
    const builtIn = builtInFact(name);
    if (builtIn !== undefined) {
      return answerTo(place, () => (builtIn.holds(this.#lifecycle, this.#position, this.#observation) ? yes : no));
    }
    const { facts } = this.#lifecycle.vocabulary;
    const fact = Object.hasOwn(facts, name) ? facts[name] : undefined;
    if (fact === undefined) return { type: 'fault', place, error: mistaken(place, 'is not in the vocabulary') };
    return answerTo(place, () => {
      const value: unknown = fact.when(this.#observation.view);
      return isPayload(value) ? { type: 'yes', payload: value } : truthOf(place, value);
    });
  }
}

function answerTo(place: string, judge: () => Answer): Answer {
  try {
    return judge();
  } catch (thrown) {
    if (thrown instanceof UnknownSignal) return { type: 'unknown', what: `${place} (${thrown.what})` };
    return { type: 'fault', place, error: thrown };
  }
}

function truthOf(place: string, value: unknown): Answer {
  if (value === true) return yes;
  if (value === false) return no;
  const what = isPromise(value) ? 'a promise' : value === null ? 'null' : `a value of type ${typeof value}`;
  return { type: 'fault', place, error: mistaken(place, `answered ${what} where only true or false can be judged`) };
}

function isPayload(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isPromise(value);
}

function negated(answer: Answer): Answer {
  if (answer.type === 'yes') return no;
  return answer.type === 'no' ? yes : answer;
}

/** `not` holds a name, or a name with params. */
function negatedReference(guard: unknown): NamedReference {
  if (typeof guard !== 'object' || guard === null || !('type' in guard)) return { name: String(guard), params: {} };
  const params = 'params' in guard && isPayload(guard.params) ? guard.params : {};
  return { name: String(guard.type), params };
}

function mistaken(place: string, problem: string): PhasekeeperError {
  return new PhasekeeperError(`${place} ${problem}`, { code: 'NOT_AN_ANSWER', disposition: 'terminal', data: { place } });
}
