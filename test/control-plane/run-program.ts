import { spawn } from 'node:child_process';

export interface ProgramResult {
  /** -1 when it could not be started or was ended by a signal. */
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ProgramOptions {
  readonly input?: string;
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Ends the program with SIGKILL after this long. Default: never. */
  readonly timeoutMs?: number;
}

/** Runs a program to its end and returns what it printed. Never rejects: a program that cannot start has code -1 and says why on stderr. */
export function runProgram(program: string, args: readonly string[], options: ProgramOptions = {}): Promise<ProgramResult> {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: options.cwd,
      env: options.env ?? process.env,
      stdio: ['pipe', 'pipe', 'pipe'],
      killSignal: 'SIGKILL',
      ...(options.timeoutMs === undefined ? {} : { timeout: options.timeoutMs }),
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    child.on('error', (error) => resolve({ code: -1, stdout, stderr: `${stderr}${error.message}\n` }));
    child.on('close', (code, signal) =>
      resolve({ code: code ?? -1, stdout, stderr: signal === null ? stderr : `${stderr}ended by ${signal}\n` }),
    );
    child.stdin.on('error', () => {
      // A program that ends without reading its input closes the pipe; its exit code says the rest.
    });
    child.stdin.end(options.input ?? '');
  });
}
