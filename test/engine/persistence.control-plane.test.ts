import { ConfigMap } from 'phasekeeper';
import { expect, it } from 'vitest';
import { names } from '../../src/definition/reserved-names.ts';
import { eventually } from '../control-plane/eventually.ts';
import { describeControlPlane } from '../control-plane/suite.ts';
import type { ProxiedRequest } from '../control-plane/proxied-request.ts';
import { brokenAnnotation, defineGadget, type GadgetHooks } from './lifecycles/gadget.ts';
import { wayOf, World } from './world.ts';

const onlyWatches = { when: ({ verb }: { readonly verb: string }) => verb === 'watch' };

describeControlPlane('what an object went through survives', {}, (context) => {
  const open = (hooks: GadgetHooks = {}) => World.open(context.controlPlane, defineGadget(hooks));

  it('B02 takes no step twice when its own writes come back late from the watch', async () => {
    const hooks: GadgetHooks = {};
    const world = await open(hooks);
    await world.operator();
    await world.create('late', { size: 1 });
    await world.settles('late', 'Running');
    const frozen = await world.proxy.freezeView({ when: (request) => request.verb === 'watch' && world.isPrimary(request) });
    await world.annotate(ConfigMap, 'late-0', { [brokenAnnotation]: 'yes' });
    await world.reaches('late', 'Repairing');
    await world.annotate(ConfigMap, 'late-0', { [brokenAnnotation]: null });
    await world.reaches('late', 'Running');
    const writes = world.writes().length;
    let asserted = 0;
    hooks.onEnsure = () => void asserted++;
    frozen.remove();
    await world.annotate(ConfigMap, 'late-0', { poke: 'one' });
    await eventually(() => asserted > 0, { what: 'a reconcile after the thaw' });
    expect(world.writes().slice(writes)).toEqual([]);
    expect(wayOf(await world.stored('late'))).toBe('Pending > Building > Running > Repairing > Running');
    expect(refusedWrites(context, world)).toEqual([]);
  });

  it('B02 takes no step twice when a list from before its own writes is read', async () => {
    const hooks: GadgetHooks = {};
    const world = await open(hooks);
    await world.operator();
    await world.create('old', { size: 1 });
    await world.settles('old', 'Running');
    const frozen = await world.proxy.freezeView({ reads: 'old', when: (request) => world.isPrimary(request) && !request.isWrite });
    await world.annotate(ConfigMap, 'old-0', { [brokenAnnotation]: 'yes' });
    await world.reaches('old', 'Repairing');
    // The relist that follows finds the object as it was in Running.
    world.proxy.errorEvent({ times: 1, when: (request) => request.verb === 'watch' && world.isPrimary(request) });
    const before = world.proxy.requests().length;
    await eventually(
      () => world.proxy.requests((request) => request.number > before && world.isPrimary(request) && request.verb === 'watch').length > 0,
      {
        what: 'the relist',
      },
    );
    await world.annotate(ConfigMap, 'old-0', { [brokenAnnotation]: null });
    const stored = await world.reaches('old', 'Running');
    frozen.remove();
    expect(wayOf(stored)).toBe('Pending > Building > Running > Repairing > Running');
    expect(refusedWrites(context, world)).toEqual([]);
  });

  it('B03 starts over with an object that took the name of another inside a watch gap, and does nothing to it for the old one', async () => {
    const world = await open();
    const { kind } = world.lifecycle;
    await world.operator();
    await world.create('twin', { size: 1, color: 'red' });
    const first = await world.settles('twin', 'Running');
    const part = await world.get(ConfigMap, 'twin-0');
    const gap = world.proxy.answer(503, {
      when: (request) => world.isPrimary(request) && (request.verb === 'watch' || request.verb === 'list'),
    });
    world.proxy.errorEvent({ times: 1, when: (request) => request.verb === 'watch' && world.isPrimary(request) });
    await eventually(() => gap.hits > 0, { what: 'the gap' });
    await world.erase(kind, 'twin');
    const second = await world.create('twin', { size: 2, color: 'blue' });
    // Wakes the key while the cache still holds the old object: it would go to Repairing.
    await world.annotate(ConfigMap, 'twin-0', { [brokenAnnotation]: 'yes' });
    await world.shows('twin', 'Reconciling', 'WaitingForOldDependents');
    gap.remove();
    expect((await world.get(ConfigMap, 'twin-0')).metadata.uid).toBe(part.metadata.uid);
    expect((await world.stored('twin')).status.lifecycle).toMatchObject({ state: 'Pending', sequence: 0 });
    await world.remove(ConfigMap, 'twin-0');
    const settled = await world.settles('twin', 'Running');
    expect(settled.metadata.uid).toBe(second.metadata.uid);
    expect(settled.metadata.uid).not.toBe(first.metadata.uid);
    expect(wayOf(settled)).toBe('Pending > Building > Running');
    expect(settled.status.lifecycle.accepted?.spec).toEqual({ size: 2, color: 'blue' });
  });

  it('B04 deletes nothing for a spec that was taken back before the delete', async () => {
    const world = await open();
    await world.operator();
    await world.create('dip', { size: 2 });
    await world.settles('dip', 'Running');
    const part = await world.get(ConfigMap, 'dip-1');
    // The live read before the delete waits until the spec is what it was.
    const held = await world.proxy.freezeView({ reads: 'held', when: (request) => world.isPrimary(request) && request.verb === 'get' });
    await world.spec('dip', { size: 1 });
    await eventually(() => held.hits > 0, { what: 'the live read' });
    await world.spec('dip', { size: 2 });
    held.remove();
    const stored = await world.until(
      'dip',
      'to be back',
      ({ status, metadata }) => status.phase === 'Running' && status.lifecycle.accepted?.generation === metadata.generation,
    );
    expect(stored.status.lifecycle.accepted?.spec).toMatchObject({ size: 2 });
    expect((await world.get(ConfigMap, 'dip-1')).metadata.uid).toBe(part.metadata.uid);
    expect(world.proxy.requests(({ verb }) => verb === 'delete')).toEqual([]);
  });

  it('B04 deletes nothing for specs that are seen late, one after the other', async () => {
    const world = await open();
    await world.operator();
    await world.create('slow', { size: 2 });
    await world.settles('slow', 'Running');
    const part = await world.get(ConfigMap, 'slow-1');
    const frozen = await world.proxy.freezeView({ when: (request) => request.verb === 'watch' && world.isPrimary(request) });
    await world.spec('slow', { size: 1 });
    await world.spec('slow', { size: 2 });
    const late = world.proxy.delay(200, { when: (request) => request.verb === 'watch' && world.isPrimary(request) });
    frozen.remove();
    await world.until(
      'slow',
      'to settle',
      ({ status, metadata }) => status.phase === 'Running' && status.lifecycle.accepted?.generation === metadata.generation,
    );
    late.remove();
    expect((await world.get(ConfigMap, 'slow-1')).metadata.uid).toBe(part.metadata.uid);
    expect(world.proxy.requests(({ verb }) => verb === 'delete')).toEqual([]);
  });

  it('B05 ends the same when an intermediate state was never seen', async () => {
    const world = await open();
    await world.operator();
    await world.create('blink', { size: 1 });
    await world.settles('blink', 'Running');
    const part = await world.get(ConfigMap, 'blink-0');
    const gap = world.proxy.answer(503, { when: ({ verb }) => verb === 'watch' || verb === 'list' });
    world.proxy.errorEvent({ times: 2, ...onlyWatches });
    await eventually(() => gap.hits > 1, { what: 'the gap' });
    // 1, 3, 1, and a part that is terminating, then gone.
    await world.spec('blink', { size: 3 });
    await world.spec('blink', { size: 1 });
    await world.patch(ConfigMap, 'blink-0', { metadata: { finalizers: ['gadget.test/slow'] } });
    await world.remove(ConfigMap, 'blink-0');
    await world.patch(ConfigMap, 'blink-0', { metadata: { finalizers: null } });
    await world.gone(ConfigMap, 'blink-0');
    gap.remove();
    const stored = await world.until('blink', 'to settle', ({ status, metadata }) => {
      expect(status.lifecycle.accepted?.generation).toBe(metadata.generation);
      expect(status).toMatchObject({ phase: 'Running', parts: 1 });
    });
    expect(stored.status.lifecycle.accepted?.spec).toMatchObject({ size: 1 });
    await eventually(async () => (await partNames(world)).length === 1, { what: 'the part to be back' });
    expect((await world.get(ConfigMap, 'blink-0')).metadata.uid).not.toBe(part.metadata.uid);
    await world.settles('blink', 'Running');
  });

  it('B05 makes a dependent again whose deletion nobody saw, with nothing else to wake its owner', async () => {
    const world = await open();
    await world.operator();
    await world.create('unseen', { size: 1 });
    await world.settles('unseen', 'Running');
    const part = await world.get(ConfigMap, 'unseen-0');
    const parts = ({ resource }: { readonly resource: string | undefined }) => resource === 'configmaps';
    const gap = world.proxy.answer(503, { when: (request) => parts(request) && (request.verb === 'watch' || request.verb === 'list') });
    world.proxy.errorEvent({ times: 1, when: (request) => parts(request) && request.verb === 'watch' });
    await eventually(() => gap.hits > 0, { what: 'the gap' });
    await world.remove(ConfigMap, 'unseen-0');
    await world.gone(ConfigMap, 'unseen-0');
    gap.remove();
    await eventually(async () => (await partNames(world)).length === 1, { what: 'the part to be back' });
    expect((await world.get(ConfigMap, 'unseen-0')).metadata.uid).not.toBe(part.metadata.uid);
  });

  it('B06 reaches the steady phase by legal edges at once when everything is ready, without an event of a dependent', async () => {
    const world = await open();
    await world.operator();
    await world.proxy.freezeView({ when: (request) => request.verb === 'watch' && request.resource === 'configmaps' });
    await world.create('eager', { size: 3 });
    const stored = await world.settles('eager', 'Running');
    expect(wayOf(stored)).toBe('Pending > Building > Running');
    expect(stored.status.lifecycle.sequence).toBe(2);
    expect(stored.status['parts']).toBe(3);
  });

  it('B07 takes what dependents run as accepted after a restore without status, and fires no old command', async () => {
    const world = await open();
    const { before, operator } = await restored(world, { size: 1, color: 'blue' });
    const stored = await world.until('moved', 'to have taken the spec', ({ status, metadata }) => {
      expect(status).toMatchObject({ phase: 'Running', lifecycle: { accepted: { generation: metadata.generation } } });
    });
    expect(operator.said('position recorded').map(({ fields }) => fields['event'])).toEqual(['adoption']);
    const writes = () =>
      context.controlPlane.audit({ user: 'operator', writes: true, namespace: world.namespace ?? '', subresource: 'status' });
    await eventually(() => writes().length > before, { what: 'the audit log' });
    expect(writes()[before]?.responseBody).toMatchObject({
      status: {
        phase: 'Pending',
        lifecycle: { state: 'Pending', sequence: 0, accepted: { generation: 0, spec: { size: 2, color: 'red' } }, memory: { attempts: 0 } },
      },
    });
    // The spec differs from what runs: it is taken by the machine's own edges, from the phase that may do it.
    expect(wayOf(stored)).toBe('Pending > Building > Running > Shrinking > Running');
    expect(stored.status.lifecycle.memory).toEqual({ attempts: 0 });
    expect(stored.status.lifecycle.lastCommand).toMatchObject({ token: 'old', result: expect.stringMatching(/^consumed/) });
  });

  it('B07 touches no dependent when what it runs is what is asked', async () => {
    const world = await open();
    const uids = async () => (await world.list(ConfigMap, owned)).map(({ metadata }) => metadata.uid);
    const { parts } = await restored(world, { size: 2, color: 'red' });
    const stored = await world.settles('moved', 'Running');
    expect(wayOf(stored)).toBe('Pending > Building > Running');
    expect(await uids()).toEqual(parts);
    expect(world.proxy.requests(({ verb }) => verb === 'delete')).toEqual([]);
  });

  it('does nothing to dependents of which nobody can tell what they run', async () => {
    const hooks: GadgetHooks = {};
    const world = await open(hooks);
    const { writes } = await restored(world, { size: 1, color: 'blue' }, () => {
      hooks.adopts = 'unknown';
    });
    const stalled = await world.shows('moved', 'Stalled', 'AdoptUnknown');
    expect(stalled.message).toContain('nothing is done');
    const touched = world.writes().slice(writes);
    expect(touched.filter(({ resource }) => resource === 'configmaps')).toEqual([]);
    expect((await world.stored('moved')).status.lifecycle).toMatchObject({ state: 'Pending', sequence: 0 });
    // It can still be deleted: its finalizer came back with it.
    await world.patch(world.lifecycle.kind, 'moved', { metadata: { finalizers: [names.finalizer('gadgets')] } });
    await world.remove(world.lifecycle.kind, 'moved');
    await world.gone(world.lifecycle.kind, 'moved');
    expect(await partNames(world)).toEqual([]);
  });

  it.each([1, 2, 3, 4])('B08 converges after a 409 on status write %i, never by way of the first phase or Failed', async (nth) => {
    const world = await open();
    const operator = await world.operator();
    const isNth = (request: ProxiedRequest) => world.proxy.requests(world.isStatusWrite)[nth - 1]?.number === request.number;
    const conflict = world.proxy.answer(409, { times: 1, when: isNth });
    await world.create('clash', { size: 2 });
    await world.settles('clash', 'Running');
    await world.spec('clash', { size: 1 });
    const stored = await world.until(
      'clash',
      'to settle',
      ({ status, metadata }) => status.phase === 'Running' && status.lifecycle.accepted?.generation === metadata.generation,
    );
    expect(conflict.hits).toBe(1);
    expect(wayOf(stored)).toBe('Pending > Building > Running > Shrinking > Running');
    // A conflict is an ordinary thing: it is read again at once, and nobody is told of a failure.
    expect(operator.lines.filter(({ level }) => level !== 'info')).toEqual([]);
  });

  it('B09 keeps the phase when an effect throws, shows it, waits longer each time, and starts short again after a success', async () => {
    const hooks: GadgetHooks = {};
    const world = await open(hooks);
    const operator = await world.operator();
    await world.create('bad', { size: 1 });
    await world.settles('bad', 'Running');
    const fail = () => {
      hooks.onEnsure = () => {
        throw new Error('the recipe is lost');
      };
    };
    const waits = () => operator.said('reconcile failed').map(({ fields }) => fields['retryInMs']);
    fail();
    await world.annotate(ConfigMap, 'bad-0', { poke: 'one' });
    const shown = await world.shows('bad', 'Reconciling', 'EvaluationFailed');
    expect(shown.message).toMatch(/Gadget .*bad.*ensure parts.*the recipe is lost/);
    expect((await world.stored('bad')).status.phase).toBe('Running');
    await eventually(() => waits().length >= 3, { what: 'three attempts' });
    expect(waits().slice(0, 3)).toEqual([100, 200, 400]);
    expect((await world.events('bad')).filter(({ reason }) => reason === 'EvaluationFailed')).toHaveLength(1);
    delete hooks.onEnsure;
    await world.shows('bad', 'Ready', 'Running');
    const before = waits().length;
    fail();
    await world.annotate(ConfigMap, 'bad-0', { poke: 'two' });
    await eventually(() => waits().length > before, { what: 'another failure' });
    expect(waits()[before]).toBe(100);
  });

  it('B10 makes exactly as many children as wanted when its cache is empty and late', async () => {
    const world = await open();
    const { kind } = world.lifecycle;
    const first = await world.operator();
    // The children are there, nobody recorded that they are.
    const hold = world.proxy.holdWrite(1, 'beforeSent', {
      counts: (request) => world.isStatusWrite(request) && JSON.stringify(request.body).includes('"Running"'),
    });
    await world.proxy.freezeView({
      reads: 'old',
      when: ({ resource, verb }) => resource === 'configmaps' && (verb === 'list' || verb === 'watch'),
    });
    await world.create('many', { size: 3 });
    await hold.reached;
    hold.release('drop');
    await first.stop();
    await world.annotate(ConfigMap, 'many-1', { 'someone.else/touched': 'yes' });
    const before = (await world.list(ConfigMap, owned)).map(({ metadata }) => metadata.uid);
    await world.operator();
    const stored = await world.settles('many', 'Running');
    expect(stored.status['parts']).toBe(3);
    expect((await world.list(ConfigMap, owned)).map(({ metadata }) => metadata.uid)).toEqual(before);
    expect(await partNames(world)).toEqual(['many-0', 'many-1', 'many-2']);
    expect((await world.get(ConfigMap, 'many-1')).data).toEqual({ color: 'red' });
    await world.remove(kind, 'many');
    world.proxy.clearFaults();
    await world.gone(kind, 'many');
  });
});

const owned = `?labelSelector=${encodeURIComponent(names.ownerLabel)}`;

async function partNames(world: World): Promise<readonly string[]> {
  return (await world.list(ConfigMap, owned)).map(({ metadata }) => metadata.name);
}

/** Writes of the operator that the API server refused. */
function refusedWrites({ controlPlane }: { readonly controlPlane: World['plane'] }, world: World): readonly unknown[] {
  const { namespace } = world;
  return controlPlane
    .audit({ user: 'operator', writes: true, ...(namespace === undefined ? {} : { namespace }) })
    .filter(({ code }) => code >= 400);
}

/** A gadget of two red parts is restored as backup tools do: no status, dependents without owner references, an old command. */
async function restored(world: World, spec: Readonly<Record<string, unknown>>, prepare = () => {}) {
  const { kind } = world.lifecycle;
  const first = await world.operator();
  await world.create('moved', { size: 2, color: 'red' });
  await world.settles('moved', 'Running');
  await first.stop();
  await world.erase(kind, 'moved');
  for (const { metadata } of await world.list(ConfigMap, owned))
    await world.patch(ConfigMap, metadata.name, { metadata: { ownerReferences: null } });
  const parts = (await world.list(ConfigMap, owned)).map(({ metadata }) => metadata.uid);
  await world.create('moved', spec, { annotations: { [names.commandAnnotation]: 'reset/0/old' } });
  const before = world.proxy.requests(world.isStatusWrite).length;
  const writes = world.writes().length;
  prepare();
  const operator = await world.operator();
  return { operator, before, writes, parts };
}
