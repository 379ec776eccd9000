import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { SchemaError } from '../../src/manifest/schema-error.ts';
import { structuralSchema } from '../../src/manifest/structural-schema.ts';

/** A range that JavaScript reads exactly. */
const safe = { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER };

describe('a structural schema', () => {
  it.each<[string, z.ZodType, unknown]>([
    ['text', z.string(), { type: 'string' }],
    ['text with limits', z.string().min(1).min(2).max(9).max(5), { type: 'string', minLength: 2, maxLength: 5 }],
    ['text of a length', z.string().length(3), { type: 'string', minLength: 3, maxLength: 3 }],
    ['text with a pattern', z.string().regex(/^[a-z]+$/), { type: 'string', pattern: '^[a-z]+$' }],
    [
      'text with several patterns',
      z.string().startsWith('a.').endsWith('z').includes('+'),
      { type: 'string', pattern: String.raw`^a\.`, allOf: [{ pattern: 'z$' }, { pattern: String.raw`\+` }] },
    ],
    ['an integer', z.int(), { type: 'integer', format: 'int64', ...safe }],
    ['an integer with limits', z.int().min(0).max(9), { type: 'integer', format: 'int64', minimum: 0, maximum: 9 }],
    ['a 32 bit integer', z.int32(), { type: 'integer', format: 'int32', minimum: -2_147_483_648, maximum: 2_147_483_647 }],
    ['an unsigned integer', z.uint32(), { type: 'integer', format: 'int64', minimum: 0, maximum: 4_294_967_295 }],
    ['a number', z.number().gt(0).lt(1), { type: 'number', minimum: 0, exclusiveMinimum: true, maximum: 1, exclusiveMaximum: true }],
    [
      'a number that must be at least and above',
      z.number().min(1).gt(1).multipleOf(2),
      { type: 'number', minimum: 1, exclusiveMinimum: true, multipleOf: 2 },
    ],
    ['a boolean', z.boolean(), { type: 'boolean' }],
    ['words', z.enum(['a', 'b']), { type: 'string', enum: ['a', 'b'] }],
    ['one word', z.literal('a'), { type: 'string', enum: ['a'] }],
    ['some numbers', z.literal([1, 2]), { type: 'integer', format: 'int64', enum: [1, 2] }],
    ['a list', z.array(z.boolean()).min(1).max(3), { type: 'array', items: { type: 'boolean' }, minItems: 1, maxItems: 3 }],
    ['a map', z.record(z.string(), z.boolean()), { type: 'object', additionalProperties: { type: 'boolean' } }],
    ['a default', z.boolean().default(true), { type: 'boolean', default: true }],
    [
      'a default of an object',
      z.object({ a: z.boolean() }).prefault({ a: true }),
      { type: 'object', required: ['a'], properties: { a: { type: 'boolean' } }, default: { a: true } },
    ],
    ['something that may be null', z.string().nullable(), { type: 'string', nullable: true }],
    ['a read-only object', z.object({}).readonly(), { type: 'object', properties: {} }],
    ['a schema that is made late', z.lazy(() => z.boolean()), { type: 'boolean' }],
    [
      'a number or text',
      z.union([z.int(), z.string()]).meta({ 'x-kubernetes-int-or-string': true }),
      { 'x-kubernetes-int-or-string': true },
    ],
    [
      'anything, when said so',
      z.unknown().meta({ 'x-kubernetes-preserve-unknown-fields': true }),
      { 'x-kubernetes-preserve-unknown-fields': true },
    ],
    ['words about it', z.string().describe('inner').optional().meta({ description: 'outer' }), { type: 'string', description: 'outer' }],
  ])('states %s', (_name, schema, expected) => {
    expect(structuralSchema(schema, 'spec')).toEqual(expected);
  });

  it('requires what has to be sent: neither what is optional nor what has a default', () => {
    const schema = z.object({
      a: z.string(),
      b: z.string().optional(),
      c: z.string().default('x'),
      d: z.string().default('x').nullable(),
      e: z.string().optional().nonoptional(),
    });
    expect(structuralSchema(schema, 'spec').required).toEqual(['a', 'e']);
  });

  it('takes a refinement whose rule is stated in CEL, also on a wrapper of it', () => {
    const rules = [{ rule: 'self.a < self.b', message: 'a before b' }];
    const refined = z.object({ a: z.int(), b: z.int() }).refine(({ a, b }) => a < b);
    expect(structuralSchema(refined.meta({ 'x-kubernetes-validations': rules }), 'spec')['x-kubernetes-validations']).toEqual(rules);
    expect(structuralSchema(refined.optional().meta({ 'x-kubernetes-validations': rules }), 'spec')['x-kubernetes-validations']).toEqual(
      rules,
    );
  });

  it.each<[string, z.ZodType, RegExp]>([
    ['a flag of a pattern', z.string().regex(/^a$/i), /flag i would be dropped/],
    ['look-ahead', z.string().regex(/^(?!x)a$/), /RE2, which has no look-ahead/],
    ['look-behind', z.string().regex(/(?<=x)a$/), /look-behind/],
    ['a back-reference', z.string().regex(/^(a)\1$/), /no back-references/],
    ['a named back-reference', z.string().regex(/^(?<x>a)\k<x>$/), /no back-references/],
    ['text that is changed', z.string().trim(), /untrimmed and unchanged/],
    ['a format that is checked by code', z.url(), /format url with code/],
    ['words that may be null', z.enum(['a']).nullable(), /never accepts null/],
    ['words or null', z.literal(['a', null]), /several types or null/],
    ['a refinement without a rule', z.string().refine(() => true), /1 refinement is code.*there are 0 rules/],
    ['a check without a rule', z.object({}).superRefine(() => {}), /1 refinement is code/],
    [
      'two refinements with one rule',
      z
        .string()
        .refine(() => true)
        .refine(() => true)
        .meta({ 'x-kubernetes-validations': [{ rule: 'true' }] }),
      /2 refinements are code.*there is 1 rule/,
    ],
    ['a rule of the wrong shape', z.string().meta({ 'x-kubernetes-validations': [{ rul: 'true' }] }), /its meta is wrong/],
    ['a transform', z.string().transform((text) => text.length), /z\.pipe: it is code/],
    ['preprocessing', z.preprocess(String, z.string()), /it is code/],
    ['coercion', z.coerce.number(), /coerced/],
    ['a fallback', z.string().catch('x'), /z\.catch/],
    ['a union', z.union([z.string(), z.boolean()]), /z\.union: .*alternatives/],
    ['a discriminated union', z.discriminatedUnion('k', [z.object({ k: z.literal('a') }), z.object({ k: z.literal('b') })]), /z\.union/],
    ['an intersection', z.intersection(z.object({}), z.object({})), /z\.intersection/],
    ['a date', z.date(), /z\.date: JSON has no dates/],
    ['a bigint', z.bigint(), /z\.bigint/],
    ['anything', z.any(), /z\.any: /],
    ['something unknown', z.unknown(), /z\.unknown: /],
    ['null', z.null(), /z\.null: /],
    ['a set', z.set(z.string()), /z\.set: /],
    ['a map object', z.map(z.string(), z.string()), /z\.map: /],
    ['a tuple', z.tuple([z.string()]), /z\.tuple: /],
    ['a symbol', z.symbol(), /z\.symbol: no JSON value/],
    ['restricted keys', z.record(z.string().min(2), z.string()), /keys of a map/],
    ['listed keys', z.record(z.enum(['a']), z.string()), /keys of a map/],
    ['unnamed fields', z.looseObject({}), /pruned/],
    ['unnamed fields of a type', z.object({}).catchall(z.string()), /pruned/],
    ['a default that changes', z.number().default(() => Math.random()), /changes with each call/],
    ['a default that is not JSON', z.any().default(new Date(0)).meta({ 'x-kubernetes-preserve-unknown-fields': true }), /not JSON/],
  ])('refuses %s, with the path, the reason and what to write instead', (_name, schema, reason) => {
    const read = () => structuralSchema(z.object({ list: z.array(z.object({ field: schema })) }), 'spec');
    expect(read).toThrow(SchemaError);
    expect(read).toThrow(reason);
    expect(caught(read)).toMatchObject({
      code: 'SCHEMA_UNSUPPORTED',
      disposition: 'fatal',
      data: { path: 'spec.list[].field' },
      hint: expect.stringMatching(/\w/) as unknown,
    });
  });

  it('refuses a schema that contains itself, however it does', () => {
    const Tree = z.object({
      get children() {
        return z.array(Tree);
      },
    });
    const Late: z.ZodType = z.object({ next: z.lazy(() => Late).optional() });
    expect(() => structuralSchema(Tree, 'spec')).toThrow('spec.children[]: it contains itself');
    expect(() => structuralSchema(Late, 'spec')).toThrow('spec.next: it contains itself');
  });

  it('takes one schema in two places', () => {
    const shared = z.object({ a: z.string() });
    expect(() => structuralSchema(z.object({ one: shared, two: shared }), 'spec')).not.toThrow();
  });
});

function caught(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}
