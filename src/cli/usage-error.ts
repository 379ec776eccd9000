import { CommandError } from './command-error.ts';
import { exitCode } from './exit-code.ts';

/** The command line, or a file that it names, is wrong. Exit code 2. */
export class UsageError extends CommandError {
  constructor(
    message: string,
    options: { readonly hint?: string | undefined; readonly facts?: readonly string[]; readonly cause?: unknown } = {},
  ) {
    super(message, { exitCode: exitCode.usage, code: 'USAGE', ...options });
  }
}
