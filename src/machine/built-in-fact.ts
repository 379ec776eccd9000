import { isDeepStrictEqual } from 'node:util';
import type { Lifecycle } from '../definition/lifecycle.ts';
import type { BuiltInFact } from '../definition/reserved-names.ts';
import { isCleared } from './cleared.ts';
import type { Observation } from './observation.ts';
import type { Position } from './position.ts';

/** A fact that every lifecycle has. */
export interface BuiltIn {
  readonly holds: (lifecycle: Lifecycle, position: Position, observation: Observation) => boolean;
  readonly says: (observation: Observation) => string;
}

const facts: Readonly<Record<BuiltInFact, BuiltIn>> = {
  deleted: {
    holds: (_lifecycle, _position, { view }) => view.object.deletionTimestamp !== undefined,
    says: () => 'its deletion is asked',
  },
  unaccepted: {
    holds: (_lifecycle, { accepted }) => accepted === undefined,
    says: () => 'no spec was accepted yet',
  },
  specChanged: {
    holds: (_lifecycle, { accepted }, { view }) => accepted !== undefined && !isDeepStrictEqual(accepted.spec, view.spec),
    says: ({ generation }) => `the spec of generation ${generation} differs from the accepted one`,
  },
  refused: {
    holds: (_lifecycle, _position, { refused }) => refused !== undefined,
    says: ({ refused }) => refused ?? 'what must exist was refused',
  },
  cleared: {
    holds: (lifecycle, { state }, { view }) => isCleared(lifecycle, state, view),
    says: () => 'everything that had to go is gone',
  },
};

const byName = new Map<string, BuiltIn>(Object.entries(facts));

/** The built-in fact of that name, if there is one. */
export function builtInFact(name: string): BuiltIn | undefined {
  return byName.get(name);
}
