import { defineLifecycle } from 'phasekeeper';
import { z } from 'zod';

/** Does not compile; whoever runs it without compiling is told by the definition itself. */
export const lostThing = defineLifecycle({
  group: 'test.example.com',
  version: 'v1',
  kind: 'LostThing',
  scope: 'Cluster',
  machineVersion: '1.0.0',
  spec: z.object({ broken: z.boolean() }),
  facts: { isBroken: { when: ({ spec }) => spec.broken, says: 'it is broken' } },
}).createMachine({
  initial: 'Fine',
  // @ts-expect-error -- there is no state Nowhere
  states: { Fine: { meta: { kstatus: 'Current' }, on: { isBroken: 'Nowhere' } } },
});
