/** The candidate that a typo was most likely meant for; undefined where none is close, as for anything of one or two letters. */
export function nearest(typed: string, candidates: readonly string[]): string | undefined {
  const limit = typed.length < 3 ? 0 : Math.floor(typed.length / 3);
  const ranked = candidates.map((candidate) => ({ candidate, distance: distanceOf(typed, candidate) }));
  const [best] = ranked.filter(({ distance }) => distance <= limit).toSorted((a, b) => a.distance - b.distance);
  return best?.candidate;
}

/** How many letters have to be added, dropped or replaced. */
function distanceOf(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [i, letter] of from.split('').entries()) {
    const next = [i + 1];
    for (const [j, other] of to.split('').entries()) {
      const [diagonal = 0, above = 0, left = 0] = [row[j], row[j + 1], next[j]];
      next.push(letter === other ? diagonal : 1 + Math.min(diagonal, above, left));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
