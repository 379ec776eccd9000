import { beforeAll, expect, it } from 'vitest';
import { nodePool } from '../../machines/nodepool/definition.ts';
import { transitionTableText } from '../../src/graph/transition-table-text.ts';
import { crdYaml } from '../../src/manifest/crd-yaml.ts';
import { rbacOf } from '../../src/manifest/rbac.ts';
import { ApiClient } from '../control-plane/api-client.ts';
import { eventually } from '../control-plane/eventually.ts';
import { describeControlPlane } from '../control-plane/suite.ts';
import { rollout, rolloutSpec } from './rollout.ts';
import { messageOf, move, ServedKind } from './served-kind.ts';

type Json = Readonly<Record<string, unknown>>;

const spec = { minSize: 2, maxSize: 10, systemDiskCategory: 'cloud_essd' };

function manifest(name: string, given: Json): string {
  return JSON.stringify({ apiVersion: 'ack.alibabacloud.com/v1', kind: 'NodePool', metadata: { name }, spec: given });
}

describeControlPlane('a generated CRD', { audit: false }, (context) => {
  let pools: ServedKind;

  beforeAll(async () => {
    const plane = context.controlPlane;
    const applied = await plane.kubectl(['apply', '-f', '-'], { input: crdYaml(nodePool) });
    expect(applied).toMatchObject({ code: 0, stderr: '' });
    pools = await ServedKind.install(plane, nodePool);
  }, 60_000);

  it('is taken without a warning, established, and structural', async () => {
    const plane = context.controlPlane;
    const strict = await plane.kubectl(['create', '--dry-run=server', '--validate=strict', '-f', '-'], { input: crdYaml(rollout) });
    expect(strict).toMatchObject({ code: 0, stderr: '' });
    const text = await plane.mustKubectl(['get', 'crd', 'nodepools.ack.alibabacloud.com', '-o', 'json']);
    const { status } = JSON.parse(text) as {
      readonly status: { readonly conditions: readonly { readonly type: string; readonly status: string }[] };
    };
    const conditions = status.conditions.map(({ type, status: holds }) => `${type} ${holds}`).toSorted();
    expect(conditions).toEqual(['Established True', 'NamesAccepted True']);
  });

  it('shows an object in its initial phase before anything wrote its status', async () => {
    const plane = context.controlPlane;
    await plane.mustKubectl(['apply', '-f', '-'], { input: manifest('fresh', spec) });
    expect(await pools.get('fresh')).toMatchObject({
      status: { phase: 'Pending', observedGeneration: 0, actualReplicas: 0, lifecycle: { state: 'Pending', sequence: 0 } },
    });
    const columns = (await plane.mustKubectl(['get', 'np', 'fresh'])).split('\n').map((line) => line.split(/ {2,}/));
    expect(columns[0]).toEqual(['NAME', 'PHASE', 'SINCE', 'READY', 'REPLICAS', 'AGE']);
    expect(columns[1]?.slice(0, 2)).toEqual(['fresh', 'Pending']);
  });

  it('drops a status that is sent with a new object', async () => {
    const body = JSON.stringify({ ...(JSON.parse(manifest('forged', spec)) as Json), status: move('Running', 7) });
    await context.controlPlane.mustKubectl(['create', '-f', '-'], { input: body });
    expect(await pools.get('forged')).toMatchObject({ status: { phase: 'Pending', lifecycle: { sequence: 0 } } });
  });

  it('shows in its columns since when the phase is and whether the object is Ready', async () => {
    const plane = context.controlPlane;
    await pools.mustCreate('columns', spec);
    const at = '2026-01-01T00:00:00.000Z';
    const status = move('ScalingUp', 1);
    const entry = { sequence: 1, from: 'Pending', to: 'ScalingUp', event: 'fact sizeKnown', at };
    const condition = { type: 'Ready', status: 'False', reason: 'ScalingUp', message: '', lastTransitionTime: '2026-01-01T00:00:00Z' };
    await pools.mustStore('columns', {
      ...status,
      actualReplicas: 1,
      conditions: [condition],
      lifecycle: { ...status.lifecycle, history: [{ ...entry, at: '2020-01-01T00:00:00Z' }, entry] },
    });
    const [, row] = (await plane.mustKubectl(['get', 'np', 'columns'])).split('\n');
    const [name, phase, since, ready, replicas] = row?.split(/ {2,}/) ?? [];
    expect([name, phase, ready, replicas]).toEqual(['columns', 'ScalingUp', 'False', '1']);
    // The last entry of the history, not the first: days of this year, not years.
    expect(since).toMatch(/^\d+d$/);
  });

  it('lets kubectl find objects by phase', async () => {
    const plane = context.controlPlane;
    await pools.mustCreate('found', spec);
    await pools.walk('found', ['ScalingUp', 'Failed']);
    expect(await plane.mustKubectl(['get', 'np', '--field-selector', 'status.phase=Failed', '-o', 'name'])).toBe(
      'nodepool.ack.alibabacloud.com/found\n',
    );
  });

  it('prints the transition table to whoever asks kubectl to explain the phase', async () => {
    const explained = await context.controlPlane.mustKubectl(['explain', 'nodepool.status.phase']);
    const lines = transitionTableText(nodePool).split('\n');
    // kubectl wraps long lines at 76 characters.
    for (const line of lines) expect(explained.replaceAll(/\s+/g, ' ')).toContain(line);
    for (const line of lines.filter(({ length }) => length <= 76)) expect(explained).toContain(`\n    ${line}\n`);
  });

  it.each<[string, Json, string]>([
    ['minSize above maxSize', { ...spec, minSize: 11 }, 'minSize must not exceed maxSize'],
    ['an unknown disk category', { ...spec, systemDiskCategory: 'floppy' }, 'supported values: "cloud_essd"'],
    ['a negative size', { ...spec, minSize: -1 }, 'should be greater than or equal to 0'],
    ['a size that is missing', { ...spec, minSize: undefined }, 'spec.minSize: Required value'],
    ['a size in words', { ...spec, minSize: 'two' }, 'must be of type integer'],
    ['a size beyond what JavaScript counts exactly', { ...spec, maxSize: 1e16 }, 'should be less than or equal to 9007199254740991'],
  ])('refuses %s with words that say why', async (_name, given, message) => {
    const result = await context.controlPlane.kubectl(['apply', '-f', '-'], { input: manifest('refused', given) });
    expect(result.code).toBe(1);
    expect(result.stderr).toContain(message);
  });

  it('prunes fields that the schema does not name', async () => {
    await pools.mustCreate('pruned', { ...spec, colour: 'red' });
    expect(await pools.get('pruned')).toMatchObject({ spec });
    expect(Object.keys((await pools.get('pruned'))['spec'] as Json)).not.toContain('colour');
  });

  it('takes and refuses the same specs as zod does', async () => {
    const rollouts = await ServedKind.install(context.controlPlane, rollout);
    const whole = { image: 'registry:5000/a-b_c' };
    const candidates: readonly Json[] = [
      {},
      { image: '' },
      { image: 'a b' },
      { image: 'x'.repeat(201) },
      ...[0, 100, 101, -1, 1.5, '1'].map((replicas) => ({ ...whole, replicas })),
      ...[0, 1, 0.5, -0.5].map((weight) => ({ ...whole, weight })),
      ...[5, 7, 2_147_483_645, 2_147_483_650].map((step) => ({ ...whole, step })),
      ...['Rolling', 'rolling', ''].map((strategy) => ({ ...whole, strategy })),
      ...[1, 3, 4, '1'].map((level) => ({ ...whole, level })),
      ...[{}, { a: 'b' }, { a: 1 }].map((labels) => ({ ...whole, labels })),
      ...[[], [{ name: 'a', size: 1 }], [{ name: 'a' }], Array.from({ length: 9 }, (_, index) => ({ name: `${index}`, size: 1 }))].map(
        (volumes) => ({ ...whole, volumes }),
      ),
      ...['x', null, 1].map((note) => ({ ...whole, note })),
      ...['123e4567-e89b-12d3-a456-426614174000', '123e4567-e89b-02d3-a456-426614174000', 'x'].map((id) => ({ ...whole, id })),
      ...['a@example.com', 'a@b', '.a@example.com', 'a..b@example.com'].map((owner) => ({ ...whole, owner })),
      ...['2024-02-29T10:00:00Z', '2023-02-29T10:00:00Z', '2024-02-29T10:00:00+01:00', '2024-02-29'].map((since) => ({ ...whole, since })),
      ...['a .z', 'a\u3000.z', 'a\u00a0.z', 'a.\u2028z', 'a.z', 'b .z', 'a z', 'a .y'].map((spaced) => ({ ...whole, spaced })),
      ...[80, 'http', true, 1.5].map((port) => ({ ...whole, port })),
      ...[{}, { kind: 'x', more: [1] }, { kind: 1 }].map((raw) => ({ ...whole, raw })),
      ...[{ from: 1, to: 2 }, { from: 2, to: 1 }, { from: 1 }].map((window) => ({ ...whole, window })),
    ];
    const answers = await Promise.all(
      candidates.map(async (candidate, index) => await rollouts.create(`candidate-${index}`, candidate, { isStored: false })),
    );
    const differences = answers.flatMap((answer, index) => {
      const { success } = rolloutSpec.safeParse(candidates[index]);
      return (answer.status === 201) === success
        ? []
        : [`${JSON.stringify(candidates[index])}: zod ${success ? 'takes' : 'refuses'} it, the server says ${messageOf(answer)}`];
    });
    expect(differences).toEqual([]);
  });

  it('fills in the defaults that zod would', async () => {
    const rollouts = await ServedKind.install(context.controlPlane, rollout);
    const given = { image: 'a', volumes: [{ name: 'data', size: 1 }] };
    await rollouts.mustCreate('defaults', given);
    expect((await rollouts.get('defaults'))['spec']).toEqual(rolloutSpec.parse(given));
  });

  it('comes with rights that are enough to write a status and too few to change a spec', async () => {
    const plane = context.controlPlane;
    const rollouts = await ServedKind.install(plane, rollout);
    await rollouts.mustCreate('ruled', { image: 'a' });
    await plane.grant('operator', rbacOf(rollout).rules);
    const operator = new ApiClient(plane, plane.tokenOf('operator'));
    const patch = async (subresource: string, body: Json) => {
      const path = `/apis/test.example.com/v1/namespaces/default/rollouts/ruled${subresource}`;
      return await operator.call({ method: 'PATCH', path, contentType: 'application/merge-patch+json', body });
    };
    const mayWriteStatus = async () => (await patch('/status', { status: move('Running', 1) })).status === 200;
    await eventually(mayWriteStatus, { what: 'the rights to hold' });
    expect((await patch('', { spec: { image: 'b' } })).status).toBe(403);
    operator.close();
  });
});
