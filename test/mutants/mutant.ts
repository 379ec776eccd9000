/** One deliberate fault in one line of the engine, and the test that must notice it. */
export interface Mutant {
  /** The behaviour whose test must fail, as it starts the test's name: `B40`. */
  readonly behaviour: string;
  /** Source file, from the repository's root. */
  readonly file: string;
  /** Exact text that occurs once in the file. */
  readonly find: string;
  readonly replace: string;
  /** Test file that holds the behaviour, from the repository's root. */
  readonly test: string;
  /** What the fault stands for, in words. */
  readonly why: string;
}
