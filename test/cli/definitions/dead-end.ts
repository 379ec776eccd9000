import { defineLifecycle } from 'phasekeeper';
import { z } from 'zod';

/** Compiles and is refused: whoever is Stuck stays so. */
export const stuckThing = defineLifecycle({
  group: 'test.example.com',
  version: 'v1',
  kind: 'StuckThing',
  scope: 'Cluster',
  machineVersion: '1.0.0',
  spec: z.object({ broken: z.boolean() }),
  facts: { isBroken: { when: ({ spec }) => spec.broken, says: 'it is broken' } },
}).createMachine({
  initial: 'Fine',
  states: {
    Fine: { meta: { kstatus: 'Current' }, on: { isBroken: 'Stuck' } },
    Stuck: { meta: { kstatus: 'Failed' } },
  },
});
