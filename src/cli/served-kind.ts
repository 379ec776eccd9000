import type { Kind } from '../resource/kind.ts';
import { groupOf } from '../resource/kind.ts';

/** A kind as the API server serves it in its preferred version, with every name people call it by. */
export interface ServedKind {
  readonly kind: Kind;
  readonly singular: string;
  readonly shortNames: readonly string[];
}

/**
 * The kinds that a name can stand for: plural, singular, short name or kind in any case, with the group or its beginning behind a
 * dot, and the version before the group: `np`, `nodepools.ack.alibabacloud.com`, `NodePool.v1.ack.alibabacloud.com`.
 */
export function matchingKinds(served: readonly ServedKind[], typed: string): readonly ServedKind[] {
  const lower = typed.toLowerCase();
  const dot = lower.indexOf('.');
  const name = dot < 0 ? lower : lower.slice(0, dot);
  const where = dot < 0 ? '' : lower.slice(dot + 1);
  return served.filter((each) => namesOf(each).includes(name) && (where === '' || isIn(each.kind, where)));
}

/** Everything a kind is called, in lower case. */
export function namesOf({ kind, singular, shortNames }: ServedKind): readonly string[] {
  return [kind.plural, singular, kind.kind.toLowerCase(), ...shortNames].map((name) => name.toLowerCase());
}

/** `nodepool.ack.alibabacloud.com`: how kubectl names a kind in its output. */
export function qualifiedName({ kind, singular }: ServedKind): string {
  return `${singular === '' ? kind.kind.toLowerCase() : singular}.${groupOf(kind)}`;
}

function isIn(kind: Kind, where: string): boolean {
  const group = groupOf(kind);
  const version = kind.apiVersion.slice(group.length + 1);
  return group.startsWith(where) || where === `${version}.${group}`;
}
