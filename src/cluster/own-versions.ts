/** Versions that are remembered; the oldest go first. */
const limit = 10_000;
const field = '"resourceVersion":"';

/**
 * The versions that our own writes made, so that the watch's news of them need not be parsed: the answer to the write is in the
 * cache already. A version is one write's in the whole store.
 */
export class OwnVersions {
  readonly #versions = new Set<string>();

  add(version: string): void {
    this.#versions.add(version);
    if (this.#versions.size <= limit) return;
    for (const oldest of this.#versions) {
      this.#versions.delete(oldest);
      return;
    }
  }

  /**
   * The version of a watch line that tells of our own write, once; undefined for any other line. A line in which the field occurs
   * twice is never taken for one: an annotation may bear any name.
   */
  take(line: string): string | undefined {
    if (this.#versions.size === 0 || line.startsWith('{"type":"DELETED"')) return undefined;
    const at = line.indexOf(field);
    if (at < 0) return undefined;
    const start = at + field.length;
    const version = line.slice(start, line.indexOf('"', start));
    if (!this.#versions.has(version) || line.includes(field, start)) return undefined;
    this.#versions.delete(version);
    return version;
  }
}
