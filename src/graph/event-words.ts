import { Duration } from 'luxon';
import type { Trigger } from '../definition/chart.ts';
import type { Lifecycle } from '../definition/lifecycle.ts';
import { durationWords } from './duration-words.ts';

/** What makes an edge possible, in words: `atTarget`, `command retry`, `timeout scaleUp 15m`, where computed `timeout upgrade`. */
export function eventWords(lifecycle: Lifecycle, { type, name }: Trigger): string {
  if (type === 'fact') return name;
  if (type === 'command') return `command ${name}`;
  const delay = lifecycle.vocabulary.timeouts[name];
  return Duration.isDuration(delay) ? `timeout ${name} ${durationWords(delay)}` : `timeout ${name}`;
}
