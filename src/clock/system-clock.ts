import { performance } from 'node:perf_hooks';
import type { Clock, Scheduled } from './clock.ts';

/** Node's timers wrap around above this; longer delays are taken in steps. */
const longestTimerMs = 2 ** 31 - 1;

/** The process's own clock. */
export class SystemClock implements Clock {
  nowMs(): number {
    return Date.now();
  }

  monotonicMs(): number {
    return performance.now();
  }

  schedule(delayMs: number, run: () => void): Scheduled {
    const dueMs = this.monotonicMs() + Math.max(0, delayMs);
    let timer: NodeJS.Timeout;
    const arm = () => {
      const leftMs = Math.max(0, dueMs - this.monotonicMs());
      timer = leftMs > longestTimerMs ? setTimeout(arm, longestTimerMs) : setTimeout(run, leftMs);
    };
    arm();
    return { cancel: () => clearTimeout(timer) };
  }
}
