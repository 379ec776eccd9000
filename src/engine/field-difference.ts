import { isDeepStrictEqual } from 'node:util';
import type { FieldSet } from '../resource/kubernetes-object.ts';

type Json = Readonly<Record<string, unknown>>;

/** One value and what is stored in its place. */
export interface Comparison {
  readonly desired: unknown;
  readonly stored: unknown;
  /** Our own entry of `managedFields` at this place. */
  readonly owned: FieldSet | undefined;
  /** Where this is, for the answer; `''` at the top. */
  readonly path?: string;
}

/**
 * Where a stored object lacks what is desired, or undefined when nothing is missing: the first path whose value is absent or
 * unequal. Fields that are not desired are ignored: they are other managers' or the server's defaults.
 *
 * How a list is compared follows how the server tracks it, read from our own entry of `managedFields`: by key (`k:`), by value
 * (`v:`), or as a whole, item by item.
 */
export function missingField({ desired, stored, owned, path = '' }: Comparison): string | undefined {
  if (Array.isArray(desired)) return missingItem(desired, { stored, owned, path });
  if (!isJson(desired)) return Object.is(desired, stored) ? undefined : path;
  if (!isJson(stored)) return path;
  for (const [name, value] of Object.entries(desired)) {
    if (value === undefined) continue;
    const at = path === '' ? name : `${path}.${name}`;
    const missing = missingField({ desired: value, stored: stored[name], owned: owned?.[`f:${name}`], path: at });
    if (missing !== undefined) return missing;
  }
  return undefined;
}

function missingItem(desired: readonly unknown[], { stored, owned, path = '' }: Omit<Comparison, 'desired'>): string | undefined {
  if (!Array.isArray(stored)) return path;
  const keys = Object.keys(owned ?? {});
  if (keys.some((key) => key.startsWith('k:'))) {
    for (const item of desired) {
      const found = keyedItem(item, stored, keys);
      if (found === undefined) return path;
      const at = `${path}[${found.key.slice(2)}]`;
      const missing = missingField({ desired: item, stored: found.item, owned: owned?.[found.key], path: at });
      if (missing !== undefined) return missing;
    }
    return undefined;
  }
  if (keys.some((key) => key.startsWith('v:'))) {
    return desired.every((item) => stored.some((other) => isDeepStrictEqual(item, other))) ? undefined : path;
  }
  if (desired.length !== stored.length) return path;
  for (const [index, item] of desired.entries()) {
    const missing = missingField({ desired: item, stored: stored[index], owned: undefined, path: `${path}[${index}]` });
    if (missing !== undefined) return missing;
  }
  return undefined;
}

function keyedItem(
  desired: unknown,
  stored: readonly unknown[],
  keys: readonly string[],
): { readonly key: string; readonly item: unknown } | undefined {
  for (const key of keys) {
    const values = itemKey(key);
    if (values === undefined || !hasKey(desired, values, true)) continue;
    const item = stored.find((candidate) => hasKey(candidate, values, false));
    if (item !== undefined) return { key, item };
  }
  return undefined;
}

/**
 * A path that our entry of `managedFields` owns and that is no longer desired, or undefined. An apply of what is desired then gives
 * the field up, and the server removes it when nobody else owns it.
 */
export function undesiredField(owned: FieldSet, desired: unknown, path = ''): string | undefined {
  for (const [key, inner] of Object.entries(owned)) {
    if (key === '.') continue;
    const at = path === '' ? key.slice(2) : `${path}.${key.slice(2)}`;
    const value = desiredAt(key, desired);
    if (value === undefined) return at;
    const undesired = undesiredField(inner, value, at);
    if (undesired !== undefined) return undesired;
  }
  return undefined;
}

function desiredAt(key: string, desired: unknown): unknown {
  if (key.startsWith('f:')) return isJson(desired) ? desired[key.slice(2)] : undefined;
  if (!Array.isArray(desired)) return undefined;
  const values = itemKey(key);
  if (values !== undefined) return desired.find((item) => hasKey(item, values, true));
  const literal = key.startsWith('v:') ? parsed(key.slice(2)) : undefined;
  return desired.find((item) => isDeepStrictEqual(item, literal));
}

function itemKey(key: string): Json | undefined {
  const values = key.startsWith('k:') ? parsed(key.slice(2)) : undefined;
  return isJson(values) ? values : undefined;
}

/** Whether an item has these key values; a desired item may leave out a key that the server defaults (a port's protocol). */
function hasKey(item: unknown, values: Json, mayLeaveOut: boolean): boolean {
  if (!isJson(item)) return false;
  return Object.entries(values).every(([name, value]) => (mayLeaveOut && item[name] === undefined) || isDeepStrictEqual(item[name], value));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
