import { PhasekeeperError } from '../failure/phasekeeper-error.ts';

/** The object was removed while it was worked on: nothing is left to do. */
export class GoneError extends PhasekeeperError {
  override readonly name = 'GoneError';

  constructor(object: string, cause: unknown) {
    super(`${object} is gone`, { code: 'GONE', disposition: 'terminal', data: { object }, cause });
  }
}
