import { isDeepStrictEqual } from 'node:util';

type Json = Readonly<Record<string, unknown>>;

/**
 * The JSON merge patch (RFC 7396) that turns one object into another, or undefined when they are equal by value. Fields that are
 * undefined count as absent; lists are replaced as a whole. Written here because it is thirty lines on the hot path and the
 * packages that do it are unkept.
 */
export function mergePatch(from: Json, to: Json): Json | undefined {
  const patch: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(to)) {
    const change = changeOf(from[name], value);
    if (change !== undefined) patch[name] = change.value;
  }
  for (const name of Object.keys(from)) {
    if (to[name] === undefined && from[name] !== undefined) patch[name] = null;
  }
  return Object.keys(patch).length === 0 ? undefined : patch;
}

function changeOf(from: unknown, to: unknown): { readonly value: unknown } | undefined {
  if (to === undefined || from === to) return undefined;
  if (isJsonObject(from) && isJsonObject(to)) {
    const inner = mergePatch(from, to);
    return inner === undefined ? undefined : { value: inner };
  }
  return isDeepStrictEqual(from, to) || isDeepStrictEqual(from, asStored(to)) ? undefined : { value: to };
}

/** What comes back of a value: a field of a list's item that is undefined is absent, minus zero is zero. */
function asStored(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? JSON.parse(JSON.stringify(value)) : value;
}

function isJsonObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
