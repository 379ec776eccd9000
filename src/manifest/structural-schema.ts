import type { z } from 'zod';
import type { JsonSchemaProps } from './json-schema-props.ts';
import { numberSchema } from './number-schema.ts';
import { SchemaError } from './schema-error.ts';
import { checksOf, stringSchema } from './string-schema.ts';
import type { UnwrappedSchema } from './unwrapped-schema.ts';
import { unwrapSchema } from './unwrapped-schema.ts';
import { unsupported } from './unsupported-schema.ts';

/**
 * The structural schema that accepts what a zod schema accepts, as it is sent (before zod's defaults).
 *
 * Refinements become CEL rules: a schema with `.refine()` needs `.meta({ 'x-kubernetes-validations': [...] })` after it, with at
 * least as many rules. `.meta` also carries description and the other `x-kubernetes-` keys.
 *
 * @param path where the schema stands: `spec`
 * @throws SchemaError for whatever the API server would drop, read differently or cannot say, with the path and what to write
 */
export function structuralSchema(schema: z.core.$ZodType, path: string): JsonSchemaProps {
  return nodeSchema(schema, { path, ancestors: [] });
}

interface Place {
  readonly path: string;
  /** The schemas this one stands in, to notice one that contains itself. */
  readonly ancestors: readonly z.core.$ZodType[];
}

function nodeSchema(schema: z.core.$ZodType, place: Place): JsonSchemaProps {
  const unwrapped = unwrapSchema(schema, place.path);
  const { core, meta } = unwrapped;
  if (place.ancestors.includes(core))
    throw new SchemaError(place.path, 'it contains itself; a structural schema is finite', 'write out the levels you need');
  requireRules(unwrapped, place.path);
  const type =
    meta['x-kubernetes-int-or-string'] === true
      ? intOrString(core, place.path)
      : typeSchema(unwrapped, { ...place, ancestors: [...place.ancestors, core] });
  if (unwrapped.nullable && type.enum !== undefined) {
    throw new SchemaError(
      place.path,
      'an enum that is nullable never accepts null on the API server',
      'make it .optional(), or add a value such as "None"',
    );
  }
  return {
    ...type,
    ...(unwrapped.nullable ? { nullable: true } : {}),
    ...(unwrapped.default === undefined ? {} : { default: unwrapped.default.value }),
    ...meta,
  };
}

function requireRules({ refinements, meta }: UnwrappedSchema, path: string): void {
  const rules = meta['x-kubernetes-validations']?.length ?? 0;
  if (refinements <= rules) return;
  throw new SchemaError(
    path,
    `${refinements} refinement${refinements === 1 ? ' is' : 's are'} code, which the API server cannot run, and there ${rules === 1 ? 'is 1 rule' : `are ${rules} rules`}`,
    `state each in CEL after the last .refine(): .meta({ 'x-kubernetes-validations': [{ rule: 'self.min <= self.max', message: '…' }] })`,
  );
}

function typeSchema({ core, meta }: UnwrappedSchema, place: Place): JsonSchemaProps {
  const { def } = core._zod;
  if ('coerce' in def && def.coerce)
    throw new SchemaError(place.path, 'it is coerced; the API server stores what was sent', 'take the type itself');
  switch (def.type) {
    case 'string':
      return stringSchema(checksOf(core), place.path);
    case 'number':
      return numberSchema(checksOf(core));
    case 'boolean':
      return { type: 'boolean' };
    case 'enum':
      return enumSchema(
        Object.entries(def.entries).flatMap(([key, value]) => (isReverse(def.entries, key) ? [] : [value])),
        place.path,
      );
    case 'literal':
      return enumSchema(def.values, place.path);
    case 'array':
      return arraySchema(core, nodeSchema(def.element, { ...place, path: `${place.path}[]` }));
    case 'record':
      requireFreeKeys(def.keyType, place.path);
      return { type: 'object', additionalProperties: nodeSchema(def.valueType, { ...place, path: `${place.path}.*` }) };
    case 'object':
      return objectSchema(def, meta['x-kubernetes-preserve-unknown-fields'] === true, place);
    case 'any':
    case 'unknown':
      if (meta['x-kubernetes-preserve-unknown-fields'] === true) return {};
      throw unsupported(def.type, place.path);
    default:
      throw unsupported(def.type, place.path);
  }
}

/** Whether a key of a TypeScript enum is the way back from a number to its name. */
function isReverse(entries: Readonly<Record<string, string | number>>, key: string): boolean {
  const value = entries[key];
  return typeof value === 'string' && /^\d+$/.test(key) && typeof entries[value] === 'number';
}

function enumSchema(values: readonly unknown[], path: string): JsonSchemaProps {
  const plain = values.flatMap((value) =>
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? [value] : [],
  );
  const types = new Set(plain.map((value) => typeof value));
  const [type] = types;
  if (plain.length !== values.length || types.size !== 1 || type === undefined) {
    throw new SchemaError(
      path,
      `its values are of several types or null (${values.map(String).join(', ')})`,
      'use values of one type: text, numbers or booleans',
    );
  }
  const isInteger = type === 'number' && plain.every((value) => Number.isInteger(value));
  const typed: JsonSchemaProps =
    type === 'string' || type === 'boolean' ? { type } : isInteger ? { type: 'integer', format: 'int64' } : { type: 'number' };
  return { ...typed, enum: plain };
}

function arraySchema(core: z.core.$ZodType, items: JsonSchemaProps): JsonSchemaProps {
  const { minLength, maxLength } = stringSchema(checksOf(core), '');
  return {
    type: 'array',
    items,
    ...(minLength === undefined ? {} : { minItems: minLength }),
    ...(maxLength === undefined ? {} : { maxItems: maxLength }),
  };
}

function requireFreeKeys(keyType: z.core.$ZodType, path: string): void {
  const { core } = unwrapSchema(keyType, path);
  if (core._zod.def.type === 'string' && checksOf(core).length === 0) return;
  throw new SchemaError(
    path,
    'the keys of a map cannot be restricted in a structural schema',
    "list them with z.object({...}), or use z.string() keys and a CEL rule: self.all(key, key.matches('…'))",
  );
}

function objectSchema(def: z.core.$ZodObjectDef, preserves: boolean, place: Place): JsonSchemaProps {
  const catchall = def.catchall?._zod.def.type;
  if (catchall !== undefined && catchall !== 'never' && !(preserves && (catchall === 'unknown' || catchall === 'any'))) {
    throw new SchemaError(
      place.path,
      'fields beside the named ones are pruned by the API server',
      "name them, put them in a z.record, or say .meta({ 'x-kubernetes-preserve-unknown-fields': true }) on a z.looseObject",
    );
  }
  const entries = Object.entries(def.shape).map(
    ([key, field]) => [key, field, nodeSchema(field, { ...place, path: `${place.path}.${key}` })] as const,
  );
  const required = entries.flatMap(([key, field, schema]) => (field._zod.optin === undefined && schema.default === undefined ? [key] : []));
  return {
    type: 'object',
    ...(required.length === 0 ? {} : { required }),
    properties: Object.fromEntries(entries.map(([key, , schema]) => [key, schema])),
  };
}

function intOrString(core: z.core.$ZodTypes, path: string): JsonSchemaProps {
  const { def } = core._zod;
  const types = def.type === 'union' ? def.options.map((option) => unwrapSchema(option, path).core._zod.def.type).toSorted() : [];
  if (types.join(' ') === 'number string') return {};
  throw new SchemaError(path, 'x-kubernetes-int-or-string is for a number or a text', 'write z.union([z.int(), z.string()])');
}
