import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { eventually } from './eventually.ts';
import { parentWatch } from './parent-watch.ts';

export interface ComponentCommand {
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  /** Gets stdout and stderr of every run, one after the other. */
  readonly logFile: string;
}

export interface ComponentEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** The signal is only on its way when `kill` returns. Where there is no /proc to look at, that has to do. */
function standsStill(pid: number): boolean {
  const tasks = `/proc/${pid}/task`;
  if (!existsSync(tasks)) return true;
  return readdirSync(tasks).every((task) => {
    const stat = readFileSync(join(tasks, task, 'stat'), 'utf8');
    // The state follows the program's name, which is in brackets and may hold anything.
    return stat.startsWith(' T ', stat.lastIndexOf(')') + 1);
  });
}

/** One program that the harness runs, ends, freezes and runs again with the same arguments. */
export class Component {
  readonly #command: ComponentCommand;
  #child: ChildProcess | undefined;
  #end: Promise<ComponentEnd> | undefined;
  #lastEnd: ComponentEnd | undefined;
  #isAskedToEnd = false;

  constructor(command: ComponentCommand) {
    this.#command = command;
  }

  get name(): string {
    return this.#command.name;
  }

  get logFile(): string {
    return this.#command.logFile;
  }

  /** Undefined while it does not run. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** How the last run ended where nobody here asked for it; undefined while it runs and before the first run. */
  get unaskedEnd(): ComponentEnd | undefined {
    return this.#isAskedToEnd ? undefined : this.#lastEnd;
  }

  start(): void {
    if (this.#child) throw new Error(`${this.name} already runs with pid ${this.#child.pid}`);
    const log = openSync(this.#command.logFile, 'a');
    const child = spawn(this.#command.program, this.#command.args, {
      stdio: ['ignore', log, log],
      env: this.#command.env ?? process.env,
      ...(this.#command.cwd === undefined ? {} : { cwd: this.#command.cwd }),
    });
    closeSync(log);
    this.#child = child;
    this.#lastEnd = undefined;
    this.#isAskedToEnd = false;
    const { pid } = child;
    if (pid !== undefined) parentWatch.endWithUs(pid);
    this.#end = new Promise((resolve) => {
      const ended = (end: ComponentEnd): void => {
        if (pid !== undefined) parentWatch.forget(pid);
        this.#child = undefined;
        this.#lastEnd = end;
        resolve(end);
      };
      child.once('exit', (code, signal) => ended({ code, signal }));
      child.once('error', () => ended({ code: -1, signal: null }));
    });
  }

  /** Sends a signal to the running program; nothing where it does not run. */
  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal);
  }

  /** Freezes it (SIGSTOP): its sockets stay open and silent. Resolves when every thread stands still. */
  async pause(): Promise<void> {
    const { pid } = this;
    if (pid === undefined) throw new Error(`${this.name} does not run`);
    this.signal('SIGSTOP');
    await eventually(() => standsStill(pid), { what: `${this.name} to stand still`, everyMs: 1 });
  }

  resume(): void {
    this.signal('SIGCONT');
  }

  /** Resolves when the current (or last) run has ended. */
  async ended(): Promise<ComponentEnd> {
    return (await this.#end) ?? { code: null, signal: null };
  }

  /** SIGKILL, also where it is frozen; resolves when it is gone. */
  async kill9(): Promise<void> {
    this.#isAskedToEnd = true;
    this.signal('SIGKILL');
    await this.ended();
  }

  /** SIGTERM, then SIGKILL where that has not ended it in `graceMs`. */
  async stop(graceMs = 10_000): Promise<ComponentEnd> {
    this.#isAskedToEnd = true;
    if (!this.#child) return this.ended();
    this.signal('SIGCONT');
    this.signal('SIGTERM');
    const impatience = setTimeout(() => this.signal('SIGKILL'), graceMs);
    const end = await this.ended();
    clearTimeout(impatience);
    return end;
  }

  /** The last lines of its log. */
  logTail(lines = 20): string {
    if (!existsSync(this.logFile)) return '(no log)';
    return readFileSync(this.logFile, 'utf8').trimEnd().split('\n').slice(-lines).join('\n');
  }
}
