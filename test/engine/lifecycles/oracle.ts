import { Duration } from 'luxon';
import { defineLifecycle } from 'phasekeeper';
import { z } from 'zod';

/** The outside world of an oracle. */
export interface Outside {
  ask(input: { readonly item: string }, signal: AbortSignal): Promise<unknown>;
}

/** A kind that buys when the price is low: all it knows of the outside it knows by a probe. */
export function defineOracle(outside: Outside, maxAge: Duration = Duration.fromObject({ hours: 1 })) {
  return defineLifecycle({
    group: 'oracle.test',
    version: 'v1',
    kind: 'Oracle',
    scope: 'Namespaced',
    machineVersion: '1.0.0',
    spec: z.object({ item: z.string() }),
    probes: {
      price: {
        timeout: Duration.fromObject({ seconds: 1 }),
        maxAge,
        answer: z.object({ price: z.number() }),
        input: (view) => ({ item: view.spec.item }),
        ask: (input: { item: string }, signal) => outside.ask(input, signal),
      },
    },
    facts: {
      cheap: { when: (view) => view.probes.price.price < 10, says: 'the price is low' },
      dear: { when: (view) => view.probes.price.price >= 10, says: 'the price is high' },
      unwanted: { when: (view) => view.spec.item === 'nothing', says: 'nothing is wanted' },
      wanted: { when: (view) => view.spec.item !== 'nothing', says: 'something is wanted' },
    },
  }).createMachine({
    initial: 'Watching',
    states: {
      Watching: { meta: { kstatus: 'InProgress' }, on: { cheap: 'Bought', unwanted: 'Idle' } },
      Bought: { meta: { kstatus: 'Current' }, on: { dear: 'Watching' } },
      Idle: { meta: { kstatus: 'Current' }, on: { wanted: 'Watching' } },
    },
  });
}
