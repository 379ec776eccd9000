import { createSecureServer, type Http2SecureServer, type Http2Session } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { StringDecoder } from 'node:string_decoder';
import { setTimeout as sleep } from 'node:timers/promises';

import { ByteRelay } from './byte-relay.ts';
import type { Certificate } from './certificate-authority.ts';
import { ClientExchange } from './client-exchange.ts';
import { ActiveFault, type CutScope, type Fault, type FaultOptions } from './fault.ts';
import { type OldAnswer, OldView } from './old-view.ts';
import { describeRequest, type ProxiedRequest, type RequestPredicate } from './proxied-request.ts';
import { type RefusalStatus, statusBody } from './status-body.ts';
import { Traffic, type TrafficCounters } from './traffic.ts';
import { type UpstreamAnswer, type UpstreamCall, type UpstreamConnection, wholeBody } from './upstream-connection.ts';
import { UpstreamPool } from './upstream-pool.ts';
import { WatchRelay } from './watch-relay.ts';
import { type HeldWrite, type HoldMoment, type HoldOptions, WriteGate } from './write-gate.ts';

/** What the proxy stands in front of: a `ControlPlane`, or anything with the same few parts. */
export interface ProxyTarget {
  readonly origin: string;
  readonly caPem: string;
  readonly serving: Certificate;
  userOf(token: string): string | undefined;
  kubeconfig(user: string, server: string): string;
  /** The resourceVersion of the whole store at this moment. */
  currentVersion(): Promise<string>;
}

/** The scope of a cut with the options of any fault. */
export interface CutOptions extends FaultOptions {
  readonly scope?: CutScope;
}

export interface FreezeOptions extends FaultOptions {
  /**
   * What lists, gets and new watches find meanwhile. `fresh` (default): the truth, as from a server whose watch lags; `held`: nothing until
   * the thaw; `old`: what was there when the view froze, as from a member that fell behind.
   */
  readonly reads?: 'fresh' | 'held' | 'old';
}

/**
 * A proxy of HTTP/2 (and HTTP/1.1) over TLS on 127.0.0.1 between a client and the API server, in this process, with faults that a test
 * switches on and off. The caller's token is passed on; client certificates and upgrades (exec, port-forward) are not.
 *
 * One connection of a client is one connection to the API server: what ends the one ends the other. A server that cannot be reached shows
 * as a reset of the client's connection.
 *
 * Faults are asked in the order in which they were switched on; the first that ends an exchange does. The counting of writes and the hold
 * come before them.
 */
export class FaultProxy {
  readonly #target: ProxyTarget;
  readonly #server: Http2SecureServer;
  readonly #relay: ByteRelay;
  readonly #traffic: Traffic;
  readonly #gate = new WriteGate();
  readonly #upstreams: UpstreamPool;
  readonly #watches = new Set<WatchRelay>();
  readonly #faults = new Set<ActiveFault>();
  readonly #sessions = new Set<Http2Session>();
  #requestCount = 0;

  private constructor(target: ProxyTarget, server: Http2SecureServer, relay: ByteRelay) {
    this.#target = target;
    this.#server = server;
    this.#relay = relay;
    this.#upstreams = new UpstreamPool(target);
    this.#traffic = new Traffic(() => ({ open: relay.openConnections, acceptedAtMs: relay.acceptedAtMs }));
  }

  /** `certificate` is what clients are shown: by default the API server's own. */
  static async start(target: ProxyTarget, certificate: Certificate = target.serving): Promise<FaultProxy> {
    const server = createSecureServer({
      allowHTTP1: true,
      cert: certificate.certificatePem,
      key: certificate.keyPem,
      settings: { maxConcurrentStreams: 100 },
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const relay = await ByteRelay.start((server.address() as AddressInfo).port);
    const proxy = new FaultProxy(target, server, relay);
    server.on('request', (request, response) => {
      const exchange = new ClientExchange(request, response, (port) => relay.reset(port));
      proxy.#serve(exchange).catch(() => {
        // The API server broke off, or the client did. A connection that ended is ended by the pool.
        if (!exchange.isClosed) exchange.cut('stream');
      });
    });
    server.on('session', (session) => proxy.#sessionOpened(session));
    for (const event of ['sessionError', 'tlsClientError', 'clientError'] as const) server.on(event, () => {});
    return proxy;
  }

  get origin(): string {
    return `https://127.0.0.1:${this.#relay.port}`;
  }

  /** Path of a kubeconfig with which the user comes through this proxy. */
  kubeconfig(user: string): string {
    return this.#target.kubeconfig(user, this.origin);
  }

  /** Switches a fault on. */
  inject(fault: Fault, options: FaultOptions = {}): ActiveFault {
    const active = new ActiveFault(fault, options);
    this.#faults.add(active);
    void active.removed.then(() => this.#faults.delete(active));
    this.#strikeOpenWatches(active);
    return active;
  }

  delay(delayMs: number, options?: FaultOptions): ActiveFault {
    return this.inject({ kind: 'delay', delayMs }, options);
  }

  /** Default scope: `stream`. */
  cut(options: CutOptions = {}): ActiveFault {
    return this.inject({ kind: 'cut', scope: options.scope ?? 'stream' }, options);
  }

  halfOpen(options?: FaultOptions): ActiveFault {
    return this.inject({ kind: 'halfOpen' }, options);
  }

  /** Default scope: `stream`. */
  midLineCut(options: CutOptions = {}): ActiveFault {
    return this.inject({ kind: 'midLineCut', scope: options.scope ?? 'stream' }, options);
  }

  /** Refuses in the API server's stead. `retryAfterSeconds` (whole seconds) belongs to 429, where its default is 1, and 503. */
  answer(status: RefusalStatus, options: FaultOptions & { readonly retryAfterSeconds?: number } = {}): ActiveFault {
    const retryAfterSeconds = options.retryAfterSeconds ?? (status === 429 ? 1 : undefined);
    return this.inject({ kind: 'answer', status, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) }, options);
  }

  /** Default scope: `stream`. */
  lostResponse(options: CutOptions = {}): ActiveFault {
    return this.inject({ kind: 'lostResponse', scope: options.scope ?? 'stream' }, options);
  }

  /** Default status: 410. */
  errorEvent(options: FaultOptions & { readonly status?: RefusalStatus } = {}): ActiveFault {
    return this.inject({ kind: 'errorEvent', status: options.status ?? 410 }, options);
  }

  /**
   * Makes a client's cache stale: from now on the lines of its watches are kept here, in order, and go out when the fault is removed (the
   * thaw). What other reads find meanwhile is `reads`.
   */
  async freezeView(options: FreezeOptions = {}): Promise<ActiveFault> {
    const reads = options.reads ?? 'fresh';
    if (reads !== 'old') return this.inject({ kind: 'frozenView', reads }, options);
    return this.inject({ kind: 'frozenView', reads, resourceVersion: await this.#target.currentVersion() }, options);
  }

  /** Switches every fault off. */
  clearFaults(): void {
    for (const active of this.#faults) active.remove();
  }

  /**
   * Waits for the operator's n-th write from now on and holds it at a moment. Then a test kills the operator and releases: what was held
   * before it was sent never reaches the API server.
   */
  holdWrite(nth: number, moment: HoldMoment, options?: HoldOptions): HeldWrite {
    return this.#gate.hold(nth, moment, options);
  }

  /** Starts the count behind `writeNumber` again; `holdWrite` does so as well. */
  armWrites(): void {
    this.#gate.arm();
  }

  /** Resets every connection, as when the network or the server dies; with `refuse` each new one too, until `restoreNetwork`. */
  cutNetwork(options: { readonly refuse: boolean }): void {
    this.#relay.resetAll(options);
  }

  /**
   * A dead peer: the connections that are open now take bytes and give none, pings unanswered, for as long as they live. With `newToo` new
   * ones are the same, until `restoreNetwork`.
   */
  goSilent(options: { readonly newToo: boolean } = { newToo: false }): void {
    this.#relay.goSilent(options);
  }

  restoreNetwork(): void {
    this.#relay.relayAgain();
  }

  /** Every request so far, in the order of arrival. */
  requests(when?: RequestPredicate): readonly ProxiedRequest[] {
    return this.#traffic.requests(when);
  }

  counters(): TrafficCounters {
    return this.#traffic.counters();
  }

  peakRequestsPerSecond(when?: RequestPredicate): number {
    return this.#traffic.peakRequestsPerSecond(when);
  }

  peakConnectionsPerSecond(sinceMs?: number): number {
    return this.#traffic.peakConnectionsPerSecond(sinceMs);
  }

  /** Ends every connection, and the proxy. */
  async stop(): Promise<void> {
    this.clearFaults();
    await this.#relay.stop();
    for (const session of this.#sessions) session.destroy();
    this.#upstreams.destroyAll();
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
  }

  async #serve(exchange: ClientExchange): Promise<void> {
    const bodyText = await exchange.readBody();
    if (bodyText === undefined) return;
    const { method, url, headers } = exchange;
    const user = this.#target.userOf((headers.authorization ?? '').replace(/^Bearer /, ''));
    const request = describeRequest({ number: ++this.#requestCount, method, url, bodyText, user }, (counted) => this.#gate.count(counted));
    this.#traffic.requestArrived(request);
    if ((await this.#gate.arrived(request)) === 'drop') return exchange.cut('stream');
    const isForwarded = await this.#passFaults(request, exchange);
    if (isForwarded) await this.#forward(request, exchange, { method, url, headers, bodyText });
  }

  #faultsFor(request: ProxiedRequest): readonly ActiveFault[] {
    return [...this.#faults].filter((active) => active.matches(request));
  }

  /** Applies what strikes before a request is forwarded; resolves with whether it still is to be. */
  async #passFaults(request: ProxiedRequest, exchange: ClientExchange): Promise<boolean> {
    for (const active of this.#faultsFor(request)) {
      const { fault } = active;
      if (fault.kind === 'delay') {
        active.strike();
        await sleep(fault.delayMs);
      } else if (fault.kind === 'cut') {
        active.strike();
        exchange.cut(fault.scope);
        return false;
      } else if (fault.kind === 'halfOpen') {
        active.strike();
        return false;
      } else if (fault.kind === 'answer') {
        active.strike();
        await refuse(fault, request, exchange);
        return false;
      } else if (fault.kind === 'frozenView' && fault.reads === 'held' && !request.isWrite) {
        active.strike();
        await active.removed;
      }
    }
    return true;
  }

  async #forward(request: ProxiedRequest, exchange: ClientExchange, call: UpstreamCall): Promise<void> {
    const upstream = this.#upstreams.of(exchange);
    const oldView = this.#oldViewFor(request, upstream);
    if (request.isWatch) return this.#forwardWatch(request, exchange, { upstream, call, oldView });
    if (oldView && (request.verb === 'get' || request.verb === 'list'))
      return answerOld(exchange, await oldView[request.verb](request, call));
    const answer = await upstream.call(call);
    if (this.#gate.keepsAnswerOf(request)) {
      await wholeBody(answer.stream);
      await this.#gate.applied(request);
      return exchange.cut('stream');
    }
    for (const active of this.#faultsFor(request)) {
      if (active.fault.kind !== 'lostResponse') continue;
      await wholeBody(answer.stream);
      active.strike();
      return exchange.cut(active.fault.scope);
    }
    // A write goes on without its caller, as it would on a network; nobody needs the rest of a read.
    if (!request.isWrite) void exchange.closed.then(() => answer.stream.close());
    await passOn(answer, exchange);
    if (!this.#gate.waitsForReader(request)) return;
    await exchange.closed;
    await exchange.untilRead();
    this.#gate.answered(request);
  }

  #oldViewFor(request: ProxiedRequest, upstream: UpstreamConnection): OldView | undefined {
    if (request.isWrite) return undefined;
    for (const active of this.#faultsFor(request)) {
      const { fault } = active;
      if (fault.kind !== 'frozenView' || fault.reads !== 'old') continue;
      active.strike();
      return new OldView(upstream, fault.resourceVersion);
    }
    return undefined;
  }

  async #forwardWatch(
    request: ProxiedRequest,
    exchange: ClientExchange,
    via: { readonly upstream: UpstreamConnection; readonly call: UpstreamCall; readonly oldView: OldView | undefined },
  ): Promise<void> {
    const old = await via.oldView?.watch(request, via.call);
    // The API server compresses a watch for whom accepts that; faults need its lines.
    const { 'accept-encoding': _, ...headers } = via.call.headers;
    const answer = await via.upstream.call({ ...via.call, headers, url: old?.url ?? via.call.url });
    void exchange.closed.then(() => answer.stream.close());
    // Protobuf has no lines; it passes, but no fault strikes inside it.
    if (answer.status !== 200 || !String(answer.headers['content-type']).includes('json')) return passOn(answer, exchange);
    exchange.begin(answer.status, answer.headers);
    for (const line of old?.lines ?? []) await exchange.write(line);
    this.#relayWatch(request, exchange, answer);
  }

  #relayWatch(request: ProxiedRequest, exchange: ClientExchange, { stream }: UpstreamAnswer): void {
    const watch = new WatchRelay(request, exchange, (asked) => this.#faultsFor(asked));
    this.#watches.add(watch);
    void exchange.closed.then(() => this.#watches.delete(watch));
    this.#traffic.watchOpened(request.path, exchange.closed);
    const decoder = new StringDecoder('utf8');
    let isWhole = false;
    stream.on('data', (chunk: Buffer) => watch.take(decoder.write(chunk)));
    stream.on('end', () => {
      isWhole = !stream.aborted;
    });
    stream.on('error', () => {
      // `close` follows, without an `end`.
    });
    stream.on('close', () => watch.upstreamEnded(isWhole));
    for (const active of this.#faultsFor(request)) if (active.fault.kind === 'errorEvent') this.#strikeWatch(active, watch);
  }

  #strikeOpenWatches(active: ActiveFault): void {
    for (const watch of this.#watches) if (active.matches(watch.request)) this.#strikeWatch(active, watch);
  }

  #strikeWatch(active: ActiveFault, watch: WatchRelay): void {
    const { fault } = active;
    if (fault.kind === 'errorEvent') void watch.fail(fault.status);
    else if (fault.kind === 'cut') watch.cut(fault.scope);
    else if (fault.kind === 'halfOpen') watch.goSilent();
    else return;
    active.strike();
  }

  #sessionOpened(session: Http2Session): void {
    this.#sessions.add(session);
    session.on('error', () => {});
    session.on('close', () => this.#sessions.delete(session));
  }
}

async function refuse(fault: Extract<Fault, { kind: 'answer' }>, request: ProxiedRequest, exchange: ClientExchange): Promise<void> {
  const retryAfter = fault.retryAfterSeconds === undefined ? {} : { 'retry-after': String(fault.retryAfterSeconds) };
  exchange.begin(fault.status, { 'content-type': 'application/json', ...retryAfter });
  await exchange.write(`${JSON.stringify(statusBody(fault.status, request, fault.retryAfterSeconds))}\n`);
  exchange.end();
}

async function answerOld(exchange: ClientExchange, answer: OldAnswer): Promise<void> {
  exchange.begin(answer.status, { 'content-type': 'application/json' });
  await exchange.write(answer.body);
  exchange.end();
}

async function passOn(answer: UpstreamAnswer, exchange: ClientExchange): Promise<void> {
  exchange.begin(answer.status, answer.headers);
  for await (const chunk of answer.stream) await exchange.write(chunk);
  exchange.end();
}
