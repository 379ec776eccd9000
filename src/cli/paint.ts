import { styleText } from 'node:util';

/** Where colour stands for something that a word says too. */
export type Look = 'good' | 'bad' | 'moving' | 'faint' | 'bold';

/** Gives text its look; returns it as it is where colours are off. */
export type Paint = (look: Look, text: string) => string;

export type ColorWhen = 'auto' | 'always' | 'never';

export interface PaintOptions {
  readonly when: ColorWhen;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isTerminal: boolean;
}

const formats = Object.freeze({ good: 'green', bad: 'red', moving: 'yellow', faint: 'dim', bold: 'bold' } as const);

/** `--color` decides, then NO_COLOR, then FORCE_COLOR, then whether it is a terminal that can. */
export function paintFor({ when, env, isTerminal }: PaintOptions): Paint {
  const plain: Paint = (_, text) => text;
  if (when === 'never') return plain;
  const isOn = when === 'always' || wantsColor(env, isTerminal);
  return isOn ? (look, text) => styleText(formats[look], text, { validateStream: false }) : plain;
}

function wantsColor(env: PaintOptions['env'], isTerminal: boolean): boolean {
  if ((env['NO_COLOR'] ?? '') !== '') return false;
  const forced = env['FORCE_COLOR'];
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  return isTerminal && env['TERM'] !== 'dumb' && (env['CI'] ?? '') === '';
}
