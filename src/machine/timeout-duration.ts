import type { Lifecycle } from '../definition/lifecycle.ts';
import { UnknownSignal } from '../definition/unknown-signal.ts';
import type { AnyView } from '../definition/view.ts';
import { PhasekeeperError } from '../failure/phasekeeper-error.ts';
import { isPromise } from './is-promise.ts';

/** How long a timeout lasts for this object. */
export type DurationAnswer =
  | { readonly type: 'duration'; readonly durationMs: number }
  | { readonly type: 'unknown'; readonly what: string }
  | { readonly type: 'fault'; readonly place: string; readonly error: unknown };

/** Luxon's Duration, as far as it matters here. */
interface Lasting {
  toMillis(): number;
}

/** Luxon normalizes on each conversion, which a fixed timeout needs once. */
const fixed = new WeakMap<Lasting, DurationAnswer>();

/** The length of a timeout, fixed or made from the view. It never throws. */
export function timeoutDuration(lifecycle: Lifecycle, name: string, view: AnyView): DurationAnswer {
  const place = `timeout ${name}`;
  const { timeouts } = lifecycle.vocabulary;
  const timeout = Object.hasOwn(timeouts, name) ? timeouts[name] : undefined;
  if (timeout === undefined) return { type: 'fault', place, error: notADuration(place, 'is not in the vocabulary') };
  if (typeof timeout === 'function') return computed(place, () => timeout(view));
  let answer = fixed.get(timeout);
  if (answer === undefined) fixed.set(timeout, (answer = computed(place, () => timeout)));
  return answer;
}

function computed(place: string, duration: () => Lasting): DurationAnswer {
  try {
    const answer = duration();
    const durationMs: unknown = isPromise(answer) ? undefined : answer.toMillis();
    if (typeof durationMs === 'number' && Number.isFinite(durationMs)) return { type: 'duration', durationMs };
    return { type: 'fault', place, error: notADuration(place, 'is not a valid duration') };
  } catch (thrown) {
    if (thrown instanceof UnknownSignal) return { type: 'unknown', what: `${place} (${thrown.what})` };
    return { type: 'fault', place, error: thrown };
  }
}

function notADuration(place: string, problem: string): PhasekeeperError {
  return new PhasekeeperError(`${place} ${problem}`, { code: 'NOT_A_DURATION', disposition: 'terminal', data: { place } });
}
