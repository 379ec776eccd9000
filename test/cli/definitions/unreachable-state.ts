import { defineLifecycle } from 'phasekeeper';
import { z } from 'zod';

/** Compiles, and its definition is accepted: what shows it is the graph. Nothing leads to Island. */
export const islandThing = defineLifecycle({
  group: 'test.example.com',
  version: 'v1',
  kind: 'IslandThing',
  scope: 'Cluster',
  machineVersion: '1.0.0',
  spec: z.object({ broken: z.boolean() }),
  facts: {
    isBroken: { when: ({ spec }) => spec.broken, says: 'it is broken' },
    isFine: { when: ({ spec }) => !spec.broken, says: 'it is fine' },
  },
}).createMachine({
  initial: 'Fine',
  states: {
    Fine: { meta: { kstatus: 'Current' }, on: { isBroken: 'Broken' } },
    Broken: { meta: { kstatus: 'Failed' }, on: { isFine: 'Fine' } },
    Island: { meta: { kstatus: 'Failed' }, on: { isFine: 'Fine' } },
  },
});
