import { ConfigMap, defineKindOf, type DesiredObject, type KubernetesObject } from 'phasekeeper';
import { expect, it } from 'vitest';
import { names } from '../../src/definition/reserved-names.ts';
import { eventually } from '../control-plane/eventually.ts';
import { describeControlPlane } from '../control-plane/suite.ts';
import { defineParcel, type ParcelContent } from './lifecycles/parcel.ts';
import { World } from './world.ts';

const Service = defineKindOf<KubernetesObject>({ apiVersion: 'v1', kind: 'Service', scope: 'Namespaced' });
const Secret = defineKindOf<KubernetesObject>({ apiVersion: 'v1', kind: 'Secret', scope: 'Namespaced' });
const ResourceQuota = defineKindOf<KubernetesObject>({ apiVersion: 'v1', kind: 'ResourceQuota', scope: 'Namespaced' });

const configMap = (name: string, data: Readonly<Record<string, string>>): DesiredObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data,
});
const service = (spec: object): DesiredObject => ({ apiVersion: 'v1', kind: 'Service', metadata: { name: 'web' }, spec });

describeControlPlane('writing dependents', {}, (context) => {
  async function pack(objects: readonly DesiredObject[]) {
    const content: ParcelContent = { objects };
    const world = await World.open(context.controlPlane, defineParcel(content));
    const operator = await world.operator();
    await world.create('box', {});
    return { world, operator, content };
  }
  /** Makes the operator look again; resolves when it has settled after that. */
  async function look(world: World, label: string): Promise<void> {
    await world.spec('box', { label });
    await world.settles('box', 'Packed');
  }
  const writesTo = (world: World, resource: string) => world.writes().filter((request) => request.resource === resource);
  const touch = (world: World, name: string, data: Readonly<Record<string, string | null>>) => world.patch(ConfigMap, name, { data });

  it('B48 leaves server defaults and foreign fields alone, and puts its own edited field back once', async () => {
    const { world } = await pack([service({ ports: [{ port: 80 }], selector: { app: 'web' } }), configMap('papers', { ours: 'one' })]);
    await world.settles('box', 'Packed');
    const stored = await world.get(Service, 'web');
    expect(stored['spec']).toMatchObject({ type: 'ClusterIP', ports: [{ port: 80, protocol: 'TCP', targetPort: 80 }] });
    await world.patch(Service, 'web', {
      metadata: { labels: { team: 'blue' } },
      spec: { externalTrafficPolicy: null, sessionAffinity: 'ClientIP' },
    });
    await touch(world, 'papers', { theirs: 'two' });
    await look(world, 'first');
    expect(writesTo(world, 'services')).toHaveLength(1);
    expect(writesTo(world, 'configmaps')).toHaveLength(1);
    await touch(world, 'papers', { ours: 'edited' });
    await eventually(async () => (await world.get(ConfigMap, 'papers')).data?.['ours'] === 'one', { what: 'our field to be put back' });
    await look(world, 'second');
    expect(writesTo(world, 'configmaps')).toHaveLength(2);
    expect((await world.get(ConfigMap, 'papers')).data).toEqual({ ours: 'one', theirs: 'two' });
    expect(await world.get(Service, 'web')).toMatchObject({
      metadata: { labels: { team: 'blue' } },
      spec: { sessionAffinity: 'ClientIP' },
    });
  });

  it('B48 puts its label back when somebody writes another value into it', async () => {
    const { world } = await pack([configMap('papers', { ours: 'one' })]);
    await world.settles('box', 'Packed');
    const { metadata } = await world.get(ConfigMap, 'papers');
    const label = metadata.labels?.[names.ownerLabel];
    for (const value of ['somebody', null]) {
      await world.patch(ConfigMap, 'papers', { metadata: { labels: { [names.ownerLabel]: value } } });
      await eventually(async () => (await world.get(ConfigMap, 'papers')).metadata.labels?.[names.ownerLabel] === label, {
        what: `the label to be ours again after ${value}`,
      });
    }
    expect((await world.get(ConfigMap, 'papers')).metadata.uid).toBe(metadata.uid);
  });

  it('B48 stops and says so when a rival insists on a field of ours', async () => {
    const { world } = await pack([configMap('papers', { ours: 'one' })]);
    await world.settles('box', 'Packed');
    const isContested = async () => {
      const { status } = await world.stored('box');
      return status.conditions?.some(({ reason, status: holds }) => reason === 'FieldContested' && holds === 'True') ?? false;
    };
    let edits = 0;
    await eventually(
      async () => {
        if (await isContested()) return true;
        if ((await world.get(ConfigMap, 'papers')).data?.['ours'] === 'one') await touch(world, 'papers', { ours: `rival ${++edits}` });
        return false;
      },
      { what: 'the fight to be reported' },
    );
    const stalled = await world.shows('box', 'Stalled', 'FieldContested');
    expect(stalled.message).toContain('data.ours');
    expect(edits).toBeLessThan(8);
    const writes = writesTo(world, 'configmaps').length;
    await touch(world, 'papers', { ours: 'the last word' });
    await world.spec('box', { label: 'look' });
    await world.until('box', 'to be looked at', ({ status, metadata }) => status.observedGeneration === metadata.generation);
    expect(writesTo(world, 'configmaps')).toHaveLength(writes);
    expect((await world.get(ConfigMap, 'papers')).data).toEqual({ ours: 'the last word' });
    // Peace: the rival gives the field up.
    await touch(world, 'papers', { ours: 'one' });
    await world.shows('box', 'Ready', 'Packed');
  });

  it.each([
    {
      what: 'a quantity',
      resource: 'resourcequotas',
      path: 'spec.hard.cpu',
      object: { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'limit' }, spec: { hard: { cpu: '0.5' } } },
    },
    { what: 'an empty list', resource: 'services', path: 'spec.externalIPs', object: service({ ports: [{ port: 80 }], externalIPs: [] }) },
    {
      what: 'stringData',
      resource: 'secrets',
      path: 'stringData',
      object: { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'key' }, stringData: { password: 'x' } },
    },
  ])('B49 applies $what once, says which field is stored differently, and is silent then', async ({ resource, path, object }) => {
    const { world } = await pack([object]);
    await world.settles('box', 'Packed');
    const notCanonical = async () => (await world.events('box')).filter(({ reason }) => reason === 'NotCanonical');
    await eventually(async () => (await notCanonical()).length > 0, { what: 'the event' });
    expect((await notCanonical())[0]?.message).toContain(path);
    const quiet = writesTo(world, resource).length;
    expect(quiet).toBe(1);
    for (const label of ['first', 'second', 'third']) await look(world, label);
    expect(writesTo(world, resource)).toHaveLength(1);
    expect(await notCanonical()).toHaveLength(1);
    expect(await kindsOf(world, resource)).toBe(1);
  });

  it('B49 says nothing about what the server stores as it is desired', async () => {
    const { world, operator } = await pack([
      { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'limit' }, spec: { hard: { cpu: '500m' } } },
      { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'key' }, data: { password: 'eA==' } },
    ]);
    await world.settles('box', 'Packed');
    await look(world, 'first');
    await operator.stop();
    expect((await world.events('box')).filter(({ reason }) => reason === 'NotCanonical')).toEqual([]);
  });

  it('B50 brings back a dependent that was deleted by hand', async () => {
    const { world } = await pack([configMap('papers', { ours: 'one' })]);
    await world.settles('box', 'Packed');
    const { metadata } = await world.get(ConfigMap, 'papers');
    await world.remove(ConfigMap, 'papers');
    const again = await eventually(() => world.find(ConfigMap, 'papers'), { what: 'the dependent to come back' });
    expect(again.metadata.uid).not.toBe(metadata.uid);
    expect(again.data).toEqual({ ours: 'one' });
    await world.settles('box', 'Packed');
  });

  it.each(['with other fields', 'with the same fields'])('B50 does not overwrite what has the name, %s', async (how) => {
    const content: ParcelContent = { objects: [configMap('papers', { ours: 'one' })] };
    const world = await World.open(context.controlPlane, defineParcel(content));
    const data = how === 'with the same fields' ? { ours: 'one' } : { theirs: 'two' };
    await world.make(ConfigMap, { metadata: { name: 'papers' }, data });
    await world.operator();
    await world.create('box', {});
    const stalled = await world.shows('box', 'Stalled', 'NameTaken');
    expect(stalled.message).toContain('papers');
    const stored = await world.get(ConfigMap, 'papers');
    expect(stored.data).toEqual(data);
    expect(stored.metadata.labels?.[names.ownerLabel]).toBeUndefined();
    expect(stored.metadata.ownerReferences).toBeUndefined();
    expect(stored.metadata.managedFields?.some(({ manager }) => manager === 'phasekeeper/parcel')).toBe(false);
    // From now on it is looked at, not written.
    const writes = writesTo(world, 'configmaps').length;
    await world.spec('box', { label: 'look' });
    await world.until('box', 'to be looked at', ({ status, metadata }) => status.observedGeneration === metadata.generation);
    expect(writesTo(world, 'configmaps')).toHaveLength(writes);
    await world.remove(ConfigMap, 'papers');
    await world.shows('box', 'Ready', 'Packed');
    expect((await world.get(ConfigMap, 'papers')).data).toEqual({ ours: 'one' });
  });

  it('B50 does not overwrite what has the name after a restart', async () => {
    const { world, operator, content } = await pack([configMap('papers', { ours: 'one' })]);
    await world.settles('box', 'Packed');
    await operator.stop();
    await world.make(ConfigMap, { metadata: { name: 'letters' }, data: { theirs: 'two' } });
    content.objects = [...content.objects, configMap('letters', { ours: 'two' })];
    const { metadata } = await world.get(ConfigMap, 'letters');
    await world.operator();
    await world.shows('box', 'Stalled', 'NameTaken');
    expect((await world.get(ConfigMap, 'letters')).metadata.resourceVersion).toBe(metadata.resourceVersion);
  });

  it('B50 knows its own dependent again when someone took the label off', async () => {
    const { world, operator } = await pack([configMap('papers', { ours: 'one' })]);
    await world.settles('box', 'Packed');
    const { metadata } = await world.get(ConfigMap, 'papers');
    const strip = () =>
      world.patch(ConfigMap, 'papers', { metadata: { labels: { [names.ownerLabel]: null }, annotations: { 'someone.else/was': 'here' } } });
    const isBack = async () => {
      const { metadata: now, data } = await world.get(ConfigMap, 'papers');
      return now.uid === metadata.uid && now.labels?.[names.ownerLabel] !== undefined && data?.['ours'] === 'one';
    };
    await strip();
    await eventually(isBack, { what: 'the label to be put back' });
    await world.settles('box', 'Packed');
    await operator.stop();
    await strip();
    await world.operator();
    await eventually(isBack, { what: 'the label to be put back after a restart' });
    await world.shows('box', 'Ready', 'Packed');
  });

  it('B50 never brings back with an apply what was deleted meanwhile', async () => {
    const { world, content } = await pack([configMap('papers', { ours: 'one' })]);
    await world.settles('box', 'Packed');
    const { metadata } = await world.get(ConfigMap, 'papers');
    const hold = world.proxy.holdWrite(1, 'beforeSent', { counts: ({ resource }) => resource === 'configmaps' });
    content.objects = [configMap('papers', { ours: 'two' })];
    await world.spec('box', { label: 'look' });
    const held = await hold.reached;
    expect(held.body).toMatchObject({ metadata: { uid: metadata.uid } });
    content.objects = [];
    await world.remove(ConfigMap, 'papers');
    hold.release('forward');
    await world.settles('box', 'Packed');
    expect(await world.find(ConfigMap, 'papers')).toBeUndefined();
  });

  it('B51 removes a field that is no longer desired, also one from before an upgrade of the operator', async () => {
    const { world, operator, content } = await pack([configMap('papers', { kept: 'one', dropped: 'two', old: 'three' })]);
    await world.settles('box', 'Packed');
    await touch(world, 'papers', { theirs: 'four' });
    content.objects = [configMap('papers', { kept: 'one', old: 'three' })];
    await look(world, 'first');
    expect((await world.get(ConfigMap, 'papers')).data).toEqual({ kept: 'one', old: 'three', theirs: 'four' });
    await operator.stop();
    await world.operator(defineParcel({ objects: [configMap('papers', { kept: 'one' })] }));
    await eventually(async () => (await world.get(ConfigMap, 'papers')).data?.['old'] === undefined, {
      what: 'the old field to be removed',
    });
    expect((await world.get(ConfigMap, 'papers')).data).toEqual({ kept: 'one', theirs: 'four' });
    const writes = writesTo(world, 'configmaps').length;
    await look(world, 'second');
    expect(writesTo(world, 'configmaps')).toHaveLength(writes);
  });

  async function kindsOf(world: World, resource: string): Promise<number> {
    const kinds: Readonly<Record<string, typeof Service>> = { services: Service, secrets: Secret, resourcequotas: ResourceQuota };
    const kind = kinds[resource];
    return kind === undefined ? 0 : (await world.list(kind, `?labelSelector=${encodeURIComponent(names.ownerLabel)}`)).length;
  }
});
