import type { z } from 'zod';
import type { JsonSchemaProps } from './json-schema-props.ts';
import { re2Pattern } from './re2-pattern.ts';
import { SchemaError } from './schema-error.ts';

type Check = Readonly<Record<string, unknown>> & { readonly check: string };

/** Formats that zod checks with code beside or instead of a pattern. */
const checkedByCode = new Set(['url', 'httpUrl', 'ipv6', 'cidrv6', 'base64', 'base64url', 'jwt', 'json_string']);

/** @param checks the definitions of the checks of a zod string, its own format among them */
export function stringSchema(checks: readonly Check[], path: string): JsonSchemaProps {
  const patterns: string[] = [];
  let minLength: number | undefined;
  let maxLength: number | undefined;
  for (const check of checks) {
    if (check.check === 'min_length' || check.check === 'length_equals')
      minLength = Math.max(minLength ?? 0, numberOf(check, 'minimum', 'length'));
    if (check.check === 'max_length' || check.check === 'length_equals')
      maxLength = Math.min(maxLength ?? Infinity, numberOf(check, 'maximum', 'length'));
    if (check.check === 'string_format') patterns.push(patternOf(check, path));
    if (check.check === 'overwrite') {
      throw new SchemaError(
        path,
        'the API server stores what was sent, untrimmed and unchanged',
        'refuse what you would change, with .regex(), .lowercase() or .uppercase()',
      );
    }
  }
  const [first, ...others] = patterns;
  return {
    type: 'string',
    ...(minLength === undefined ? {} : { minLength }),
    ...(maxLength === undefined ? {} : { maxLength }),
    ...(first === undefined ? {} : { pattern: first }),
    ...(others.length === 0 ? {} : { allOf: others.map((pattern) => ({ pattern })) }),
  };
}

function patternOf(check: Check, path: string): string {
  const { format, pattern, prefix, suffix, includes, position } = check;
  if (typeof prefix === 'string') return `^${literal(prefix)}`;
  if (typeof suffix === 'string') return `${literal(suffix)}$`;
  if (typeof includes === 'string' && position === undefined) return literal(includes);
  if (checkedByCode.has(String(format)) || !(pattern instanceof RegExp)) {
    throw new SchemaError(
      path,
      `zod checks the format ${String(format)} with code, the API server's differs`,
      'state what you need with .regex()',
    );
  }
  return re2Pattern(pattern, path);
}

function literal(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}

function numberOf(check: Check, ...keys: readonly string[]): number {
  return Number(keys.map((key) => check[key]).find((value) => value !== undefined));
}

/** The checks of a schema as data; a format such as `z.uuid()` is a check of itself. */
export function checksOf(schema: z.core.$ZodType): readonly Check[] {
  const { def } = schema._zod;
  const own = 'check' in def && typeof def.check === 'string' ? [{ ...def, check: def.check }] : [];
  return [...own, ...(def.checks ?? []).map((check) => ({ ...check._zod.def }))];
}
