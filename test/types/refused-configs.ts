import type { EventOf, PhaseOf, StateOf } from 'phasekeeper';
import { kit, type mysql } from './mysql-kit.ts';

/** What the compiler refuses in a machine's config. Compiled, never run. */
const at = { meta: { kstatus: 'Current' } } as const;

// @ts-expect-error 1 a payload is missing
export const noPayload: EventOf<typeof mysql> = { type: 'replicaBehind' };
// @ts-expect-error 2 an unknown event
export const noEvent: EventOf<typeof mysql> = { type: 'nope' };
// @ts-expect-error 3 a parent is not a leaf
export const parent: StateOf<typeof mysql> = 'Upgrading';
// @ts-expect-error 4 a nested state is not a phase
export const nested: PhaseOf<typeof mysql> = 'Upgrading.PreChecking';
// @ts-expect-error 5 a sibling that does not exist
kit.createMachine({ initial: 'A', states: { A: { ...at, on: { gone: 'Z' } } } });
// @ts-expect-error 6 a child of a sibling that does not exist
kit.createMachine({ initial: 'A', states: { A: { ...at, on: { gone: 'B.Z' } }, B: { initial: 'C', states: { C: { ...at } } } } });
// @ts-expect-error 7 a nested state naming a phase without '#'
kit.createMachine({ initial: 'A', states: { A: { ...at }, B: { initial: 'C', states: { C: { ...at, on: { gone: 'A' } } } } } });
kit.createMachine({
  initial: 'A',
  // @ts-expect-error 8 '#' with a wrong path
  states: { A: { ...at }, B: { initial: 'C', states: { C: { ...at, on: { gone: '#MySQLCluster.Z' } } } } },
});
// @ts-expect-error 9 '#' with another kind
kit.createMachine({ initial: 'A', states: { A: { ...at }, B: { initial: 'C', states: { C: { ...at, on: { gone: '#Other.A' } } } } } });
// @ts-expect-error 10 '.child' that does not exist
kit.createMachine({ initial: 'A', states: { A: { ...at }, B: { initial: 'C', on: { gone: '.Z' }, states: { C: { ...at } } } } });
// @ts-expect-error 11 '.child' of a leaf
kit.createMachine({ initial: 'A', states: { A: { ...at, on: { gone: '.A' } } } });
// @ts-expect-error 12 a root edge without a dot
kit.createMachine({ initial: 'A', on: { deleted: 'A' }, states: { A: { ...at } } });
// @ts-expect-error 13 a root edge to an unknown phase
kit.createMachine({ initial: 'A', on: { deleted: '.Z' }, states: { A: { ...at } } });
// @ts-expect-error 14 an initial that does not exist
kit.createMachine({ initial: 'Z', states: { A: { ...at } } });
// @ts-expect-error 15 a nested initial that does not exist
kit.createMachine({ initial: 'A', states: { A: { ...at }, B: { initial: 'A', states: { C: { ...at } } } } });
kit.createMachine({
  initial: 'A',
  // @ts-expect-error 16 a nested timeout without a target
  states: { A: { ...at }, B: { initial: 'C', states: { C: { ...at, after: { step: { actions: 'attempt' } } } } } },
});
// @ts-expect-error 17 a nested timeout to a wrong target
kit.createMachine({ initial: 'A', states: { A: { ...at }, B: { initial: 'C', states: { C: { ...at, after: { step: 'A' } } } } } });
// @ts-expect-error 18 an unknown timeout
kit.createMachine({ initial: 'A', states: { A: { ...at }, B: { initial: 'C', states: { C: { ...at, after: { stepp: 'C' } } } } } });
// @ts-expect-error 19 a numeric delay
kit.createMachine({ initial: 'A', states: { A: { ...at, after: { 1000: 'B' } }, B: { ...at } } });
kit.createMachine({
  initial: 'A',
  // @ts-expect-error 20 an unknown fact, nested
  states: { A: { ...at }, B: { initial: 'C', states: { C: { ...at, on: { nope: '#MySQLCluster.A' } } } } },
});
// @ts-expect-error 21 always, nested
kit.createMachine({ initial: 'A', states: { A: { ...at }, B: { initial: 'C', states: { C: { ...at, always: 'C' } } } } });
// @ts-expect-error 22 invoke, nested
kit.createMachine({ initial: 'A', states: { A: { ...at }, B: { initial: 'C', states: { C: { ...at, invoke: { src: 'x' } } } } } });
// @ts-expect-error 23 parallel
kit.createMachine({ initial: 'A', states: { A: { ...at, type: 'parallel' } } });
// @ts-expect-error 24 a wildcard
kit.createMachine({ initial: 'A', states: { A: { ...at, on: { '*': 'A' } } } });
// @ts-expect-error 25 an inline guard
kit.createMachine({ initial: 'A', states: { A: { ...at, on: { gone: { guard: () => true, target: 'B' } } }, B: { ...at } } });
// @ts-expect-error 26 an inline action
kit.createMachine({ initial: 'A', states: { A: { ...at, on: { gone: { actions: () => {}, target: 'B' } } }, B: { ...at } } });
// @ts-expect-error 27 guard params missing
kit.createMachine({ initial: 'A', states: { A: { ...at, on: { gone: { guard: 'retriesLeft', target: 'B' } } }, B: { ...at } } });
kit.createMachine({
  initial: 'A',
  // @ts-expect-error 28 guard params of a wrong type
  states: { A: { ...at, on: { gone: { guard: { type: 'retriesLeft', params: { max: '3' } }, target: 'B' } } }, B: { ...at } },
});
kit.createMachine({
  initial: 'A',
  // @ts-expect-error 29 guard params with a wrong name
  states: { A: { ...at, on: { gone: { guard: { type: 'retriesLeft', params: { most: 3 } }, target: 'B' } } }, B: { ...at } },
});
kit.createMachine({
  initial: 'A',
  // @ts-expect-error 30 params for a guard that takes none
  states: { A: { ...at, on: { gone: { guard: { type: 'hasQuorum', params: { max: 3 } }, target: 'B' } } }, B: { ...at } },
});
// @ts-expect-error 31 an unknown guard
kit.createMachine({ initial: 'A', states: { A: { ...at, on: { gone: { guard: 'hasQuorums', target: 'B' } } }, B: { ...at } } });
// @ts-expect-error 32 a command as a guard
kit.createMachine({ initial: 'A', states: { A: { ...at, on: { gone: { guard: 'retry', target: 'B' } } }, B: { ...at } } });
// @ts-expect-error 33 not without a guard
kit.createMachine({ initial: 'A', states: { A: { ...at, on: { gone: { guard: 'not', target: 'B' } } }, B: { ...at } } });
kit.createMachine({
  initial: 'A',
  // @ts-expect-error 34 not with an unknown guard
  states: { A: { ...at, on: { gone: { guard: { type: 'not', params: { guard: 'allReddy' } }, target: 'B' } } }, B: { ...at } },
});
// @ts-expect-error 35 ensure params wrong
kit.createMachine({ initial: 'A', states: { A: { ...at, entry: { type: 'partition', params: { from: 'left' } } } } });
// @ts-expect-error 36 ensure params missing
kit.createMachine({ initial: 'A', states: { A: { ...at, entry: 'partition' } } });
// @ts-expect-error 37 delete params missing
kit.createMachine({ initial: 'A', states: { A: { ...at, entry: 'secret' } } });
// @ts-expect-error 38 delete params wrong
kit.createMachine({ initial: 'A', states: { A: { ...at, entry: { type: 'secret', params: { key: 1 } } } } });
// @ts-expect-error 39 params for a delete that takes none
kit.createMachine({ initial: 'A', states: { A: { ...at, entry: { type: 'surplus', params: { key: 1 } } } } });
// @ts-expect-error 40 an ensure on an edge
kit.createMachine({ initial: 'A', states: { A: { ...at, on: { gone: { target: 'B', actions: 'statefulSet' } } }, B: { ...at } } });
// @ts-expect-error 41 a delete on an edge
kit.createMachine({ initial: 'A', states: { A: { ...at, on: { gone: { target: 'B', actions: 'surplus' } } }, B: { ...at } } });
// @ts-expect-error 42 an announce in entry
kit.createMachine({ initial: 'A', states: { A: { ...at, entry: 'upgraded' } } });
// @ts-expect-error 43 accept in entry
kit.createMachine({ initial: 'A', states: { A: { ...at, entry: 'accept' } } });
// @ts-expect-error 44 a remember in entry
kit.createMachine({ initial: 'A', states: { A: { ...at, entry: 'attempt' } } });
// @ts-expect-error 45 remember params missing
kit.createMachine({ initial: 'A', states: { A: { ...at, on: { gone: { target: 'B', actions: 'attemptsSet' } } }, B: { ...at } } });
// @ts-expect-error 46 exit
kit.createMachine({ initial: 'A', states: { A: { ...at, exit: 'statefulSet' } } });
kit.createMachine({
  initial: 'A',
  // @ts-expect-error 47 '#' to a wrong nested leaf, three levels deep
  states: { A: { initial: 'B', states: { B: { initial: 'C', states: { C: { ...at, on: { gone: '#MySQLCluster.A.C' } } } } } } },
});
// @ts-expect-error 48 final
kit.createMachine({ initial: 'A', states: { A: { ...at, type: 'final' } } });
// @ts-expect-error 49 onDone
kit.createMachine({ initial: 'A', states: { A: { initial: 'B', onDone: 'A', states: { B: { ...at } } } } });
// @ts-expect-error 50 history
kit.createMachine({ initial: 'A', states: { A: { initial: 'B', states: { B: { ...at }, H: { ...at, history: 'deep' } } } } });
// @ts-expect-error 51 states without initial
kit.createMachine({ initial: 'A', states: { A: { states: { B: { ...at } } } } });
// @ts-expect-error 52 a leaf without kstatus
kit.createMachine({ initial: 'A', states: { A: { on: { gone: 'B' } }, B: { ...at } } });
// @ts-expect-error 53 an unknown kstatus
kit.createMachine({ initial: 'A', states: { A: { meta: { kstatus: 'Ready' } } } });
// @ts-expect-error 54 a fact edge without a target
kit.createMachine({ initial: 'A', states: { A: { ...at, on: { gone: { actions: 'attempt' } } }, B: { ...at } } });
// @ts-expect-error 55 a fact edge onto its own phase
kit.createMachine({ initial: 'A', states: { A: { ...at, on: { gone: 'A' } } } });
// @ts-expect-error 56 a fact edge onto its own phase by '#'
kit.createMachine({ initial: 'A', states: { A: { ...at, on: { gone: '#MySQLCluster.A' } } } });
// @ts-expect-error 57 a fact edge onto its own phase that only announces
kit.createMachine({ initial: 'A', states: { A: { ...at, on: { gone: { target: 'A', reenter: true, actions: 'upgraded' } } } } });
kit.createMachine({
  initial: 'A',
  // @ts-expect-error 58 a nested fact edge onto its own state by '#'
  states: { A: { ...at }, B: { initial: 'C', states: { C: { ...at, on: { gone: '#MySQLCluster.B.C' } } } } },
});
// @ts-expect-error 59 an empty edge
kit.createMachine({ initial: 'A', states: { A: { ...at, on: { gone: {} } }, B: { ...at } } });
// @ts-expect-error 60 a command edge that does nothing
kit.createMachine({ initial: 'A', states: { A: { ...at, on: { retry: {} } }, B: { ...at } } });
// @ts-expect-error 61 a timeout of the root
kit.createMachine({ initial: 'A', after: { step: '.A' }, states: { A: { ...at } } });
// @ts-expect-error 62 a command of every phase
kit.createMachine({ initial: 'A', states: { A: { ...at, on: { pause: 'B' } }, B: { ...at } } });
// @ts-expect-error 63 reenter: false
kit.createMachine({ initial: 'A', states: { A: { ...at, on: { gone: { target: 'B', reenter: false } } }, B: { ...at } } });
