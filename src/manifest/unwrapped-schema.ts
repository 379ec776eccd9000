import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import { SchemaError } from './schema-error.ts';
import type { SchemaMeta } from './schema-meta.ts';
import { mergeMeta, schemaMeta } from './schema-meta.ts';

/** A zod schema without the wrappers around it, and what they said. */
export interface UnwrappedSchema {
  readonly core: z.core.$ZodTypes;
  readonly nullable: boolean;
  /** Present when there is a default. */
  readonly default?: { readonly value: unknown };
  /** Of the schema and its wrappers. */
  readonly meta: SchemaMeta;
  /** How many checks are code (`refine`, `superRefine`, `check`). */
  readonly refinements: number;
}

const asCode = new Set(['custom', 'property']);

/** Takes optional, nullable, default, prefault, readonly, nonoptional and lazy off a schema. */
export function unwrapSchema(schema: z.core.$ZodType, path: string): UnwrappedSchema {
  // Every schema that zod makes is one of this union; the parameter is wider only because zod's own containers are typed so.
  const known = schema as z.core.$ZodTypes;
  const meta = schemaMeta(known, path);
  const { def } = known._zod;
  const refinements = (def.checks ?? []).filter((check) => asCode.has(check._zod.def.check)).length;
  const inner = innerOf(known);
  if (inner === undefined) return { core: known, nullable: false, meta, refinements };
  const below = unwrapSchema(inner, path);
  const value = def.type === 'default' || def.type === 'prefault' ? { value: jsonDefault(() => def.defaultValue, path) } : below.default;
  return {
    core: below.core,
    nullable: below.nullable || def.type === 'nullable',
    ...(value === undefined ? {} : { default: value }),
    meta: mergeMeta(meta, below.meta),
    refinements: refinements + below.refinements,
  };
}

function innerOf(schema: z.core.$ZodTypes): z.core.$ZodType | undefined {
  const { def } = schema._zod;
  switch (def.type) {
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'readonly':
    case 'nonoptional':
      return def.innerType;
    case 'lazy':
      return def.getter();
    default:
      return undefined;
  }
}

/** The default, if it is the same each time and JSON. */
function jsonDefault(read: () => unknown, path: string): unknown {
  const value = read();
  if (!isDeepStrictEqual(value, read()))
    throw new SchemaError(path, 'its default changes with each call; the schema holds one value', 'set it where the object is made');
  const json: unknown = value === undefined ? undefined : JSON.parse(JSON.stringify(value));
  if (value === undefined || !isDeepStrictEqual(json, value))
    throw new SchemaError(path, 'its default is not JSON', 'give a default of text, numbers, booleans, lists and objects');
  return json;
}
