import type { Duration } from 'luxon';

const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
  ['ms', 1],
] as const;

/** A duration as Kubernetes people write it, exactly, since diagrams are compared: `15m`, `1h30m`, `2d`, `0s`. */
export function durationWords(duration: Duration): string {
  let rest = Math.round(duration.toMillis());
  let words = '';
  for (const [unit, lengthMs] of units) {
    const count = Math.floor(rest / lengthMs);
    if (count > 0) words += `${count}${unit}`;
    rest -= count * lengthMs;
  }
  return words === '' ? '0s' : words;
}
