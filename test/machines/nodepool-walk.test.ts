import { describe, expect, it } from 'vitest';
import { NodePoolWorld } from './nodepool-world.ts';

/** A seeded stream of integers below a bound (mulberry32). */
function dice(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const minuteMs = 60_000;

/** One thing that happens to a pool from outside. */
function disturb(world: NodePoolWorld, roll: (below: number) => number): void {
  const ordinals = [...world.nodes.keys()];
  const ordinal = ordinals[roll(Math.max(1, ordinals.length))] ?? 0;
  const node = world.nodes.get(ordinal);
  switch (roll(6)) {
    case 0: {
      const minSize = roll(6);
      world.spec = { minSize, maxSize: minSize + roll(3), systemDiskCategory: roll(4) === 0 ? 'cloud_ssd' : 'cloud_essd' };
      break;
    }
    case 1:
      world.nowMs += roll(20) * minuteMs;
      break;
    case 2:
      world.nodes.delete(ordinal);
      break;
    case 3:
      if (node !== undefined) world.nodes.set(ordinal, { ...node, ready: false });
      break;
    default:
      settleNodes(world);
  }
}

/** Nodes become ready, those on their way out go. */
function settleNodes(world: NodePoolWorld): void {
  for (const [ordinal, node] of world.nodes) {
    if (node.deleting === true) world.nodes.delete(ordinal);
    else world.nodes.set(ordinal, { ...node, ready: true });
  }
}

describe('a pool that is disturbed at random', () => {
  it('takes no edge in a loop, breaks no bound, removes nodes only to shrink, and settles when left alone', () => {
    const taken = new Set<string>();
    const broken: string[] = [];
    for (let seed = 1; seed <= 100; seed++) {
      const world = new NodePoolWorld();
      const roll = dice(seed);
      for (let step = 0; step < 60; step++) {
        const before = new Map(world.nodes);
        world.reconcile(roll(10) === 0 ? 'retry' : undefined);
        const maxSize = Number(world.position.accepted?.spec['maxSize']);
        if (!(world.nodes.size <= Math.max(before.size, maxSize))) broken.push(`seed ${seed} step ${step}: more nodes than ${maxSize}`);
        const removes = [...world.nodes].some(([ordinal, node]) => node.deleting === true && before.get(ordinal)?.deleting !== true);
        if (removes && world.phase !== 'ScalingDown') broken.push(`seed ${seed} step ${step}: a node is removed in ${world.phase}`);
        disturb(world, roll);
      }
      for (let pass = 0; pass === 0 || (pass < 30 && !world.isSettled); pass++) {
        settleNodes(world);
        // A drain that failed is tried again on the command: Failed removes nothing.
        const isOverfull = [...world.nodes.keys()].some((ordinal) => ordinal >= Number(world.spec['minSize']));
        world.reconcile(world.phase === 'Failed' && isOverfull ? 'retry' : undefined);
      }
      expect([seed, world.phase, world.nodes.size]).toEqual([seed, 'Running', world.spec['minSize']]);
      for (const edge of world.taken) taken.add(edge);
    }
    expect(broken).toEqual([]);
    expect([...taken].toSorted()).toEqual(
      [
        'Pending -> ScalingUp',
        'ScalingUp -> Running',
        'ScalingUp -> ScalingUp',
        'ScalingUp -> ScalingDown',
        'ScalingUp -> Failed',
        'Running -> ScalingDown',
        'Running -> ScalingUp',
        'Running -> Running',
        'ScalingDown -> Running',
        'ScalingDown -> ScalingUp',
        'ScalingDown -> Failed',
        'Failed -> Running',
        'Failed -> Pending',
      ].toSorted(),
    );
  });
});
