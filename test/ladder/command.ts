import { spawn } from 'node:child_process';
import { join } from 'node:path';

/** The repository's root. */
export const root = join(import.meta.dirname, '../..');

export interface CommandOptions {
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** `show` (the default) lets the output through; `keep` collects it for the caller. */
  readonly output?: 'show' | 'keep';
  /** Milliseconds after which the command and its children are killed. Default: never. */
  readonly limitMs?: number;
}

export interface CommandResult {
  /** The exit code; 127 when the program is not there, 124 when time ran out, 128 when it died of a signal. */
  readonly code: number;
  /** Both streams, in order of arrival; empty when shown. */
  readonly output: string;
  readonly tookMs: number;
}

/** Runs a program from the repository's root and waits for its end; its failure is a result, not an error. */
export function runCommand(program: string, args: readonly string[], options: CommandOptions = {}): Promise<CommandResult> {
  const startMs = performance.now();
  const keep = options.output === 'keep';
  const isGroup = options.limitMs !== undefined;
  const child = spawn(program, args, {
    cwd: root,
    env: { ...process.env, ...options.env },
    stdio: ['ignore', keep ? 'pipe' : 'inherit', keep ? 'pipe' : 'inherit'],
    // A group of its own, so that what it started dies with it when time runs out.
    detached: isGroup,
  });
  let output = '';
  child.stdout?.on('data', (text) => (output += text));
  child.stderr?.on('data', (text) => (output += text));
  let timedOut = false;
  const timer = isGroup ? setTimeout(() => killGroup(child.pid, 'SIGKILL', () => (timedOut = true)), options.limitMs) : undefined;
  // A terminal's Ctrl-C reaches its foreground group only.
  const interrupt = () => killGroup(child.pid, 'SIGTERM', () => process.exit(130));
  if (isGroup) for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, interrupt);
  return new Promise((resolve) => {
    const end = (code: number) => {
      clearTimeout(timer);
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.removeListener(signal, interrupt);
      resolve({ code: timedOut ? 124 : code, output, tookMs: performance.now() - startMs });
    };
    child.on('error', () => end(127));
    child.on('close', (code) => end(code ?? 128));
  });
}

function killGroup(pid: number | undefined, signal: NodeJS.Signals, then: () => void): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch {
    // It ended by itself just now.
  }
  then();
}

/** Runs this Node with a file of the repository or of a dependency. */
export function runNode(args: readonly string[], options: CommandOptions = {}): Promise<CommandResult> {
  return runCommand(process.execPath, args, options);
}

/** The entry of vitest, to be run by this Node. */
export const vitestEntry = join(root, 'node_modules/vitest/vitest.mjs');

/** Lines nobody overlooks in a long log: a head, and what belongs to it. */
export function loud(head: string, lines: readonly string[] = []): void {
  const rule = '!'.repeat(100);
  console.log(`\n${rule}\n${[head, ...lines.map((line) => `  ${line}`)].map((line) => `! ${line}`).join('\n')}\n${rule}\n`);
}
