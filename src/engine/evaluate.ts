import { UnknownSignal } from '../definition/unknown-signal.ts';
import { EffectError } from './effect-error.ts';

/** What an author's function gave, or `unknown` when it read something that is not known now. */
export type Evaluated<T> = { readonly type: 'value'; readonly value: T } | { readonly type: 'unknown'; readonly what: string };

/**
 * Runs an author's function.
 * @param at place and object, for the message: `ensure nodes`, `NodePool demo`
 * @throws EffectError, retry, with the object's name, when it throws anything but an UnknownSignal
 */
export function evaluate<T>(at: { readonly place: string; readonly object: string }, run: () => T): Evaluated<T> {
  try {
    return { type: 'value', value: run() };
  } catch (error) {
    if (error instanceof UnknownSignal) return { type: 'unknown', what: error.what };
    throw new EffectError(at.place, at.object, { reason: 'EvaluationFailed', disposition: 'retry', cause: error });
  }
}
