import type { Credentials } from './credentials.ts';

/** A header that never changes, or none. */
export class StaticCredentials implements Credentials {
  readonly #header: string | undefined;

  constructor(header?: string) {
    this.#header = header;
  }

  authorization(): string | undefined {
    return this.#header;
  }

  renew(): Promise<boolean> {
    return Promise.resolve(false);
  }
}
