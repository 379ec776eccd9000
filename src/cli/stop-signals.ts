import { type ExitCode, exitCode } from './exit-code.ts';

/** Turns SIGINT and SIGTERM into a graceful stop. */
export interface StopSignals {
  /** Aborts at the first signal. */
  readonly signal: AbortSignal;
  /** What the process ends with: 130 after SIGINT, 0 after SIGTERM. */
  readonly code: () => ExitCode;
  /** Signals act as they do by default again. */
  readonly release: () => void;
}

/** Listens from now on. The second signal ends the process at once with 130. */
export function stopSignals(onFirst: (name: NodeJS.Signals) => void = () => undefined): StopSignals {
  const stop = new AbortController();
  let code: ExitCode = exitCode.yes;
  const heard = (name: NodeJS.Signals) => {
    if (stop.signal.aborted) process.exit(exitCode.interrupted);
    code = name === 'SIGINT' ? exitCode.interrupted : exitCode.yes;
    onFirst(name);
    stop.abort();
  };
  const names = ['SIGINT', 'SIGTERM'] as const;
  for (const name of names) process.on(name, heard);
  return {
    signal: stop.signal,
    code: () => code,
    release: () => {
      for (const name of names) process.off(name, heard);
    },
  };
}
