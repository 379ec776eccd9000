import { Duration } from 'luxon';
import { ConfigMap, defineKindOf, defineLifecycle, type KubernetesObject, Pod } from 'phasekeeper';
import { z } from 'zod';

/** What the compiler refuses in a vocabulary. Compiled, never run. */
const Secrets = defineKindOf<KubernetesObject>({ apiVersion: 'v1', kind: 'Secret', scope: 'Namespaced' });
const second = Duration.fromObject({ seconds: 1 });
const base = {
  group: 'db.example.com',
  version: 'v1',
  kind: 'Thing',
  scope: 'Namespaced',
  machineVersion: '1.0.0',
  spec: z.object({ size: z.int(), name: z.string() }),
  status: z.object({ ready: z.int().default(0), note: z.string().optional() }),
  memory: z.object({ attempts: z.int().default(0) }),
  dependents: { pods: Pod, maps: ConfigMap },
} as const;

defineLifecycle({
  ...base,
  watches: { secrets: { kind: Secrets, of: () => 'a' } },
  // @ts-expect-error 1 an unknown watch
  facts: { seen: { when: (view) => view.watches.secret.length > 0, says: '' } },
});
// @ts-expect-error 2 a watched object read as what it is not
defineLifecycle({ ...base, watches: { maps: { kind: ConfigMap, of: (map) => map.spec.name } } });
// @ts-expect-error 3 an unknown dependent
defineLifecycle({ ...base, facts: { seen: { when: (view) => view.dependents.pod.length > 0, says: '' } } });
// @ts-expect-error 4 an unknown field of the spec
defineLifecycle({ ...base, facts: { seen: { when: (view) => view.spec.sise > 0, says: '' } } });
// @ts-expect-error 5 an unknown probe
defineLifecycle({ ...base, facts: { seen: { when: (view) => view.probes.price > 0, says: '' } } });
// @ts-expect-error 6 a fact without words
defineLifecycle({ ...base, facts: { seen: { when: () => true } } });
// @ts-expect-error 7 a fact that answers with a promise
defineLifecycle({ ...base, facts: { seen: { when: async () => true, says: '' } } });
// @ts-expect-error 8 a guard that answers a number
defineLifecycle({ ...base, guards: { many: (view) => view.spec.size } });
// @ts-expect-error 9 a wrong report field
defineLifecycle({ ...base, report: () => ({ status: { reddy: 1 } }) });
// @ts-expect-error 10 a wrong report field beside a right one
defineLifecycle({ ...base, report: () => ({ status: { ready: 1, reddy: 1 } }) });
// @ts-expect-error 11 a report field of a wrong type
defineLifecycle({ ...base, report: () => ({ status: { ready: '1' } }) });
// @ts-expect-error 12 adopt without a field of the spec
defineLifecycle({ ...base, adopt: () => ({ name: 'a' }) });
// @ts-expect-error 13 adopt that reads accepted
defineLifecycle({ ...base, adopt: (view) => view.accepted });
// @ts-expect-error 14 adopt with a wrong word
defineLifecycle({ ...base, adopt: () => 'dunno' });
// @ts-expect-error 15 a remember of an unknown field
defineLifecycle({ ...base, remembers: { attempt: () => ({ atempts: 1 }) } });
// @ts-expect-error 16 a remember of a wrong type
defineLifecycle({ ...base, remembers: { attempt: () => ({ attempts: '1' }) } });
// @ts-expect-error 17 a delete from an unknown dependent
defineLifecycle({ ...base, deletes: { one: { from: 'pod', only: () => true } } });
// @ts-expect-error 18 a delete that reads what its kind does not have
defineLifecycle({ ...base, deletes: { one: { from: 'maps', only: (live) => live.spec?.nodeName === '' } } });
// @ts-expect-error 19 a delete in an unknown way
defineLifecycle({ ...base, deletes: { one: { from: 'pods', how: 'evict', only: () => true } } });
// @ts-expect-error 20 an ensure that desires no object
defineLifecycle({ ...base, ensure: { pods: () => [{ name: 'a' }] } });
// @ts-expect-error 21 a timeout without a unit
defineLifecycle({ ...base, timeouts: { step: 5_000 } });
// @ts-expect-error 22 an announce of an unknown type
defineLifecycle({ ...base, announce: { done: { type: 'Error', reason: 'Done', message: () => '' } } });
// @ts-expect-error 23 an invariant over an unknown status field
defineLifecycle({ ...base, invariants: { some: ({ transition }) => transition.after.reddy > 0 } });
defineLifecycle({
  ...base,
  probes: {
    price: {
      timeout: second,
      maxAge: second,
      answer: z.number(),
      // @ts-expect-error 24 a probe asked with what its input does not give
      input: (view) => ({ size: view.spec.size }),
      ask: async (input: { name: string }) => input.name,
    },
  },
});
defineLifecycle({
  ...base,
  // @ts-expect-error 25 a probe whose input reads probes
  probes: { price: { timeout: second, maxAge: second, answer: z.number(), input: (view) => view.probes, ask: async () => 1 } },
});
// @ts-expect-error 26 an unknown scope
defineLifecycle({ ...base, scope: 'Global' });
// @ts-expect-error 27 a vocabulary without a spec
defineLifecycle({ group: 'a.example.com', version: 'v1', kind: 'A', scope: 'Cluster', machineVersion: '1.0.0' });
// @ts-expect-error 28 schedules, which this version does not have
defineLifecycle({ ...base, schedules: { nightly: { cron: '0 2 * * *' } } });
