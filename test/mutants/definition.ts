import type { Mutant } from './mutant.ts';

/** Faults of the checks made when a lifecycle is defined. */
export const definitionMutants = [
  {
    behaviour: 'D01',
    file: 'src/definition/check-machine.ts',
    find: "if (edge.actions.some(({ name }) => name === acceptAction || words.has('remembers', name))) return;",
    replace: 'if (edge.actions.length >= 0) return;',
    test: 'test/definition/create-lifecycle.test.ts',
    why: 'a fact that leads to its own phase is taken again in every pass, for ever',
  },
  {
    behaviour: 'D02',
    file: 'src/definition/check-machine.ts',
    find: "if (!words.has('deletes', name)) continue;",
    replace: 'if (words !== undefined) continue;',
    test: 'test/definition/create-lifecycle.test.ts',
    why: 'an object whose status was lost would lose its dependents in the initial phase',
  },
  {
    behaviour: 'D03',
    file: 'src/definition/build-chart.ts',
    find: 'resolved?.targets.get(event)?.[order]',
    replace: 'resolved?.targets.get(event)?.[0]',
    test: 'test/definition/chart.test.ts',
    why: 'the second edge of a fact leads elsewhere in the diagram and the CRD than in the machine',
  },
] satisfies readonly Mutant[];
