import { type Disposition, PhasekeeperError } from '../failure/phasekeeper-error.ts';
import { messageOf } from '../failure/message-of.ts';

/** A fact, guard, ensure, delete or report that threw, or an effect that the API server did not accept. */
export class EffectError extends PhasekeeperError {
  override readonly name = 'EffectError';
  /** CamelCase reason of the condition. */
  readonly reason: string;

  constructor(
    place: string,
    object: string,
    options: { readonly reason: string; readonly disposition: Disposition; readonly cause: unknown },
  ) {
    super(`${object}: ${place}: ${messageOf(options.cause)}`, {
      code: 'EFFECT_FAILED',
      disposition: options.disposition,
      data: { place, object },
      cause: options.cause,
    });
    this.reason = options.reason;
  }
}

/** What to do about anything thrown: its own disposition, `retry` for what is not ours. */
export function dispositionOf(error: unknown): Disposition {
  return error instanceof PhasekeeperError ? error.disposition : 'retry';
}
