import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Mutant } from './mutant.ts';

/** A mutant with the name by which `MUTANT` and `--only` call it. */
export interface NamedMutant {
  /** `<room>/<behaviour>`, with `#2`, `#3` … after the first of the same behaviour in a room. */
  readonly name: string;
  readonly room: string;
  readonly mutant: Mutant;
}

/** Files of this folder that are the machinery and not a room's list. */
const machinery = new Set(['all.ts', 'apply-mutant.ts', 'coverage.ts', 'mutant.ts', 'register.ts', 'run.ts', 'verdict.ts']);

/**
 * Every mutant, room by room: each `<room>.ts` of this folder exports `<room>Mutants` (dashes become camel case).
 *
 * @throws when a file does not export its list
 */
export async function allMutants(): Promise<readonly NamedMutant[]> {
  const rooms = readdirSync(import.meta.dirname)
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !machinery.has(file))
    .map((file) => file.slice(0, -'.ts'.length))
    .toSorted();
  const lists = await Promise.all(rooms.map(async (room) => nameMutants(room, await mutantsOf(room))));
  return lists.flat();
}

/**
 * One mutant, by its full name, or by its behaviour alone where that has only one.
 *
 * @throws when no mutant or several carry the name
 */
export async function findMutant(name: string): Promise<NamedMutant> {
  const all = await allMutants();
  const exact = all.find((each) => each.name === name);
  if (exact !== undefined) return exact;
  const [first, ...others] = all.filter((each) => each.mutant.behaviour === name);
  if (first === undefined) throw new Error(`no mutant is called ${name}; there are: ${all.map((each) => each.name).join(', ')}`);
  if (others.length > 0)
    throw new Error(`${name} has several mutants, take one: ${[first, ...others].map((each) => each.name).join(', ')}`);
  return first;
}

/** Gives each mutant of a room its name. */
export function nameMutants(room: string, mutants: readonly Mutant[]): readonly NamedMutant[] {
  const seen = new Map<string, number>();
  return mutants.map((mutant) => {
    const nth = (seen.get(mutant.behaviour) ?? 0) + 1;
    seen.set(mutant.behaviour, nth);
    return { name: `${room}/${mutant.behaviour}${nth === 1 ? '' : `#${nth}`}`, room, mutant };
  });
}

async function mutantsOf(room: string): Promise<readonly Mutant[]> {
  const listName = `${room.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())}Mutants`;
  const module: unknown = await import(pathToFileURL(join(import.meta.dirname, `${room}.ts`)).href);
  const list = (module as Record<string, unknown>)[listName];
  if (!Array.isArray(list)) throw new Error(`test/mutants/${room}.ts does not export ${listName}`);
  return list as readonly Mutant[];
}
