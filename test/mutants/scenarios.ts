import type { Mutant } from './mutant.ts';

export const scenariosMutants = [
  {
    behaviour: 'B01',
    file: 'src/engine/reconciler.ts',
    find: 'withProblem(await assertPhase(run), violation)',
    replace:
      'withProblem(edges > 0 ? await assertPhase(run) : { wrote: false, problem: undefined, refused: undefined, retryInMs: undefined }, violation)',
    test: 'test/scenarios/crash.test.ts',
    why: 'a phase acts only right after its edge was stored: a crash between the two is never made good',
  },
  {
    behaviour: 'B22',
    file: 'src/machine/decide.ts',
    find: 'return byDeletion(pass) ?? byCommand(pass) ?? byFacts(pass) ?? byTimeouts(pass);',
    replace: 'return byDeletion(pass) ?? byFacts(pass) ?? byTimeouts(pass);',
    test: 'test/scenarios/timeout.test.ts',
    why: 'a failed object hears no command',
  },
] satisfies readonly Mutant[];
