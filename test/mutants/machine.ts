import type { Mutant } from './mutant.ts';

/** Faults in the pure core. */
export const machineMutants = [
  {
    behaviour: 'B06',
    file: 'src/machine/decide.ts',
    find: 'if (move) return move;',
    replace: 'if (move && pass.position.recorded) return move;',
    test: 'test/machine/nodepool-recovery.test.ts',
    why: 'what is true already when an object is first seen moves nothing: only a later change would',
  },
  {
    behaviour: 'B12',
    file: 'src/machine/instant-text.ts',
    find: 'new Date(ms).toISOString()',
    replace: "new Date(ms + 1_000).toISOString().replace(/\\.\\d+/, '')",
    test: 'test/machine/decide-timeout.test.ts',
    why: 'a restart moves the deadline: the instant of entry is not stored as it was',
  },
  {
    behaviour: 'B12',
    file: 'src/machine/decide.ts',
    find: 'if (deadline.atMs > observation.nowMs) {',
    replace: 'if (deadline.atMs !== observation.nowMs) {',
    test: 'test/machine/decide-timeout.test.ts',
    why: 'a timeout that fell due while nobody looked never fires',
  },
  {
    behaviour: 'B13',
    file: 'src/machine/advance.ts',
    find: 'const stays = kept !== undefined && (kept === path || kept.startsWith(`${path}.`));',
    replace: 'const stays = kept !== undefined && path in position.enteredMs;',
    test: 'test/machine/decide-timeout.test.ts',
    why: 'entering a phase again does not restart its timers',
  },
  {
    behaviour: 'B13',
    file: 'src/machine/decide.ts',
    find: "return pass.plan.live.has(choice.edge) ? choice : { type: 'none', guards: [] };",
    replace: 'return choice;',
    test: 'test/machine/decide-timeout.test.ts',
    why: 'a root edge into the current phase is taken as XState takes it: the phase is left and entered, its timers start over',
  },
  {
    behaviour: 'B19',
    file: 'src/machine/built-in-fact.ts',
    find: 'accepted !== undefined && !isDeepStrictEqual(accepted.spec, view.spec)',
    replace: 'accepted !== undefined && isDeepStrictEqual(accepted.spec, view.spec)',
    test: 'test/machine/nodepool-recovery.test.ts',
    why: 'a spec that is changed again half way goes unnoticed',
  },
  {
    behaviour: 'B22',
    file: 'src/machine/refusal.ts',
    find: 'if (command.sequence !== position.sequence) {',
    replace: 'if (command.sequence <= position.sequence) {',
    test: 'test/machine/nodepool-recovery.test.ts',
    why: 'a command meant for this very transition counts as late, so that retry never works',
  },
] satisfies readonly Mutant[];
