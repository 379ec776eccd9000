import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { eventually } from '../control-plane/eventually.ts';
import { cliEnv, mainArgs, root } from './run-cli.ts';

/** One line of the operator's log. */
export interface LogLine {
  readonly level: string;
  readonly timestamp: string;
  readonly message: string;
  readonly [field: string]: unknown;
}

/** `phasekeeper run` as a process that goes on. */
export class OperatorProcess {
  readonly lines: LogLine[] = [];
  stderr = '';
  readonly #child: ChildProcess;
  readonly #ended: Promise<number | null>;

  constructor(args: readonly string[], env: Readonly<Record<string, string>>) {
    const child = spawn(process.execPath, [...mainArgs, 'run', ...args], {
      cwd: root,
      env: cliEnv(env),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    createInterface({ input: child.stdout }).on('line', (line) => this.lines.push(JSON.parse(line)));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
    this.#ended = new Promise((resolve) => child.once('close', (code) => resolve(code)));
  }

  /** The first line with that message. */
  async line(message: string): Promise<LogLine> {
    const found = () =>
      this.lines.find((line) => line.message === message) ??
      (this.#child.exitCode === null ? undefined : Promise.reject(new Error(this.stderr)));
    return eventually(found, { what: `the log line "${message}"`, withinMs: 60_000 });
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  /** The exit code; null when a signal ended it. */
  async ended(): Promise<number | null> {
    return this.#ended;
  }
}
