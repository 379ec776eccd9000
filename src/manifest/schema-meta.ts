import { z } from 'zod';
import type { JsonSchemaProps } from './json-schema-props.ts';
import { SchemaError } from './schema-error.ts';

const rule = z.strictObject({
  rule: z.string().min(1),
  message: z.string().optional(),
  messageExpression: z.string().optional(),
  reason: z.string().optional(),
  fieldPath: z.string().optional(),
  optionalOldSelf: z.boolean().optional(),
});

/** The keys of `.meta()` that a CustomResourceDefinition takes as they are; what else stands there is the author's own. */
const passed = z.object({
  title: z.string().optional(),
  description: z.string().optional(),
  maxLength: z.int().min(0).optional(),
  maxItems: z.int().min(0).optional(),
  minProperties: z.int().min(0).optional(),
  maxProperties: z.int().min(0).optional(),
  'x-kubernetes-validations': z.array(rule).optional(),
  'x-kubernetes-preserve-unknown-fields': z.boolean().optional(),
  'x-kubernetes-int-or-string': z.boolean().optional(),
  'x-kubernetes-embedded-resource': z.boolean().optional(),
  'x-kubernetes-list-type': z.enum(['atomic', 'set', 'map']).optional(),
  'x-kubernetes-list-map-keys': z.array(z.string()).optional(),
  'x-kubernetes-map-type': z.enum(['atomic', 'granular']).optional(),
});

/** What `.meta()` of a schema and its wrappers adds to a structural schema. */
export type SchemaMeta = Pick<JsonSchemaProps, keyof z.output<typeof passed>>;

/** The metadata of a schema alone. @throws SchemaError where a key that is passed on has the wrong shape */
export function schemaMeta(schema: z.core.$ZodType, path: string): SchemaMeta {
  const parsed = passed.safeParse(z.globalRegistry.get(schema) ?? {});
  if (parsed.success) return withoutUndefined(parsed.data);
  const [issue] = parsed.error.issues;
  throw new SchemaError(
    path,
    `its meta is wrong: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`,
    'write what a CustomResourceDefinition takes there',
  );
}

/** Both, the outer one first where they differ; rules of both hold. */
export function mergeMeta(outer: SchemaMeta, inner: SchemaMeta): SchemaMeta {
  const rules = [...(inner['x-kubernetes-validations'] ?? []), ...(outer['x-kubernetes-validations'] ?? [])];
  return { ...inner, ...outer, ...(rules.length === 0 ? {} : { 'x-kubernetes-validations': rules }) };
}

function withoutUndefined(meta: z.output<typeof passed>): SchemaMeta {
  // Object.fromEntries loses the keys' types; undefined values are the only thing that is taken away.
  return Object.fromEntries(Object.entries(meta).filter(([, value]) => value !== undefined)) as SchemaMeta;
}
