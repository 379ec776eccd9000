import { readFileSync } from 'node:fs';
import type { Clock } from '../clock/clock.ts';
import { messageOf } from '../failure/message-of.ts';
import { PhasekeeperError } from '../failure/phasekeeper-error.ts';
import type { Credentials } from './credentials.ts';

/** Kubelets rotate a service account's token long before it ends; one look a minute is enough. */
const readEveryMs = 60_000;

/** A bearer token in a file that someone rotates: read again each minute, and at once when the server refuses it. */
export class TokenFileCredentials implements Credentials {
  readonly #file: string;
  readonly #clock: Clock;
  #header: string | undefined;
  #readMs = Number.NEGATIVE_INFINITY;

  constructor(file: string, clock: Clock) {
    this.#file = file;
    this.#clock = clock;
  }

  authorization(): string | undefined {
    if (this.#clock.monotonicMs() - this.#readMs >= readEveryMs) this.#read();
    return this.#header;
  }

  renew(rejected: string | undefined): Promise<boolean> {
    this.#read();
    return Promise.resolve(this.#header !== rejected);
  }

  #read(): void {
    this.#readMs = this.#clock.monotonicMs();
    try {
      this.#header = `Bearer ${readFileSync(this.#file, 'utf8').trim()}`;
    } catch (error) {
      // A token that we already hold outlives a moment in which its file is being replaced.
      if (this.#header !== undefined) return;
      throw new PhasekeeperError(`cannot read the token file ${this.#file}: ${messageOf(error)}`, {
        code: 'TOKEN_FILE_UNREADABLE',
        disposition: 'fatal',
        data: { file: this.#file },
        hint: 'check that the file exists and that this process may read it',
        cause: error,
      });
    }
  }
}
