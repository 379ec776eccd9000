import { PhasekeeperError } from '../failure/phasekeeper-error.ts';
import { CommandError } from './command-error.ts';
import { type ExitCode, exitCode } from './exit-code.ts';

/** Errors that say that the definition cannot be used. */
const badInput: ReadonlySet<string> = new Set(['UNSOUND_MACHINE', 'SCHEMA_UNSUPPORTED']);

/** What an error means for the exit code. What nobody foresaw could not be asked either. */
export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof CommandError) return error.exitCode;
  if (!(error instanceof PhasekeeperError)) return exitCode.couldNotAsk;
  if (badInput.has(error.code) || error.name === 'DefinitionError') return exitCode.usage;
  if (error.code === 'CONNECTION_TIMEOUT') return exitCode.timedOut;
  const status = error.data['status'];
  // The server understood and says no to this very request.
  if (status === 409 || status === 422 || status === 400) return exitCode.no;
  return exitCode.couldNotAsk;
}
