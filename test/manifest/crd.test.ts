import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { nodePool } from '../../machines/nodepool/definition.ts';
import { lifecycleRecordSchema } from '../../src/definition/lifecycle-record.ts';
import type { Lifecycle } from '../../src/definition/lifecycle.ts';
import { transitionTableText } from '../../src/graph/transition-table-text.ts';
import { crdOf } from '../../src/manifest/crd.ts';
import { crdYaml } from '../../src/manifest/crd-yaml.ts';
import type { JsonSchemaProps } from '../../src/manifest/json-schema-props.ts';
import { rollout } from './rollout.ts';

function schemaOf(lifecycle: Lifecycle): JsonSchemaProps {
  const [version] = crdOf(lifecycle).spec.versions;
  if (version === undefined) throw new Error('no version is served');
  return version.schema.openAPIV3Schema;
}

function at(schema: JsonSchemaProps | undefined, ...path: readonly string[]): JsonSchemaProps | undefined {
  return path.reduce<JsonSchemaProps | undefined>((found, name) => found?.properties?.[name], schema);
}

/** Every key of a schema and of those within it. */
function keysWithin(schema: JsonSchemaProps): readonly string[] {
  const below = [
    ...Object.values(schema.properties ?? {}),
    ...(schema.items ? [schema.items] : []),
    ...(schema.additionalProperties ? [schema.additionalProperties] : []),
  ];
  return [...Object.keys(schema), ...below.flatMap(keysWithin)];
}

describe('the CustomResourceDefinition', () => {
  it('names the kind as kubectl users type it', () => {
    const { metadata, spec } = crdOf(nodePool);
    expect(metadata.name).toBe('nodepools.ack.alibabacloud.com');
    expect(spec).toMatchObject({
      group: 'ack.alibabacloud.com',
      scope: 'Cluster',
      names: { kind: 'NodePool', listKind: 'NodePoolList', plural: 'nodepools', singular: 'nodepool', shortNames: ['np'] },
    });
  });

  it('serves every version with the same schema and rules, and stores one', () => {
    const { versions } = crdOf(nodePool, { versions: ['v1beta1', 'v1', 'v2'] }).spec;
    expect(versions.map(({ name, served, storage }) => ({ name, served, storage }))).toEqual([
      { name: 'v1beta1', served: true, storage: false },
      { name: 'v1', served: true, storage: true },
      { name: 'v2', served: true, storage: false },
    ]);
    expect(new Set(versions.map(({ schema }) => JSON.stringify(schema))).size).toBe(1);
    expect(
      versions.every(({ subresources, selectableFields }) => 'status' in subresources && selectableFields[0]?.jsonPath === '.status.phase'),
    ).toBe(true);
  });

  it('requires the spec and shows a status before anything wrote one', () => {
    const schema = schemaOf(nodePool);
    expect(schema.required).toEqual(['spec']);
    expect(at(schema, 'status')?.default).toEqual({
      phase: 'Pending',
      observedGeneration: 0,
      lifecycle: { state: 'Pending', sequence: 0 },
    });
    expect(at(schema, 'status')?.required).toEqual(['phase', 'lifecycle']);
    expect(at(schema, 'status', 'lifecycle')?.required).toEqual(['state', 'sequence']);
    expect(at(schema, 'status', 'phase')).toEqual({
      type: 'string',
      enum: nodePool.chart.phases,
      description: transitionTableText(nodePool),
    });
  });

  it('never requires the fields that the author reports, for the default has none', () => {
    const status = at(schemaOf(rollout), 'status');
    expect(status?.properties).toMatchObject({ ready: { type: 'integer' }, zones: { type: 'array', default: [] } });
    expect(status?.required).not.toContain('ready');
  });

  it('prunes what it does not name', () => {
    expect(keysWithin(schemaOf(nodePool))).not.toContain('x-kubernetes-preserve-unknown-fields');
  });

  it('has a place for every field of the record', () => {
    const kept = at(schemaOf(nodePool), 'status', 'lifecycle')?.properties ?? {};
    expect(Object.keys(kept).toSorted()).toEqual(Object.keys(lifecycleRecordSchema.shape).toSorted());
    for (const name of ['deadline', 'lastCommand'] as const) {
      const record = lifecycleRecordSchema.shape[name].unwrap();
      expect(Object.keys(kept[name]?.properties ?? {}).toSorted()).toEqual(Object.keys(record.shape).toSorted());
    }
    const entry = lifecycleRecordSchema.shape.history.unwrap().element;
    expect(Object.keys(kept['history']?.items?.properties ?? {}).toSorted()).toEqual(Object.keys(entry.shape).toSorted());
  });

  it('keeps accepted and stable with the shape of the spec, judged once: without its rules', () => {
    const schema = schemaOf(nodePool);
    const kept = at(schema, 'status', 'lifecycle', 'accepted', 'spec');
    expect(Object.keys(kept?.properties ?? {})).toEqual(Object.keys(at(schema, 'spec')?.properties ?? {}));
    expect(at(schema, 'spec')?.['x-kubernetes-validations']).toHaveLength(1);
    expect(kept?.['x-kubernetes-validations']).toBeUndefined();
    expect(at(schema, 'status', 'lifecycle', 'stable', 'spec')).toEqual(kept);
  });

  it('keeps neither, and no rules for them, where no edge accepts', () => {
    const schema = schemaOf({ ...rollout, chart: { ...rollout.chart, accepts: false } });
    expect(Object.keys(at(schema, 'status', 'lifecycle')?.properties ?? {})).not.toContain('accepted');
    expect(schema['x-kubernetes-validations']).toBeUndefined();
  });

  it('says in each rule of a state what is legal from there', () => {
    const rules = at(schemaOf(rollout), 'status')?.['x-kubernetes-validations'] ?? [];
    const messages = rules.flatMap(({ message }) => (message?.startsWith('legal from') ? [message] : []));
    expect(messages).toEqual([
      'legal from Pending: Running, Failed, Deleting',
      'legal from Running: Upgrading.Checking, Deleting',
      'legal from Upgrading.Checking: Upgrading.Replacing, Failed, Deleting',
      'legal from Upgrading.Replacing: Running, Failed, Deleting',
      'legal from Failed: Pending, Failed, Deleting',
      'legal from Deleting: nothing',
      'legal from Stopped: Failed, Deleting',
      'legal from Draining: Upgrading.Checking, Deleting',
    ]);
  });

  it('refuses a status field that the machine keeps itself', () => {
    const vocabulary = { ...rollout.vocabulary, status: z.object({ phase: z.string() }) };
    expect(() => crdOf({ ...rollout, vocabulary })).toThrow('status.phase: the machine keeps this field');
  });

  it("shows Phase, Since, Ready, the author's columns and Age", () => {
    const [version] = crdOf(nodePool).spec.versions;
    expect(version?.additionalPrinterColumns.map(({ name }) => name)).toEqual(['Phase', 'Since', 'Ready', 'Replicas', 'Age']);
  });

  it('is the same as YAML', () => {
    expect(parse(crdYaml(nodePool, { versions: ['v1', 'v2'] }))).toEqual(
      JSON.parse(JSON.stringify(crdOf(nodePool, { versions: ['v1', 'v2'] }))),
    );
    expect(crdYaml(nodePool).split('\n')[0]).toBe(
      `# Generated by phasekeeper from NodePool 1.0.0 (${nodePool.hash}); change the definition, not this file.`,
    );
  });
});
