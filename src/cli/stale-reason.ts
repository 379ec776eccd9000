const edge = /^\s*(\S+) --> (\S+) : /;

/** What changed in a diagram, in words: the first edge that came, went or changed, else that something else did. */
export function staleReason(stored: string | undefined, fresh: string): string {
  if (stored === undefined) return 'not there yet';
  const [before, after] = [stored.split('\n'), fresh.split('\n')];
  const came = after
    .filter((line) => !before.includes(line))
    .map(edgeName)
    .find((name) => name !== undefined);
  const went = before
    .filter((line) => !after.includes(line))
    .map(edgeName)
    .find((name) => name !== undefined);
  const changed = came ?? went;
  if (changed === undefined) return 'a state, its words or the version changed';
  return `edge ${changed} ${came === undefined ? 'is gone' : went === came ? 'changed' : 'is new'}`;
}

function edgeName(line: string): string | undefined {
  const [, from, to] = edge.exec(line) ?? [];
  return from === undefined || to === undefined ? undefined : `${from} -> ${to}`;
}
