/** A fault of a machine that shows without running it. */
export interface Finding {
  readonly code: 'UNREACHABLE_STATE' | 'DEAD_END' | 'NO_DELETION_EDGE';
  /** Path of the leaf. */
  readonly state: string;
  readonly message: string;
  /** What to write. */
  readonly hint: string;
}
