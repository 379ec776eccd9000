import type { Problem } from './problem.ts';

/** What asserting a phase came to. */
export interface Asserted {
  /** Something was written: facts may have changed. */
  readonly wrote: boolean;
  readonly problem: Problem | undefined;
  /** Message of an ensure that failed permanently. */
  readonly refused: string | undefined;
  /** Look again after this, milliseconds; undefined when only a change matters. */
  readonly retryInMs: number | undefined;
}

/** A phase in which nothing had to be done. */
export const nothingAsserted: Asserted = Object.freeze({ wrote: false, problem: undefined, refused: undefined, retryInMs: undefined });

/** Both results as one: the worse problem, the earlier retry. */
export function mergeAsserted(before: Asserted, next: Asserted): Asserted {
  return {
    wrote: before.wrote || next.wrote,
    problem: worse(before.problem, next.problem),
    refused: before.refused ?? next.refused,
    retryInMs: earliest(before.retryInMs, next.retryInMs),
  };
}

/** The problem to show: a stalled one before a waiting one, the first of equals. */
export function worse(a: Problem | undefined, b: Problem | undefined): Problem | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return a.severity === 'waiting' && b.severity === 'stalled' ? b : a;
}

/** The smaller of two waits; undefined means for ever. */
export function earliest(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);
}
