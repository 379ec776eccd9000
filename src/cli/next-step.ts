/** One way out of an object's state. */
export interface NextStep {
  /** `nodesReady`, `command retry`, `timeout scaleUp 15m`. */
  readonly event: string;
  readonly to: string;
  readonly guard?: string | undefined;
  /** Whether it could be taken now; undefined where the definition is not at hand. */
  readonly enabled?: 'yes' | 'no' | 'unknown' | undefined;
  /** What is seen, or what is missing; may be empty. */
  readonly reason?: string | undefined;
}
