/**
 * Thrown by a view when something it was asked for is not known (a probe without a fresh answer). It is a value on its way, not
 * a fault: the evaluation that meets it answers `unknown`.
 */
export class UnknownSignal {
  /** What is not known, in words: `probe backup`. */
  readonly what: string;

  constructor(what: string) {
    this.what = what;
  }
}
