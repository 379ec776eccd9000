import { ConnectionError } from './connection-error.ts';

const newline = 10;

/** An object is at most a few megabytes; more without an end is not a watch stream. */
const longestLineBytes = 64 * 1024 * 1024;

/** Cuts a byte stream into lines of UTF-8. Each byte is looked at once. */
export class LineSplitter {
  readonly #onLine: (line: string) => void;
  #parts: Buffer[] = [];
  #pendingBytes = 0;

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
  }

  /** Bytes of a line whose end has not come. */
  get pendingBytes(): number {
    return this.#pendingBytes;
  }

  push(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      const line = this.#pendingBytes === 0 ? chunk.toString('utf8', start, end) : this.#take(chunk.subarray(start, end));
      start = end + 1;
      if (line !== '') this.#onLine(line);
    }
    if (start < chunk.length) this.#keep(start === 0 ? chunk : chunk.subarray(start));
  }

  #keep(part: Buffer): void {
    this.#parts.push(part);
    this.#pendingBytes += part.length;
    if (this.#pendingBytes > longestLineBytes) {
      throw new ConnectionError(`a line of the watch has no end after ${this.#pendingBytes} bytes`, {
        code: 'CONNECTION_GARBLED',
        data: { bytes: this.#pendingBytes },
      });
    }
  }

  #take(last: Buffer): string {
    this.#parts.push(last);
    const line = Buffer.concat(this.#parts).toString('utf8');
    this.#parts = [];
    this.#pendingBytes = 0;
    return line;
  }
}
