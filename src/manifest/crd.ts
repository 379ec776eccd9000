import type { Lifecycle } from '../definition/lifecycle.ts';
import { acceptanceRules } from './acceptance-rules.ts';
import type { CrdVersion, CustomResourceDefinition } from './custom-resource-definition.ts';
import type { JsonSchemaProps } from './json-schema-props.ts';
import { printerColumns } from './printer-columns.ts';
import { statusSchema } from './status-schema.ts';
import { structuralSchema } from './structural-schema.ts';

export interface CrdOptions {
  /** Versions to serve; the storage version must be among them. Default: the lifecycle's. */
  readonly versions?: readonly string[];
}

/**
 * The CustomResourceDefinition of a lifecycle. Every served version has the same schema and all the rules: a version without them
 * would be the way around them.
 *
 * @throws SchemaError when a zod schema says what a CustomResourceDefinition cannot
 */
export function crdOf(lifecycle: Lifecycle, { versions = lifecycle.vocabulary.versions }: CrdOptions = {}): CustomResourceDefinition {
  const { group, kind, plural, scope, shortNames, version: storage } = lifecycle.vocabulary;
  const openAPIV3Schema = objectSchema(lifecycle);
  const additionalPrinterColumns = printerColumns(lifecycle);
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope,
      names: {
        kind,
        listKind: `${kind}List`,
        plural,
        singular: kind.toLowerCase(),
        ...(shortNames.length === 0 ? {} : { shortNames }),
      },
      versions: versions.map(
        (name): CrdVersion => ({
          name,
          served: true,
          storage: name === storage,
          subresources: { status: {} },
          selectableFields: [{ jsonPath: '.status.phase' }],
          additionalPrinterColumns,
          schema: { openAPIV3Schema },
        }),
      ),
    },
  };
}

function objectSchema(lifecycle: Lifecycle): JsonSchemaProps {
  const spec = structuralSchema(lifecycle.vocabulary.spec, 'spec');
  const rules = acceptanceRules(lifecycle);
  return {
    type: 'object',
    required: ['spec'],
    properties: {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: { type: 'object' },
      spec,
      status: statusSchema(lifecycle, spec),
    },
    ...(rules.length === 0 ? {} : { 'x-kubernetes-validations': rules }),
  };
}
