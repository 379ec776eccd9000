import type { JsonSchemaProps } from './json-schema-props.ts';

type Check = Readonly<Record<string, unknown>> & { readonly check: string };

interface Range {
  readonly type: 'integer' | 'number';
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** `safeint` keeps its range: beyond it the operator could not read what the API server stored. */
const formats: Readonly<Record<string, Range>> = {
  safeint: { type: 'integer', format: 'int64', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
  int32: { type: 'integer', format: 'int32', minimum: -2_147_483_648, maximum: 2_147_483_647 },
  uint32: { type: 'integer', format: 'int64', minimum: 0, maximum: 4_294_967_295 },
  float32: { type: 'number', minimum: -3.4028234663852886e38, maximum: 3.4028234663852886e38 },
  float64: { type: 'number' },
};

/** @param checks the definitions of the checks of a zod number, its own format among them */
export function numberSchema(checks: readonly Check[]): JsonSchemaProps {
  let schema: JsonSchemaProps = { type: 'number' };
  for (const check of checks) {
    if (check.check === 'number_format') {
      const { type, format, minimum, maximum } = formats[String(check['format'])] ?? { type: 'number' };
      schema = { ...schema, type, ...(format === undefined ? {} : { format }) };
      if (minimum !== undefined) schema = atLeast(schema, minimum, true);
      if (maximum !== undefined) schema = atMost(schema, maximum, true);
    }
    const inclusive = check['inclusive'] === true;
    if (check.check === 'greater_than') schema = atLeast(schema, Number(check['value']), inclusive);
    if (check.check === 'less_than') schema = atMost(schema, Number(check['value']), inclusive);
    if (check.check === 'multiple_of') {
      const multipleOf = Number(check['value']);
      schema =
        schema.multipleOf === undefined ? { ...schema, multipleOf } : { ...schema, allOf: [...(schema.allOf ?? []), { multipleOf }] };
    }
  }
  return schema;
}

function atLeast(schema: JsonSchemaProps, minimum: number, inclusive: boolean): JsonSchemaProps {
  const { exclusiveMinimum, ...rest } = schema;
  if (schema.minimum !== undefined && (schema.minimum > minimum || (schema.minimum === minimum && (inclusive || exclusiveMinimum))))
    return schema;
  return { ...rest, minimum, ...(inclusive ? {} : { exclusiveMinimum: true }) };
}

function atMost(schema: JsonSchemaProps, maximum: number, inclusive: boolean): JsonSchemaProps {
  const { exclusiveMaximum, ...rest } = schema;
  if (schema.maximum !== undefined && (schema.maximum < maximum || (schema.maximum === maximum && (inclusive || exclusiveMaximum))))
    return schema;
  return { ...rest, maximum, ...(inclusive ? {} : { exclusiveMaximum: true }) };
}
