import type { Mutant } from './mutant.ts';

const test = 'test/manifest/legality.control-plane.test.ts';

export const manifestMutants = [
  {
    behaviour: 'B37',
    file: 'src/manifest/legality-rules.ts',
    find: "const counts = 'self.lifecycle.sequence == oldSelf.lifecycle.sequence + 1';",
    replace: "const counts = 'self.lifecycle.sequence > oldSelf.lifecycle.sequence';",
    test,
    why: 'a transition may skip sequence numbers',
  },
  {
    behaviour: 'B37',
    file: 'src/manifest/legality-rules.ts',
    find: 'rule: `has(self.lifecycle.entered) || (!has(oldSelf.lifecycle.entered) && ${keepsSequence})`,',
    replace: "rule: 'true',",
    test,
    why: 'the instants of entry may be wiped, and the object counts as never seen',
  },
  {
    behaviour: 'B37',
    file: 'src/manifest/legality-rules.ts',
    find: `rule: "self.lifecycle.state == self.phase || self.lifecycle.state.startsWith(self.phase + '.')",`,
    replace: "rule: 'true',",
    test,
    why: 'a phase may disagree with its state',
  },
  {
    behaviour: 'B37',
    file: 'src/manifest/acceptance-rules.ts',
    find: '(${sameSpec} || ${acceptingMove(acceptingMoves(chart))})',
    replace: 'true',
    test,
    why: 'accepted may become the spec without the transition that accepts it',
  },
  {
    behaviour: 'B37',
    file: 'src/manifest/acceptance-rules.ts',
    find: 'dyn(${now}.accepted.spec) == dyn(self.spec) && ',
    replace: '',
    test,
    why: 'a transition that accepts may accept what nobody asked',
  },
] satisfies readonly Mutant[];
