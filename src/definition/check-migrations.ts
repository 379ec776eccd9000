import { allStates, type DraftState, stateBelow } from './draft.ts';
import { suggestName } from './nearest-name.ts';
import type { Reading } from './reading.ts';

/** A migration leads from a state the machine no longer has to a leaf it has. */
export function checkMigrations(root: DraftState, { words, faults }: Reading): void {
  const leaves = allStates(root).filter((state) => state !== root && state.children.size === 0);
  const paths = leaves.map((leaf) => leaf.path);
  for (const [from, to] of Object.entries(words.section('migrations'))) {
    const place = `${words.kind}.migrations.${from}`;
    if (stateBelow(root, from) !== undefined) {
      faults.add('INVALID_NAME', place, { reason: `the machine still has ${from}`, instead: 'leave it out, or remove the state' });
    }
    if (typeof to === 'string' && !paths.includes(to)) {
      faults.add('UNKNOWN_TARGET', place, {
        reason: `${JSON.stringify(to)} is not a leaf of the machine`,
        instead: suggestName(to, paths),
      });
    }
  }
}
