import { type ColorWhen, type Paint, paintFor } from './paint.ts';

/** Where a command writes and what it may read of its surroundings. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Folder that paths are relative to. */
  readonly cwd: string;
  /** Data. A line break is the caller's. */
  readonly out: (text: string) => void;
  /** Progress, warnings and hints, a line each. */
  readonly say: (line: string) => void;
  /** For `out`. */
  readonly paint: Paint;
  /** For `say`. */
  readonly paintSaid: Paint;
  /** Whether more than ASCII can be shown. */
  readonly isUnicode: boolean;
  /** Whether a person can be asked. */
  readonly canAsk: boolean;
}

/** The process's own. */
export function processTerminal(when: ColorWhen): Terminal {
  const { env, stdin, stdout, stderr } = process;
  return {
    env,
    cwd: process.cwd(),
    out: (text) => void stdout.write(text),
    say: (line) => void stderr.write(`${line}\n`),
    paint: paintFor({ when, env, isTerminal: stdout.isTTY }),
    paintSaid: paintFor({ when, env, isTerminal: stderr.isTTY }),
    isUnicode: isUnicodeLocale(env),
    canAsk: stdin.isTTY && stderr.isTTY,
  };
}

/** The locale of the first variable that is set decides, as for any other program. Without any, ASCII. */
export function isUnicodeLocale(env: Terminal['env']): boolean {
  const locale = [env['LC_ALL'], env['LC_CTYPE'], env['LANG']].find((value) => value !== undefined && value !== '');
  return /utf-?8/i.test(locale ?? '');
}
