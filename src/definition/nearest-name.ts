/** The known name that is most like a mistyped one; undefined when none is close. */
export function nearestName(typed: string, known: Iterable<string>): string | undefined {
  let nearest: string | undefined;
  let best = Math.max(2, Math.floor(typed.length / 3)) + 1;
  for (const name of known) {
    const distance = name.toLowerCase() === typed.toLowerCase() ? 0 : editDistance(typed, name);
    if (distance < best) [nearest, best] = [name, distance];
  }
  return nearest;
}

/** What to write instead of a name nobody knows. */
export function suggestName(typed: string, known: readonly string[]): string {
  const nearest = nearestName(typed, known);
  if (nearest !== undefined) return `write ${nearest}`;
  return known.length === 0 ? 'leave it out; none is declared' : `use one of ${known.join(', ')}`;
}

/** Insertions, deletions and replacements from one text to the other (Levenshtein). */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
