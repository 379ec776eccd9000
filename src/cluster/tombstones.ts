import { compareResourceVersions } from './resource-version.ts';

/**
 * UIDs that are known to be gone, and up to which version. A watch with a selector also says "deleted" of an object that merely
 * left its view: a later version of the same UID may bring it back.
 *
 * The oldest entries are forgotten, long after anything could still speak of them.
 */
export class Tombstones {
  /** Undefined: gone for ever. */
  readonly #goneAt = new Map<string, string | undefined>();
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** @param version the last one known to be gone; undefined when the UID can never come back */
  add(uid: string, version?: string): void {
    this.#goneAt.set(uid, version);
    if (this.#goneAt.size <= this.#limit) return;
    for (const oldest of this.#goneAt.keys()) {
      this.#goneAt.delete(oldest);
      return;
    }
  }

  /** Whether this version of the object is one that is gone. */
  covers(uid: string, version: string): boolean {
    if (!this.#goneAt.has(uid)) return false;
    const goneAt = this.#goneAt.get(uid);
    return goneAt === undefined || compareResourceVersions(version, goneAt) <= 0;
  }
}
