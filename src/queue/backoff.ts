/** How long an item that failed waits. */
export interface BackoffOptions {
  /** Wait after the first failure, milliseconds. Default 100. */
  readonly firstMs: number;
  /** Longest wait, milliseconds. Default 10,000. */
  readonly longestMs: number;
}

export const defaultBackoff: BackoffOptions = Object.freeze({ firstMs: 100, longestMs: 10_000 });

/** The wait after `failures` failures in a row (1 or more): doubling from the first to the longest. */
export function backoffMs(failures: number, options: BackoffOptions = defaultBackoff): number {
  return Math.min(options.longestMs, options.firstMs * 2 ** (failures - 1));
}
