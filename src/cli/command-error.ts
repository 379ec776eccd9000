import { PhasekeeperError } from '../failure/phasekeeper-error.ts';
import type { ExitCode } from './exit-code.ts';

export interface CommandErrorOptions {
  /** What the process ends with. */
  readonly exitCode: ExitCode;
  readonly code: string;
  /** Lines shown below the message, indented. */
  readonly facts?: readonly string[];
  readonly hint?: string | undefined;
  readonly cause?: unknown;
}

/** A command cannot go on, and knows what that means for its exit code. */
export class CommandError extends PhasekeeperError {
  override readonly name = 'CommandError';
  readonly exitCode: ExitCode;
  readonly facts: readonly string[];

  constructor(message: string, { exitCode, code, facts = [], hint, cause }: CommandErrorOptions) {
    super(message, {
      code,
      disposition: 'fatal',
      cause,
      ...(hint === undefined ? {} : { hint }),
      ...(facts.length === 0 ? {} : { data: { facts } }),
    });
    this.exitCode = exitCode;
    this.facts = facts;
  }
}
