/** A timer that has not run yet. */
export interface Scheduled {
  /** Cancels it; harmless when it already ran. */
  cancel(): void;
}

/** The only source of time inside the engine, so that tests and the simulation can own it. */
export interface Clock {
  /** Wall clock of this process, milliseconds since 1970. For logs only: phases use the server's time. */
  nowMs(): number;
  /** Milliseconds that never go back; only differences mean something. */
  monotonicMs(): number;
  /** Runs `run` once, `delayMs` from now (0 or more). A pending timer keeps the process alive: an operator that waits to connect again must not end. */
  schedule(delayMs: number, run: () => void): Scheduled;
}
