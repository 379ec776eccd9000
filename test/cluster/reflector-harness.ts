import { ManualClock } from '../../src/clock/manual-clock.ts';
import { ServerTime } from '../../src/clock/server-time.ts';
import { Cluster } from '../../src/cluster/cluster.ts';
import { Http2Transport } from '../../src/cluster/http2-transport.ts';
import { ObjectCache } from '../../src/cluster/object-cache.ts';
import { Reflector } from '../../src/cluster/reflector.ts';
import type { KubernetesObject } from '../../src/resource/kubernetes-object.ts';
import { configOf, withoutPingsMs } from './connection.ts';
import { configMap, FakeApi } from './fake-api.ts';
import { ScriptedServer } from './scripted-server.ts';
import { until } from './until.ts';

/** A reflector that follows a scripted server in time that the test moves. */
export class ReflectorHarness {
  readonly clock = new ManualClock();
  readonly api = new FakeApi();
  readonly errors: unknown[] = [];
  /** Each change of the cache: `added a@101`. */
  readonly told: string[] = [];
  readonly cache = new ObjectCache<KubernetesObject>({ kind: configMap });
  readonly server: ScriptedServer;
  readonly reflector: Reflector<KubernetesObject>;
  readonly #transport: Http2Transport;
  readonly #stop = new AbortController();
  #running: Promise<void> | undefined;

  private constructor(server: ScriptedServer) {
    const { clock, cache } = this;
    const random = () => 0;
    this.server = server;
    this.#transport = new Http2Transport(configOf(server.url), { clock, random, pingIntervalMs: withoutPingsMs });
    const cluster = new Cluster({ transport: this.#transport, clock, time: new ServerTime(clock), random });
    cache.subscribe(({ type, object: { metadata } }) => this.told.push(`${type} ${metadata.name}@${metadata.resourceVersion}`));
    this.reflector = new Reflector({
      cluster,
      transport: this.#transport,
      cache,
      kind: configMap,
      clock,
      random,
      onError: (error) => this.errors.push(error),
    });
  }

  static async start(): Promise<ReflectorHarness> {
    const server = await ScriptedServer.start(() => undefined);
    const harness = new ReflectorHarness(server);
    server.handle = harness.api.handle;
    return harness;
  }

  run(): void {
    this.#running = this.reflector.run(this.#stop.signal);
  }

  /** Until the cache equals what the server stores, and a watch is open. */
  async following(): Promise<void> {
    await this.until(() => this.reflector.status.connected && String(this.content()) === String(this.api.content()), 'the cache to follow');
  }

  until(condition: () => boolean, what: string, stepMs = 50): Promise<void> {
    return until(condition, { what, clock: this.clock, stepMs });
  }

  content(): readonly string[] {
    return this.cache
      .list()
      .map(({ metadata }) => `${metadata.name}@${metadata.resourceVersion}`)
      .toSorted();
  }

  codes(): readonly unknown[] {
    return this.errors.map((error) => (error instanceof Error && 'code' in error ? error.code : error));
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#running;
    await this.#transport.close();
    await this.server.close();
  }
}
