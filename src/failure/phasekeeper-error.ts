/**
 * What to do about an error.
 *
 * - `retry`: the same attempt may succeed later; back off and try again.
 * - `terminal`: this object cannot go on until its spec or its surroundings change.
 * - `fatal`: the process cannot go on (broken definition, no permission, no server at start-up).
 */
export type Disposition = 'retry' | 'terminal' | 'fatal';

/** What every error carries beside its message. */
export interface PhasekeeperErrorOptions {
  readonly code: string;
  readonly disposition: Disposition;
  /** Plain JSON that names the object, the place and the numbers involved. */
  readonly data?: Readonly<Record<string, unknown>>;
  /** The command or change that helps; shown after the message as `hint:`. */
  readonly hint?: string;
  readonly cause?: unknown;
}

/** The base of every error this package throws. Messages say which object, what happened and what to do. */
export class PhasekeeperError extends Error {
  override readonly name: string = 'PhasekeeperError';
  readonly code: string;
  readonly disposition: Disposition;
  readonly data: Readonly<Record<string, unknown>>;
  readonly hint: string | undefined;

  constructor(message: string, options: PhasekeeperErrorOptions) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = options.code;
    this.disposition = options.disposition;
    this.data = options.data ?? {};
    this.hint = options.hint;
  }
}
