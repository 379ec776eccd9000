import { ConfigMap } from 'phasekeeper';
import { expect, it } from 'vitest';
import { eventually } from '../control-plane/eventually.ts';
import { describeControlPlane } from '../control-plane/suite.ts';
import { brokenAnnotation, defineGadget, type GadgetHooks } from './lifecycles/gadget.ts';
import { type Stored, wayOf, World } from './world.ts';

describeControlPlane('quiet and honest', {}, (context) => {
  const open = (hooks: GadgetHooks = {}) => World.open(context.controlPlane, defineGadget(hooks));
  const condition = (stored: Stored, type: string) => stored.status?.conditions?.find((each) => each.type === type);

  it('B29 writes nothing over 100 reconciles, a relist and a restart, and the version stays', async () => {
    const hooks: GadgetHooks = {};
    const world = await open(hooks);
    const operator = await world.operator();
    await world.create('calm', { size: 2 });
    const { metadata } = await world.settles('calm', 'Running');
    const writes = world.writes().length;
    let reconciles = 0;
    hooks.onEnsure = () => void reconciles++;
    for (let round = 1; round <= 100; round++) {
      await world.annotate(ConfigMap, 'calm-0', { round: `${round}` });
      await eventually(() => reconciles >= round, { what: `reconcile ${round}`, everyMs: 2 });
    }
    world.proxy.errorEvent({ times: 2, when: ({ verb }) => verb === 'watch' });
    const relisted = world.proxy.requests(({ verb }) => verb === 'watch').length;
    await eventually(() => world.proxy.requests(({ verb }) => verb === 'watch').length >= relisted + 2, { what: 'the relist' });
    reconciles = 0;
    await world.annotate(ConfigMap, 'calm-1', { after: 'the relist' });
    await eventually(() => reconciles > 0, { what: 'a reconcile after the relist' });
    await operator.stop();
    reconciles = 0;
    const again = await world.operator();
    await eventually(() => reconciles > 0, { what: 'a reconcile after the restart' });
    await again.stop();
    expect(world.writes().slice(writes)).toEqual([]);
    expect((await world.stored('calm')).metadata.resourceVersion).toBe(metadata.resourceVersion);
  });

  it('B29 moves the time of a condition only when its status changes', async () => {
    const world = await open();
    await world.operator();
    await world.create('clock', { size: 1 });
    const running = await world.settles('clock', 'Running');
    const serverSecond = () =>
      eventually(
        async () =>
          (await world.make(ConfigMap, { metadata: { generateName: 'tick-' } })).metadata.creationTimestamp !==
          condition(running, 'Ready')?.lastTransitionTime,
        { what: 'the next second' },
      );
    await serverSecond();
    await world.spec('clock', { color: 'blue' });
    const blue = await world.until(
      'clock',
      'to be blue',
      ({ status, metadata }) => status.phase === 'Running' && status.lifecycle.accepted?.generation === metadata.generation,
    );
    // Ready went False and True again, Stalled has been False all the time.
    expect(condition(blue, 'Ready')?.lastTransitionTime).not.toBe(condition(running, 'Ready')?.lastTransitionTime);
    expect(condition(blue, 'Stalled')).toMatchObject({
      status: 'False',
      observedGeneration: 2,
      lastTransitionTime: condition(running, 'Stalled')?.lastTransitionTime,
    });
  });

  it('B30 leaves the steady phase within one reconcile when a dependent breaks', async () => {
    const hooks: GadgetHooks = {};
    const world = await open(hooks);
    await world.operator();
    await world.create('frail', { size: 2 });
    await world.settles('frail', 'Running');
    let reconciles = 0;
    // Repairing judges this fact: the first judgement comes in the reconcile that left Running.
    hooks.onJudge = () => void reconciles++;
    await world.annotate(ConfigMap, 'frail-1', { [brokenAnnotation]: 'yes' });
    const broken = await world.reaches('frail', 'Repairing');
    expect(condition(broken, 'Ready')?.status).toBe('False');
    expect(reconciles).toBeLessThanOrEqual(2);
    await world.remove(ConfigMap, 'frail-1');
    expect(wayOf(await world.settles('frail', 'Running'))).toBe('Pending > Building > Running > Repairing > Running');
  });

  it('B31 is never Ready for a generation that was not observed, nor for a spec that was not accepted', async () => {
    const hooks: GadgetHooks = {};
    const world = await open(hooks);
    const versions = await recorded(world, 'honest');
    await world.operator();
    await world.create('honest', { size: 1 });
    await world.settles('honest', 'Running');
    hooks.mayAccept = false;
    await world.spec('honest', { size: 2 });
    const waiting = await world.shows('honest', 'Reconciling', 'SpecNotAccepted');
    expect(waiting.message).toContain('mayAccept');
    expect(condition(await world.stored('honest'), 'Ready')).toMatchObject({ status: 'False', observedGeneration: 2 });
    expect((await world.stored('honest')).status.phase).toBe('Running');
    hooks.mayAccept = true;
    await world.annotate(ConfigMap, 'honest-0', { poke: 'yes' });
    await world.until(
      'honest',
      'to be ready',
      (stored) => condition(stored, 'Ready')?.status === 'True' && stored.status.observedGeneration === 2,
    );
    hooks.open = false;
    await world.spec('honest', { color: 'blue' });
    await world.reaches('honest', 'Building');
    hooks.open = true;
    await world.spec('honest', { size: 1 });
    const last = await world.until(
      'honest',
      'to be ready',
      (stored) => condition(stored, 'Ready')?.status === 'True' && stored.status.observedGeneration === 4,
    );
    const seen = await versions.upTo(last.metadata.resourceVersion);
    const asked = new Map(seen.map(({ metadata, spec }) => [metadata.generation, spec]));
    const ready = seen.filter((stored) => condition(stored, 'Ready')?.status === 'True');
    expect(ready.length).toBeGreaterThan(3);
    for (const stored of ready) {
      const { observedGeneration } = condition(stored, 'Ready') ?? {};
      expect(observedGeneration).toBe(stored.status.observedGeneration);
      expect(stored.status.lifecycle.accepted?.spec).toEqual(asked.get(observedGeneration));
    }
  });

  it('B31 settles for a spec that is another generation and equal by value', async () => {
    const world = await open();
    await world.operator();
    await world.create('equal', { size: 1 });
    const before = await world.settles('equal', 'Running');
    const gap = await world.proxy.freezeView({ when: (request) => request.verb === 'watch' && world.isPrimary(request) });
    await world.spec('equal', { size: 3 });
    await world.spec('equal', { size: 1 });
    world.proxy.errorEvent({ times: 1, when: (request) => request.verb === 'watch' && world.isPrimary(request) });
    gap.remove();
    const stored = await world.until(
      'equal',
      'to settle',
      ({ status }) => status.lifecycle.accepted?.generation === 3 && status.phase === 'Running',
    );
    expect(condition(stored, 'Ready')).toMatchObject({ status: 'True', observedGeneration: 3 });
    expect(stored.status.lifecycle.stable?.generation).toBe(3);
    expect(stored.status.lifecycle.sequence).toBe(before.status.lifecycle.sequence);
  });

  it('B44 does not fail by conflicts when a rival writes the object all the time, and converges when it ends', async () => {
    const world = await open();
    const versions = await recorded(world, 'rival');
    const operator = await world.operator();
    const { kind } = world.lifecycle;
    // A conflict for certain: the rival writes between the operator's read and its write.
    const hold = world.proxy.holdWrite(2, 'beforeSent', { counts: world.isPrimary });
    await world.create('rival', { size: 3 });
    await hold.reached;
    await world.annotate(kind, 'rival', { rival: '0' });
    hold.release('forward');
    let size = 3;
    for (let round = 1; round <= 40; round++) {
      await world.annotate(kind, 'rival', { rival: `${round}` });
      if (round % 10 === 0) await world.spec('rival', { size: (size = size === 3 ? 1 : 3) });
      const writes = world.writes().length;
      await eventually(() => world.writes().length > writes, { what: 'the operator to try', withinMs: 50, everyMs: 10 }).catch(
        () => undefined,
      );
    }
    const stored = await world.until('rival', 'to converge', (each) => {
      expect(each.status.lifecycle.accepted?.generation).toBe(each.metadata.generation);
      expect(condition(each, 'Ready')?.status).toBe('True');
    });
    expect(stored.status['parts']).toBe(size);
    const seen = await versions.upTo(stored.metadata.resourceVersion);
    expect(
      seen.filter(
        ({ status }) => status?.phase === 'Failed' || status?.conditions?.some((each) => each.type === 'Stalled' && each.status === 'True'),
      ),
    ).toEqual([]);
    const conflicts = context.controlPlane.audit({ user: 'operator', writes: true, code: 409, namespace: world.namespace ?? '' });
    expect(conflicts.length).toBeGreaterThan(0);
    expect(
      operator
        .said('reconcile failed')
        .map(({ fields }) => String(fields['err']))
        .filter((error) => !error.startsWith('StaleViewError')),
    ).toEqual([]);
  });
});

/** Every version of one object from now on, as a watch shows them. */
async function recorded(world: World, name: string) {
  const { plane } = world;
  const { PlainClient } = await import('../control-plane/plain-client.ts');
  const { onTestFinished } = await import('vitest');
  const client = new PlainClient(plane, plane.tokenOf('admin'));
  const watch = client.watch(
    `${world.path(world.lifecycle.kind)}?watch=true&fieldSelector=metadata.name%3D${name}&resourceVersion=${await plane.currentVersion()}`,
  );
  onTestFinished(() => client.close());
  return {
    upTo: (resourceVersion: string): Promise<readonly Stored[]> =>
      eventually(
        () => {
          const seen = watch.events.map(({ object }) => object as unknown as Stored);
          return seen.some(({ metadata }) => metadata.resourceVersion === resourceVersion) ? seen : undefined;
        },
        { what: `version ${resourceVersion} of ${name}` },
      ),
  };
}
