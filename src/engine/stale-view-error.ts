import { PhasekeeperError } from '../failure/phasekeeper-error.ts';

/** The object changed under the reconcile; it starts over with what is stored now. */
export class StaleViewError extends PhasekeeperError {
  override readonly name = 'StaleViewError';

  constructor(object: string, cause?: unknown) {
    super(`${object} changed meanwhile`, { code: 'STALE_VIEW', disposition: 'retry', data: { object }, cause });
  }
}
