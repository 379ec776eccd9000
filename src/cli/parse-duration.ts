import { InvalidArgumentError } from 'commander';

const unitMs = Object.freeze({ ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const);

/** Milliseconds of `300ms`, `30s`, `2m`, `1h30m`; a bare number is seconds, as for kubectl. @throws InvalidArgumentError */
export function parseDuration(text: string): number {
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * unitMs.s;
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)];
  if (parts.length === 0 || parts.map(([part]) => part).join('') !== text)
    throw new InvalidArgumentError('Write it like 500ms, 30s, 2m or 1h30m.');
  return parts.reduce(
    (sum, [, count, unit]) => sum + Number(count) * (Object.entries(unitMs).find(([name]) => name === unit)?.[1] ?? 0),
    0,
  );
}
