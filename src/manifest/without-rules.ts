import type { JsonSchemaProps } from './json-schema-props.ts';

/**
 * A schema without its CEL rules and descriptions: for a copy of the spec in the status. The copy was judged when it was the spec;
 * judged again, it would be refused once the rules change, and a rule that compares with the old value would forbid accepting.
 */
export function withoutRules(schema: JsonSchemaProps): JsonSchemaProps {
  const { description: _description, title: _title, 'x-kubernetes-validations': _rules, ...kept } = schema;
  return {
    ...kept,
    ...(kept.items === undefined ? {} : { items: withoutRules(kept.items) }),
    ...(kept.additionalProperties === undefined ? {} : { additionalProperties: withoutRules(kept.additionalProperties) }),
    ...(kept.properties === undefined
      ? {}
      : { properties: Object.fromEntries(Object.entries(kept.properties).map(([name, property]) => [name, withoutRules(property)])) }),
  };
}
