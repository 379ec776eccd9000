const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
] as const;

/** A length of time as people write it: `15m`, `1h30m`, `0.5s`; the two largest units. */
export function durationText(durationMs: number): string {
  if (durationMs < 60_000) return `${durationMs / 1_000}s`;
  let restMs = durationMs;
  const parts: string[] = [];
  for (const [unit, unitMs] of units) {
    const count = Math.floor(restMs / unitMs);
    restMs -= count * unitMs;
    if (count > 0) parts.push(`${count}${unit}`);
  }
  return parts.slice(0, 2).join('');
}
