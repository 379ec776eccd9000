import { phaseOf } from '../definition/chart-walk.ts';
import type { Lifecycle } from '../definition/lifecycle.ts';
import { transitionTableText } from '../graph/transition-table-text.ts';
import { conditionListSchema } from './condition-list-schema.ts';
import type { JsonSchemaProps } from './json-schema-props.ts';
import { legalityRules } from './legality-rules.ts';
import { lifecycleSchema } from './lifecycle-schema.ts';
import { SchemaError } from './schema-error.ts';
import { structuralSchema } from './structural-schema.ts';

const own = ['phase', 'observedGeneration', 'lifecycle', 'conditions'] as const;

/**
 * The schema of `status`: the author's fields, the machine's record, and the rules that guard it.
 *
 * Its default shows an object in its initial phase at sequence 0 before anything was written. The author's fields are never
 * required there: they come with the first report.
 *
 * @param spec the structural schema of the spec
 */
export function statusSchema(lifecycle: Lifecycle, spec: JsonSchemaProps): JsonSchemaProps {
  const { chart } = lifecycle;
  const { properties: author = {}, 'x-kubernetes-validations': rules = [] } = structuralSchema(lifecycle.vocabulary.status, 'status');
  const taken = own.find((name) => name in author);
  if (taken !== undefined) throw new SchemaError(`status.${taken}`, 'the machine keeps this field', 'give your field another name');
  return {
    type: 'object',
    required: ['phase', 'lifecycle'],
    default: { phase: phaseOf(chart.initial), observedGeneration: 0, lifecycle: { state: chart.initial, sequence: 0 } },
    properties: {
      phase: { type: 'string', enum: chart.phases, description: transitionTableText(lifecycle) },
      observedGeneration: {
        type: 'integer',
        format: 'int64',
        minimum: 0,
        description: 'The generation of the spec that the operator last decided on.',
      },
      ...author,
      lifecycle: lifecycleSchema(lifecycle, spec),
      conditions: conditionListSchema,
    },
    'x-kubernetes-validations': [...legalityRules(lifecycle), ...rules],
  };
}
