import { SchemaError } from './schema-error.ts';

interface Refusal {
  readonly reason: string;
  readonly alternative: string;
}

const code: Refusal = {
  reason: 'it is code, which the API server cannot run',
  alternative: 'take the value as it is sent and compute where it is read',
};
const notJson: Refusal = { reason: 'no JSON value is of this type', alternative: 'use text, numbers, booleans, lists and objects' };
const anything: Refusal = {
  reason: 'a structural schema names what it holds, the API server prunes the rest',
  alternative: "name the fields, or say .meta({ 'x-kubernetes-preserve-unknown-fields': true })",
};
const alternatives: Refusal = {
  reason: 'a structural schema cannot have alternatives of different shapes',
  alternative:
    "use one object with optional fields and a CEL rule in .meta, z.enum for a choice of words, or .meta({ 'x-kubernetes-int-or-string': true })",
};

const refusals: Readonly<Record<string, Refusal>> = {
  transform: code,
  pipe: code,
  custom: code,
  function: code,
  promise: code,
  catch: { reason: 'the API server refuses what is wrong, it does not replace it', alternative: 'use .default() for what is missing' },
  success: code,
  union: alternatives,
  intersection: {
    reason: 'a structural schema states each field once',
    alternative: 'use .extend() or spread the shapes into one z.object',
  },
  any: anything,
  unknown: anything,
  date: { reason: 'JSON has no dates', alternative: 'use z.iso.datetime()' },
  bigint: { reason: 'JSON numbers beyond 2^53 lose digits on their way', alternative: 'use z.int(), or text with a pattern' },
  null: { reason: 'the API server drops null', alternative: 'leave the field out' },
  set: { reason: 'JSON has no sets', alternative: "use z.array(...).meta({ 'x-kubernetes-list-type': 'set' })" },
  map: { reason: 'JSON has no maps', alternative: 'use z.record(z.string(), ...)' },
  tuple: { reason: 'the items of a list share one schema', alternative: 'use z.object with named fields' },
  template_literal: { reason: 'its pattern is not stated', alternative: 'use z.string().regex(...)' },
};

/** Why a zod type cannot be in a CustomResourceDefinition, and what can. */
export function unsupported(type: string, path: string): SchemaError {
  const { reason, alternative } = refusals[type] ?? notJson;
  return new SchemaError(path, `z.${type}: ${reason}`, alternative);
}
