import { type ChildProcess, spawn } from 'node:child_process';
import { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';

let watchdog: ChildProcess | undefined;

function tell(line: string): void {
  watchdog ??= startWatchdog();
  watchdog.stdin?.write(`${line}\n`);
}

function startWatchdog(): ChildProcess {
  const script = fileURLToPath(new URL('watchdog.ts', import.meta.url));
  const env = { ...process.env, NODE_OPTIONS: '' };
  const child = spawn(process.execPath, [script], { stdio: ['pipe', 'ignore', 'inherit'], detached: true, env });
  child.on('error', (error) => process.stderr.write(`control plane: no watchdog: ${error.message}\n`));
  child.stdin.on('error', () => {
    // The watchdog is gone; only the safety net is.
  });
  // Neither may keep this process alive: that this process ends is what the watchdog waits for.
  child.unref();
  if (child.stdin instanceof Socket) child.stdin.unref();
  return child;
}

/**
 * Sees to it that what this process started does not outlive it, however it ends (SIGKILL included): one watchdog process per test process
 * waits for the end of a pipe, then ends what it was told of and not told to forget.
 */
export const parentWatch = Object.freeze({
  endWithUs: (pid: number): void => tell(`+${pid}`),
  forget: (pid: number): void => tell(`-${pid}`),
  removeWithUs: (folder: string): void => tell(`+${folder}`),
  keep: (folder: string): void => tell(`-${folder}`),
});
