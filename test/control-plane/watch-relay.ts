import { setTimeout as sleep } from 'node:timers/promises';

import type { ClientExchange } from './client-exchange.ts';
import type { ActiveFault, CutScope } from './fault.ts';
import type { ProxiedRequest } from './proxied-request.ts';
import { errorEventLine, type RefusalStatus } from './status-body.ts';

/**
 * Passes one watch on, line by line, through whatever faults are active when each line comes. It reads as fast as the API server sends and
 * keeps in memory what it may not pass on, so that a held watch does not stop its neighbours on the same connection.
 */
export class WatchRelay {
  readonly request: ProxiedRequest;
  readonly #exchange: ClientExchange;
  readonly #faultsFor: (request: ProxiedRequest) => readonly ActiveFault[];
  readonly #lines: string[] = [];
  #rest = '';
  #upstreamEnd: CutScope | undefined;
  #isSilent = false;
  #isPumping = false;
  #isOver = false;

  constructor(request: ProxiedRequest, exchange: ClientExchange, faultsFor: (request: ProxiedRequest) => readonly ActiveFault[]) {
    this.request = request;
    this.#exchange = exchange;
    this.#faultsFor = faultsFor;
  }

  /** Takes what the API server sent, lines or parts of lines. */
  take(text: string): void {
    const parts = (this.#rest + text).split('\n');
    this.#rest = parts.pop() ?? '';
    this.#lines.push(...parts.map((line) => `${line}\n`));
    void this.#pump();
  }

  /** The API server ended the watch, or broke it off; what is queued still goes out first. */
  upstreamEnded(isWhole: boolean): void {
    this.#upstreamEnd = isWhole ? 'end' : 'stream';
    void this.#pump();
  }

  /** Passes nothing on any more and keeps the watch open. */
  goSilent(): void {
    this.#isSilent = true;
  }

  cut(scope: CutScope): void {
    this.#isOver = true;
    this.#exchange.cut(scope);
  }

  /** Ends the watch with an ERROR line. */
  async fail(status: RefusalStatus): Promise<void> {
    this.#isOver = true;
    await this.#exchange.write(errorEventLine(status, this.request));
    this.#exchange.end();
  }

  async #pump(): Promise<void> {
    if (this.#isPumping) return;
    this.#isPumping = true;
    for (let line = this.#lines.shift(); line !== undefined && this.#isOpen(); line = this.#lines.shift()) await this.#pass(line);
    this.#isPumping = false;
    if (this.#upstreamEnd && this.#isOpen() && !this.#isSilent) this.cut(this.#upstreamEnd);
  }

  #isOpen(): boolean {
    return !this.#isOver && !this.#exchange.isClosed;
  }

  async #pass(line: string): Promise<void> {
    const seen = new Set<ActiveFault>();
    for (;;) {
      const active = this.#faultsFor(this.request).find((candidate) => !seen.has(candidate));
      if (!active || this.#isSilent || !this.#isOpen()) break;
      seen.add(active);
      await this.#apply(active, line);
    }
    if (!this.#isSilent && this.#isOpen()) await this.#exchange.write(line);
  }

  async #apply(active: ActiveFault, line: string): Promise<void> {
    const { fault } = active;
    switch (fault.kind) {
      case 'delay':
        active.strike();
        await sleep(fault.delayMs);
        return;
      case 'frozenView':
        active.strike();
        await Promise.race([active.removed, this.#exchange.closed]);
        return;
      case 'halfOpen':
        active.strike();
        this.#isSilent = true;
        return;
      case 'midLineCut':
        active.strike();
        await this.#exchange.write(line.slice(0, Math.ceil(line.length / 2)));
        this.cut(fault.scope);
        return;
      case 'cut':
      case 'errorEvent':
      case 'answer':
      case 'lostResponse':
        // They strike when they are switched on, or when a request arrives; never at a line.
        return;
      default:
        fault satisfies never;
    }
  }
}
