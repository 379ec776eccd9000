import type { Lifecycle } from '../definition/lifecycle.ts';

/** `NodePool 1.0.0 (a41f09c)`: kind, machine version and hash. */
export function lifecycleTitle({ vocabulary, hash }: Lifecycle): string {
  return `${vocabulary.kind} ${vocabulary.machineVersion} (${hash})`;
}
