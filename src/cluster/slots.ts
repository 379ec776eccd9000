import type { Deadline } from './deadline.ts';

/** Lets so many through at a time, the others in the order in which they came. */
export class Slots {
  readonly #waiting = new Set<() => void>();
  #free: number;

  constructor(count: number) {
    this.#free = count;
  }

  /** Resolves when a slot is the caller's, who gives it back; rejects, with nothing to give back, when the deadline's end comes first. */
  take(deadline: Deadline): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      const start = () => {
        deadline.onEnd(undefined);
        resolve();
      };
      if (this.#free > 0) {
        this.#free--;
        start();
        return;
      }
      this.#waiting.add(start);
      deadline.onEnd((error) => {
        this.#waiting.delete(start);
        reject(error);
      });
    });
  }

  give(): void {
    for (const start of this.#waiting) {
      this.#waiting.delete(start);
      start();
      return;
    }
    this.#free++;
  }
}
