/** How a CRD's words call every state at once; `anyPhase` of the graph, which costs more to import. */
const anyPhase = 'any phase';

/** One way out of a state, as far as words tell. */
export interface LegalMove {
  readonly from: string;
  readonly to: string;
  /** `atTarget`, `command retry`, `timeout scaleUp 15m`. */
  readonly event: string;
  readonly guard?: string;
}

/** The moves that the description of a CRD's `status.phase` lists, a line each; none where it lists none. */
export function parseMoves(description: string): readonly LegalMove[] {
  return description.split('\n').flatMap((line) => {
    const [, from, to, event, guard] = /^(\S+|any phase) -> (\S+): (.*?)(?: \[(.*?)\])?(?: \/ .*)?$/.exec(line) ?? [];
    if (from === undefined || to === undefined || event === undefined) return [];
    return [{ from, to, event, ...(guard === undefined ? {} : { guard }) }];
  });
}

/** The moves out of a state, in the order they are judged. */
export function movesFrom(moves: readonly LegalMove[], state: string): readonly LegalMove[] {
  return moves.filter((move) => move.from === state || (move.from === anyPhase && move.to !== state));
}

/** An event in words that tell a reader without the definition what must happen. */
export function eventPhrase(event: string): string {
  const known = {
    specChanged: 'a new spec',
    unaccepted: 'a first spec',
    deleted: 'deletion',
    refused: 'a refused dependent',
    cleared: 'removal done',
  };
  return Object.entries(known).find(([name]) => name === event)?.[1] ?? event;
}
