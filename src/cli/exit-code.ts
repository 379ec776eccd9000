/** What a command's end means. Documented in `--help`, so that scripts can rely on it. */
export const exitCode = Object.freeze({
  /** Yes, done. */
  yes: 0,
  /** The answer is no: a difference, a refusal, a named object that is missing. */
  no: 1,
  /** Wrong usage, or a bad input file. */
  usage: 2,
  /** The question could not be asked: no server, no rights, no CRD, a broken kubeconfig. */
  couldNotAsk: 3,
  /** Time ran out. */
  timedOut: 4,
  /** Interrupted by the user. */
  interrupted: 130,
});

/** One of the exit codes. */
export type ExitCode = (typeof exitCode)[keyof typeof exitCode];

/** The line below each command's help. */
export const exitCodeHelp = 'Exit codes: 0 yes, 1 no, 2 usage or bad input file, 3 could not ask, 4 time ran out, 130 interrupted.';
