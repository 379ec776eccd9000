import { PhasekeeperError } from '../failure/phasekeeper-error.ts';

/**
 * Thrown by a view when something it was asked for is not known (a probe without a fresh answer). It is a value on its way, not
 * a fault: the evaluation that meets it answers `unknown`.
 */
export class UnknownSignal extends PhasekeeperError {
  override readonly name = 'UnknownSignal';
  /** What is not known, in words: `probe backup`. */
  readonly what: string;

  constructor(what: string) {
    super(`${what} is not known`, { code: 'UNKNOWN', disposition: 'retry', data: { what } });
    this.what = what;
  }
}
