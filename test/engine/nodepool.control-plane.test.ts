import { Duration } from 'luxon';
import { Node, type NodeObject, Pod } from 'phasekeeper';
import { expect, it, onTestFinished } from 'vitest';
import { defineNodePool } from '../../machines/nodepool/definition.ts';
import { names } from '../../src/definition/reserved-names.ts';
import { defineKindOf } from '../../src/resource/kind.ts';
import { eventually } from '../control-plane/eventually.ts';
import type { HeldWrite } from '../control-plane/write-gate.ts';
import { describeControlPlane } from '../control-plane/suite.ts';
import { type Stored, World } from './world.ts';

const Budget = defineKindOf({ apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', scope: 'Namespaced' });
const hour = Duration.fromObject({ hours: 1 });
const patient = defineNodePool({ scaleUp: hour, scaleDown: hour });
/** Gives up at once; a phase that is left before that does not see it. */
const hasty = defineNodePool({ scaleUp: Duration.fromObject({ seconds: 1 }), scaleDown: hour });
const good = { minSize: 2, maxSize: 4, systemDiskCategory: 'cloud_essd' };
/** The phases that a spec can be stuck in; Deleting has no way back. */
const phases = patient.chart.leaves;

describeControlPlane('a pool of nodes', {}, (context) => {
  let pools = 0;
  /** A world with one pool whose name no other test uses, and an operator. */
  async function openPool(lifecycle = patient) {
    const pool = `pool${++pools}`;
    const world = await World.open(context.controlPlane, lifecycle);
    onTestFinished(() => sweep(world, pool));
    await world.operator();
    return { world, pool };
  }

  async function running(world: World, pool: string): Promise<Stored> {
    await world.create(pool, good);
    await ready(world, pool, [0, 1]);
    return settled(world, pool);
  }

  /** Holds the pool in a phase, with the given spec asked there. */
  const stuckIn: Readonly<Record<string, (world: World, pool: string) => Promise<HeldWrite | undefined>>> = {
    Pending: async (world, pool) => {
      // The write that leaves Pending waits.
      const hold = world.proxy.holdWrite(1, 'beforeSent', { counts: world.isStatusWrite });
      await world.create(pool, { ...good, minSize: 4 });
      await hold.reached;
      return hold;
    },
    ScalingUp: async (world, pool) => {
      await running(world, pool);
      await world.spec(pool, { minSize: 4 });
      await world.reaches(pool, 'ScalingUp');
      return undefined;
    },
    Running: async (world, pool) => {
      await running(world, pool);
      // A node with another disk cannot be had: the spec is accepted and seen where Running looks again.
      const hold = world.proxy.holdWrite(1, 'beforeSent', { counts: world.isStatusWrite });
      await world.spec(pool, { maxSize: 3 });
      await hold.reached;
      return hold;
    },
    ScalingDown: async (world, pool) => {
      await running(world, pool);
      await guardedPod(world, pool, `${pool}-1`);
      await world.spec(pool, { minSize: 1 });
      await world.shows(pool, 'Reconciling', 'DrainBlocked');
      return undefined;
    },
    Failed: async (world, pool) => {
      await running(world, pool);
      await world.spec(pool, { minSize: 3 });
      await world.reaches(pool, 'Failed');
      return undefined;
    },
    Deleting: async (world, pool) => {
      await running(world, pool);
      await guardedPod(world, pool, `${pool}-1`);
      await world.remove(world.lifecycle.kind, pool);
      await world.shows(pool, 'Reconciling', 'DrainBlocked');
      return undefined;
    },
  };

  function stuck(phase: string, world: World, pool: string): Promise<HeldWrite | undefined> {
    const bring = stuckIn[phase];
    if (bring === undefined) throw new Error(`no way is known to hold a pool in ${phase}`);
    return bring(world, pool);
  }

  it.each(phases.filter((phase) => phase !== 'Deleting'))(
    'B19 is back to the good state when a bad spec got stuck in %s and is reverted',
    async (phase) => {
      const { world, pool } = await openPool(phase === 'Failed' ? hasty : patient);
      const hold = await stuck(phase, world, pool);
      expect((await world.stored(pool)).status.phase).toBe(phase);
      await world.spec(pool, good);
      hold?.release('forward');
      await ready(world, pool, [0, 1]);
      const stored = await settled(world, pool);
      expect(stored.status.lifecycle.accepted?.spec).toEqual(good);
      expect((await nodes(world, pool)).map(({ metadata, spec }) => [metadata.name, spec?.unschedulable ?? false])).toEqual([
        [`${pool}-0`, false],
        [`${pool}-1`, false],
      ]);
    },
  );

  it.each(phases)('B25 is gone with all its nodes when it is deleted in %s', async (phase) => {
    const { world, pool } = await openPool(phase === 'Failed' ? hasty : patient);
    const hold = await stuck(phase, world, pool);
    await world.remove(world.lifecycle.kind, pool);
    hold?.release('forward');
    // The budget lets go in the end.
    await allow(world, pool);
    await world.gone(world.lifecycle.kind, pool);
    expect(await nodes(world, pool)).toEqual([]);
  });

  it('B25 waits for a node that takes its time to go', async () => {
    const { world, pool } = await openPool();
    await running(world, pool);
    await world.patch(Node, `${pool}-1`, { metadata: { finalizers: ['pool.test/slow'] } });
    await world.remove(world.lifecycle.kind, pool);
    await eventually(async () => (await world.get(Node, `${pool}-1`)).metadata.deletionTimestamp !== undefined, {
      what: 'the node to be on its way out',
    });
    const { metadata, status } = await world.stored(pool);
    expect(status.phase).toBe('Deleting');
    expect(metadata.finalizers).toEqual([names.finalizer('nodepools')]);
    // One at a time: the other node stands as long as this one does.
    expect(await world.find(Node, `${pool}-0`)).toBeDefined();
    await world.patch(Node, `${pool}-1`, { metadata: { finalizers: null } });
    await world.gone(world.lifecycle.kind, pool);
    expect(await nodes(world, pool)).toEqual([]);
  });

  it('B22 leaves Failed when the cause goes', async () => {
    const { world, pool } = await openPool(hasty);
    await stuck('Failed', world, pool);
    await ready(world, pool, [2]);
    const stored = await settled(world, pool);
    expect(stored.status.lifecycle.history?.at(-1)).toMatchObject({ from: 'Failed', to: 'Running', event: 'fact nodesReady' });
  });

  it('B22 leaves Failed when the spec changes', async () => {
    const { world, pool } = await openPool(hasty);
    await stuck('Failed', world, pool);
    await world.spec(pool, { minSize: 2 });
    const stored = await settled(world, pool);
    expect(stored.status.lifecycle.history?.some(({ from, event }) => from === 'Failed' && event === 'fact specChanged')).toBe(true);
  });

  it('B22 leaves Failed on the retry command', async () => {
    const { world, pool } = await openPool(hasty);
    await stuck('Failed', world, pool);
    const { status } = await world.stored(pool);
    expect(status.lifecycle.allowedCommands).toContain('retry');
    await world.annotate(world.lifecycle.kind, pool, { [names.commandAnnotation]: `retry/${status.lifecycle.sequence}/once` });
    const again = await world.until(pool, 'to have tried', (stored) => stored.status.lifecycle.lastCommand?.token === 'once');
    expect(again.status.lifecycle.lastCommand?.result).toBe('done');
    expect(
      again.status.lifecycle.history?.some(({ from, to, event }) => from === 'Failed' && to === 'Pending' && event === 'command retry'),
    ).toBe(true);
    expect(again.status.lifecycle.memory).toEqual({ attempts: 1 });
    await ready(world, pool, [2]);
    expect((await settled(world, pool)).status.lifecycle.memory).toEqual({ attempts: 0 });
  });

  it('drains nodes one at a time and honours a PodDisruptionBudget', async () => {
    const { world, pool } = await openPool();
    await world.create(pool, { ...good, minSize: 3 });
    await ready(world, pool, [0, 1, 2]);
    await settled(world, pool);
    await guardedPod(world, pool, `${pool}-2`);
    await world.spec(pool, { minSize: 1 });
    const shown = await world.shows(pool, 'Reconciling', 'DrainBlocked');
    expect(shown.message).toContain(`${pool}-2`);
    const standing = await nodes(world, pool);
    expect(standing.map(({ spec }) => spec?.unschedulable ?? false)).toEqual([false, true, true]);
    expect(await world.find(Pod, pool)).toBeDefined();
    await allow(world, pool);
    await settled(world, pool);
    expect((await nodes(world, pool)).map(({ metadata }) => metadata.name)).toEqual([`${pool}-0`]);
    expect(await world.find(Pod, pool)).toBeUndefined();
    const deletes = world.proxy.requests(({ verb, resource }) => verb === 'delete' && resource === 'nodes').map(({ name }) => name);
    expect(deletes).toEqual([`${pool}-2`, `${pool}-1`]);
    const evictions = world.proxy.requests(({ subresource }) => subresource === 'eviction');
    expect(evictions.length).toBeGreaterThan(1);
  });
});

function settled(world: World, pool: string): Promise<Stored> {
  return world.until(pool, 'to settle in Running', ({ status, metadata }) => {
    expect(status.phase).toBe('Running');
    expect(status.lifecycle.accepted?.generation).toBe(metadata.generation);
    expect(status.conditions?.find(({ type }) => type === 'Ready')?.status).toBe('True');
  });
}

async function nodes(world: World, pool: string): Promise<readonly NodeObject[]> {
  const label = encodeURIComponent(`${names.ownerLabel}=nodepool.${pool}`);
  return world.list<NodeObject>(Node, `?labelSelector=${label}`);
}

/** What a kubelet would report, for each of the nodes once it exists. */
async function ready(world: World, pool: string, ordinals: readonly number[]): Promise<void> {
  const conditions = [{ type: 'Ready', status: 'True', reason: 'Test', message: '', lastHeartbeatTime: null, lastTransitionTime: null }];
  for (const ordinal of ordinals) {
    await eventually(() => world.find(Node, `${pool}-${ordinal}`), { what: `node ${pool}-${ordinal}` });
    await world.patch(Node, `${pool}-${ordinal}`, { status: { conditions } }, '/status');
  }
}

/** A running pod on a node, and a budget that lets none go. Nobody runs it: it goes at once when it may. */
async function guardedPod(world: World, name: string, node: string): Promise<void> {
  const labels = { app: name };
  const spec = {
    nodeName: node,
    terminationGracePeriodSeconds: 0,
    automountServiceAccountToken: false,
    containers: [{ name: 'c', image: 'none' }],
  };
  const account = await world.plane.call({ path: '/api/v1/namespaces/default/serviceaccounts/default' });
  if (account.status === 404)
    await world.make(defineKindOf({ apiVersion: 'v1', kind: 'ServiceAccount', scope: 'Namespaced' }), { metadata: { name: 'default' } });
  await world.make(Pod, { metadata: { name, labels }, spec });
  await world.patch(Pod, name, { status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] } }, '/status');
  await world.make(Budget, { metadata: { name }, spec: { minAvailable: 1, selector: { matchLabels: labels } } });
  await budget(world, name, 0);
}

/** In place of the controller that counts: how many pods may go. */
async function budget(world: World, name: string, disruptionsAllowed: number): Promise<void> {
  const { metadata } = await world.get(Budget, name);
  const counts = { currentHealthy: 1, desiredHealthy: 1, expectedPods: 1 };
  await world.patch(Budget, name, { status: { observedGeneration: metadata.generation, disruptionsAllowed, ...counts } }, '/status');
}

async function allow(world: World, name: string): Promise<void> {
  if ((await world.find(Budget, name)) !== undefined) await budget(world, name, 1);
}

/** The next test's operator is not to work on what this one left. */
async function sweep(world: World, pool: string): Promise<void> {
  if ((await world.find(world.lifecycle.kind, pool)) !== undefined) await world.erase(world.lifecycle.kind, pool);
  for (const { metadata } of await nodes(world, pool)) await world.erase(Node, metadata.name);
}
