import { UsageError } from './usage-error.ts';

/** One kind, and objects of it by name; none stands for all. */
export interface ObjectAddress {
  readonly kind: string;
  readonly names: readonly string[];
}

/** `KIND`, `KIND NAME…` or `KIND/NAME …` (one kind throughout), as kubectl takes them. */
export function parseAddress([first = '', ...rest]: readonly string[]): ObjectAddress {
  if (!first.includes('/')) {
    const mixed = rest.find((word) => word.includes('/'));
    if (mixed !== undefined)
      throw new UsageError(`${mixed} has a kind of its own behind ${first}`, { hint: `${first} ${mixed.split('/')[1]}` });
    return { kind: first, names: rest };
  }
  const pairs = [first, ...rest].map((word) => word.split('/'));
  const bad = pairs.findIndex((pair) => pair.length !== 2 || pair.includes('') || pair[0] !== pairs[0]?.[0]);
  if (bad >= 0) throw new UsageError(`${[first, ...rest][bad]} is not KIND/NAME of one kind`, { hint: 'KIND NAME… or KIND/NAME…' });
  return { kind: pairs[0]?.[0] ?? '', names: pairs.map((pair) => pair[1] ?? '') };
}
