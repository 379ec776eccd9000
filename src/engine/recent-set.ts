/** The last values added, a bounded number of them. */
export class RecentSet {
  readonly #limit: number;
  readonly #values = new Set<string>();

  /** @param limit how many values are kept; default 1,000 */
  constructor(limit = 1_000) {
    this.#limit = limit;
  }

  add(value: string): void {
    this.#values.delete(value);
    this.#values.add(value);
    if (this.#values.size <= this.#limit) return;
    for (const oldest of this.#values) {
      this.#values.delete(oldest);
      return;
    }
  }

  has(value: string): boolean {
    return this.#values.has(value);
  }
}
