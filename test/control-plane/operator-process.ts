import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { Component, type ComponentEnd } from './component.ts';
import { eventually } from './eventually.ts';
import { parentWatch } from './parent-watch.ts';

export interface OperatorOptions {
  /** Path; a fault proxy's or a control plane's. */
  readonly kubeconfig: string;
  /** Folders of machines, from the repository's root: `machines/nodepool`. */
  readonly machines: readonly string[];
  /** Further flags of `run`. */
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** A mutant's name (`engine/B01`), to run with its fault. Default: the one that this process was told to run with, if any. */
  readonly mutant?: string;
  /** Flags of Node itself, such as `--max-semi-space-size=8`. */
  readonly nodeArgs?: readonly string[];
}

const root = dirname(dirname(import.meta.dirname));
const mutantRegister = join(root, 'test', 'mutants', 'register.ts');

/** One operator, as a process of its own, from source. It ends with this process. */
export class OperatorProcess {
  readonly #component: Component;
  readonly #folder: string;
  #logAtTheEnd: string | undefined;

  private constructor(component: Component, folder: string) {
    this.#component = component;
    this.#folder = folder;
  }

  /** Starts it and does not wait: see `untilReady`. */
  static start(options: OperatorOptions): OperatorProcess {
    const folder = mkdtempSync(join(tmpdir(), 'operator-'));
    parentWatch.removeWithUs(folder);
    const hook = existsSync(mutantRegister) ? [`--import=${mutantRegister}`] : [];
    const flags = ['run', ...options.machines, '--kubeconfig', options.kubeconfig, ...(options.args ?? [])];
    const component = new Component({
      name: 'operator',
      program: process.execPath,
      args: ['--conditions=source', ...hook, ...(options.nodeArgs ?? []), join(root, 'src', 'cli', 'main.ts'), ...flags],
      // The machine's own kubeconfig is out of reach: an operator of a test must never find another cluster.
      env: {
        ...process.env,
        KUBECONFIG: join(folder, 'no-kubeconfig'),
        HOME: folder,
        NO_COLOR: '1',
        ...options.env,
        ...(options.mutant === undefined ? {} : { MUTANT: options.mutant }),
      },
      cwd: root,
      logFile: join(folder, 'operator.log'),
    });
    component.start();
    return new OperatorProcess(component, folder);
  }

  get pid(): number | undefined {
    return this.#component.pid;
  }

  /** Everything it printed on stdout and stderr. */
  get log(): string {
    if (this.#logAtTheEnd !== undefined) return this.#logAtTheEnd;
    return existsSync(this.#component.logFile) ? readFileSync(this.#component.logFile, 'utf8') : '';
  }

  /** Its log lines that are JSON, parsed. */
  get logEntries(): readonly Readonly<Record<string, unknown>>[] {
    const lines = this.log.split('\n').filter((line) => line.startsWith('{') && line.endsWith('}'));
    return lines.map((line) => JSON.parse(line));
  }

  /** Resolves when its log says that it is ready; an operator that ends first is an error with the end of its log. */
  async untilReady(options: { readonly withinMs?: number; readonly sign?: RegExp } = {}): Promise<void> {
    await this.untilLogged(options.sign ?? readySign, options);
  }

  /** Resolves when its log matches. */
  async untilLogged(sign: RegExp, options: { readonly withinMs?: number } = {}): Promise<void> {
    let end: ComponentEnd | undefined;
    const within = options.withinMs === undefined ? {} : { withinMs: options.withinMs };
    const what = `the operator to log ${sign}`;
    try {
      await eventually(
        () => {
          end = this.#component.unaskedEnd;
          return end !== undefined || sign.test(this.log);
        },
        { what, ...within },
      );
    } catch (error) {
      throw new Error(`gave up waiting for ${what}; the end of its log:\n${this.#component.logTail(30)}`, { cause: error });
    }
    if (end && !sign.test(this.log)) {
      throw new Error(`the operator ended (code ${end.code}, signal ${end.signal}):\n${this.#component.logTail(30)}`);
    }
  }

  /** Ends it without warning; resolves when it is gone. */
  kill9(): Promise<void> {
    return this.#component.kill9();
  }

  /** Freezes it (SIGSTOP), as a long pause of its machine would; its sockets stay open. */
  pause(): Promise<void> {
    return this.#component.pause();
  }

  resume(): void {
    this.#component.resume();
  }

  /** SIGTERM; resolves with how it ended. */
  stop(): Promise<ComponentEnd> {
    return this.#component.stop();
  }

  /** Resolves with how it ended, when it does so by itself. */
  ended(): Promise<ComponentEnd> {
    return this.#component.ended();
  }

  /** Ends it where it still runs and removes its folder; `log` stays readable. */
  async dispose(): Promise<void> {
    await this.kill9();
    this.#logAtTheEnd = this.log;
    rmSync(this.#folder, { recursive: true, force: true });
    parentWatch.keep(this.#folder);
  }
}

/** What `run` logs once every cache is filled and the loops run. */
const readySign = /"message":"ready"/;

/** Starts an operator; see `OperatorProcess.start`. */
export function startOperator(options: OperatorOptions): OperatorProcess {
  return OperatorProcess.start(options);
}
