import { historyLength } from '../definition/lifecycle-record.ts';
import type { Lifecycle } from '../definition/lifecycle.ts';
import { hasFields } from './has-fields.ts';
import type { JsonSchemaProps } from './json-schema-props.ts';
import { structuralSchema } from './structural-schema.ts';
import { withoutRules } from './without-rules.ts';

const text: JsonSchemaProps = { type: 'string' };
const instant: JsonSchemaProps = { type: 'string', format: 'date-time' };
const count: JsonSchemaProps = { type: 'integer', format: 'int64', minimum: 0 };

/** More levels than any machine nests: what the API server's estimate of the rules' cost needs. */
const maxLevels = 32;

/** `status.lifecycle` as definition/lifecycle-record.ts stores it. */
export function lifecycleSchema({ chart, vocabulary }: Lifecycle, spec: JsonSchemaProps): JsonSchemaProps {
  return {
    type: 'object',
    description: "The machine's memory. The operator alone writes it; the API server refuses whatever is not a declared transition.",
    required: ['state', 'sequence'],
    properties: {
      machineVersion: text,
      state: { type: 'string', enum: chart.leaves, description: 'The full path of the state: Upgrading.Draining.' },
      sequence: { ...count, description: 'How many transitions there were.' },
      entered: { type: 'object', maxProperties: maxLevels, additionalProperties: instant, description: 'Since when each active state is.' },
      deadline: { type: 'object', required: ['at', 'timeout'], properties: { at: instant, timeout: text } },
      ...(hasFields(vocabulary.memory) ? { memory: structuralSchema(vocabulary.memory, 'status.lifecycle.memory') } : {}),
      ...(chart.accepts ? acceptedAndStable(withoutRules(spec)) : {}),
      lastCommand: {
        type: 'object',
        required: ['token', 'name', 'result', 'at'],
        properties: { token: text, name: text, result: text, at: instant, by: text },
      },
      allowedCommands: { type: 'array', items: text },
      history: {
        type: 'array',
        maxItems: historyLength,
        items: {
          type: 'object',
          required: ['sequence', 'from', 'to', 'event', 'at'],
          properties: { sequence: count, from: text, to: text, event: text, at: instant, cause: text, by: text },
        },
      },
    },
  };
}

function acceptedAndStable(spec: JsonSchemaProps): Readonly<Record<string, JsonSchemaProps>> {
  const { default: _default, ...required } = spec;
  const copy: JsonSchemaProps = { type: 'object', required: ['generation', 'spec'], properties: { generation: count, spec: required } };
  return {
    accepted: { ...copy, description: 'The spec that the phases work towards, and its generation.' },
    stable: { ...copy, description: 'The last accepted spec that reached a steady phase: what a rollback returns to.' },
  };
}
