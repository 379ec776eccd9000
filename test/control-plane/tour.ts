/** `npm start`: the sample on a real control plane, from the first phase to a refused forgery, with the operator as a process. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { parse } from 'yaml';
import { ServerTime } from '../../src/clock/server-time.ts';
import { ApiError } from '../../src/cluster/api-error.ts';
import { SystemClock } from '../../src/clock/system-clock.ts';
import { Cluster } from '../../src/cluster/cluster.ts';
import { connectTransport } from '../../src/cluster/connect-transport.ts';
import { loadKubeconfig } from '../../src/cluster/load-kubeconfig.ts';
import { ObjectCache } from '../../src/cluster/object-cache.ts';
import { Reflector } from '../../src/cluster/reflector.ts';
import type { Transport } from '../../src/cluster/transport.ts';
import { durationText } from '../../src/machine/duration-text.ts';
import { Node } from '../../src/resource/core-kinds.ts';
import { defineKindOf, type Kind } from '../../src/resource/kind.ts';
import type { DesiredObject, KubernetesObject } from '../../src/resource/kubernetes-object.ts';
import { prepareControlPlane } from '../ladder/control-plane.ts';
import { ControlPlane } from './control-plane.ts';
import { eventually } from './eventually.ts';
import { runProgram } from './run-program.ts';

interface PoolStatus {
  readonly phase: string;
  readonly actualReplicas?: number;
  readonly lifecycle: {
    readonly sequence: number;
    readonly deadline?: { readonly at: string };
    readonly history?: readonly {
      readonly sequence: number;
      readonly from: string;
      readonly to: string;
      readonly event: string;
      readonly at: string;
      readonly cause?: string;
    }[];
  };
}

interface Pool extends KubernetesObject {
  readonly spec: { readonly minSize: number };
  readonly status: PoolStatus;
}

/** Where the tour takes place. */
interface Place {
  readonly kubeconfig: string;
  /** Set when the control plane is the tour's own. */
  readonly plane?: ControlPlane;
}

/** The tour cannot take place here. */
class CannotStart extends Error {}

const root = join(import.meta.dirname, '../..');
const main = join(root, 'src/cli/main.ts');
const machines = 'machines/nodepool';
const sampleFile = `${machines}/sample.yaml`;
const nodePool: Kind<Pool> = defineKindOf<Pool>({ apiVersion: 'ack.alibabacloud.com/v1', kind: 'NodePool', scope: 'Cluster' });
const crdKind = defineKindOf({ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', scope: 'Cluster' });
const fieldManager = 'tour';
const stepWithinMs = 60_000;

const help = `Usage: npm start [-- [--use-kubeconfig] [--stay]]

Starts a control plane on this machine, runs the operator on it and shows a NodePool moving through its phases.

  --use-kubeconfig  take the cluster of $KUBECONFIG instead; ~/.kube/config is never read.
                    Its Nodes must turn Ready by themselves, as they do where kwok runs.
  --stay            go on with the pool, its operator and the control plane until Ctrl-C, to try things with kubectl.

Exit codes: 0 all of it happened, 1 something did not, 2 usage, 3 nothing to run it on, 130 interrupted.
`;

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function clockText(instant: string | number): string {
  return new Date(instant).toTimeString().slice(0, 8);
}

function told(name: string, word: string, why: string, aside = ''): void {
  say(`${clockText(Date.now())}  ${name}  ${word.padEnd(11)}  ${aside === '' ? why : why.padEnd(48)}  ${aside}`.trimEnd());
}

async function findPlace(useKubeconfig: boolean): Promise<Place> {
  if (useKubeconfig) {
    const kubeconfig = process.env['KUBECONFIG'];
    if (kubeconfig) return { kubeconfig };
    throw new CannotStart('KUBECONFIG is not set\nhint: KUBECONFIG=path/to/kubeconfig npm start -- --use-kubeconfig');
  }
  const prepared = await prepareControlPlane();
  if (prepared.state !== 'ready') {
    throw new CannotStart(
      `${prepared.why}\nhint: install Go 1.26 or newer and repeat, or: KUBECONFIG=path/to/kubeconfig npm start -- --use-kubeconfig`,
    );
  }
  const plane = await ControlPlane.start({ controllers: true, scheduler: true, kwok: true, audit: false });
  return { kubeconfig: plane.kubeconfig(), plane };
}

async function runCli(args: readonly string[], kubeconfig: string): Promise<string> {
  const env = { ...process.env, KUBECONFIG: kubeconfig };
  const result = await runProgram(process.execPath, ['--conditions=source', main, ...args], { cwd: root, env });
  if (result.code !== 0) throw new Error(`phasekeeper ${args.join(' ')} ended with ${result.code}: ${result.stderr}`);
  return result.stdout;
}

/** The operator as a process of its own. */
class Operator {
  readonly #process: ChildProcess;
  readonly #ended: Promise<void>;
  #isReady = false;
  #stderr = '';
  errors = 0;

  constructor(kubeconfig: string) {
    const env = { ...process.env, KUBECONFIG: kubeconfig };
    // In a group of its own: Ctrl-C at the terminal is the tour's to handle.
    const child = spawn(process.execPath, ['--conditions=source', main, 'run', machines], {
      cwd: root,
      env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#process = child;
    this.#ended = new Promise((resolve) => child.once('close', () => resolve()));
    createInterface({ input: child.stdout }).on('line', (line) => this.#hear(line));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (this.#stderr += text));
  }

  #hear(line: string): void {
    const { level, message } = JSON.parse(line) as { readonly level: string; readonly message: string };
    if (message === 'ready') this.#isReady = true;
    if (level !== 'error') return;
    this.errors++;
    say(line);
  }

  async ready(): Promise<void> {
    await eventually(() => this.#isReady || this.#process.exitCode !== null, { what: 'the operator to be ready', withinMs: stepWithinMs });
    if (!this.#isReady) throw new Error(`the operator ended with ${this.#process.exitCode}:\n${this.#stderr}`);
  }

  async stop(): Promise<void> {
    this.#process.kill('SIGTERM');
    const kill = setTimeout(() => this.#process.kill('SIGKILL'), 10_000);
    await this.#ended;
    clearTimeout(kill);
  }
}

/** The NodePool as the watch shows it; each transition is a line. */
class Show {
  readonly cache = new ObjectCache<Pool>({ kind: nodePool });
  readonly #name: string;
  #shown = 0;

  constructor(name: string) {
    this.#name = name;
    this.cache.subscribe(({ type, object }) => {
      if (object.metadata.name === name && type !== 'deleted') this.#show(object.status);
    });
  }

  get transitions(): number {
    return this.#shown;
  }

  get pool(): Pool | undefined {
    return this.cache.get(this.#name);
  }

  /** Resolves once the pool is Running with so many nodes, after more than `after` transitions. */
  async running(nodes: number, after: number): Promise<void> {
    const arrived = () => {
      const status = this.pool?.status;
      return status?.phase === 'Running' && status.lifecycle.sequence > after && status.actualReplicas === nodes;
    };
    await eventually(arrived, { what: `${this.#name} to be Running with ${nodes} nodes`, withinMs: stepWithinMs });
  }

  #show({ lifecycle: { history = [], deadline } }: PoolStatus): void {
    for (const [index, { sequence, from, to, event, at, cause }] of history.entries()) {
      if (sequence <= this.#shown) continue;
      this.#shown = sequence;
      const before = history[index - 1];
      const held = before === undefined ? '' : `${durationText(Date.parse(at) - Date.parse(before.at))} in ${from}`;
      const aside = deadline !== undefined && index === history.length - 1 ? `deadline ${clockText(deadline.at)}` : held;
      told(this.#name, to, `${event.replace('fact ', '')}${cause === undefined ? '' : `: ${cause}`}`, aside);
    }
  }
}

interface Tour {
  readonly cluster: Cluster;
  readonly show: Show;
  readonly name: string;
}

async function resize({ cluster, show, name }: Tour, minSize: number): Promise<void> {
  const after = show.pool?.status.lifecycle.sequence ?? 0;
  await cluster.patch(nodePool, name, { spec: { minSize } }, { fieldManager });
  told(name, 'resized', `minSize ${minSize}`);
  await show.running(minSize, after);
}

async function loseNode({ cluster, show, name }: Tour): Promise<void> {
  const after = show.pool?.status.lifecycle.sequence ?? 0;
  const node = await cluster.get(Node, `${name}-0`);
  if (node === undefined) throw new Error(`node ${name}-0 should be there`);
  await cluster.delete(Node, node.metadata.name, { uid: node.metadata.uid });
  told(name, 'node lost', `${node.metadata.name} deleted by "${fieldManager}"`);
  await show.running(show.pool?.spec.minSize ?? 0, after);
}

/** Writes a phase that no edge leads to, with the rights of an admin and the right sequence: the API server must say no. */
async function forgePhase({ cluster, show, name }: Tour): Promise<void> {
  const status = show.pool?.status;
  if (status === undefined) throw new Error('there is no pool to forge');
  const entered = { [status.phase]: null, Pending: new Date().toISOString() };
  const forged = { status: { phase: 'Pending', lifecycle: { state: 'Pending', sequence: status.lifecycle.sequence + 1, entered } } };
  const answer: unknown = await cluster
    .patch(nodePool, name, forged, { fieldManager, subresource: 'status' })
    .catch((error: unknown) => error);
  if (!(answer instanceof ApiError) || answer.status !== 422) throw new Error(`the forged phase was not refused: ${String(answer)}`);
  const said = answer.details?.causes?.[0]?.message ?? answer.message;
  told(name, 'refused', `phase ${status.phase} -> Pending written by "${fieldManager}"`);
  say(`${' '.repeat(10 + name.length + 2 + 13)}422: ${said.replace(/^Invalid value: ("object": )?/, '')}`);
}

/** Never ends by itself: Ctrl-C ends the tour. */
function stayHere(name: string): Promise<never> {
  say(`\n${name} and its operator stay until Ctrl-C. In another terminal, after the export above: kubectl get nodepools\n`);
  return new Promise(() => undefined);
}

async function removePool({ cluster, show, name }: Tour): Promise<void> {
  const { pool } = show;
  if (pool === undefined) return;
  await cluster.delete(nodePool, name, { uid: pool.metadata.uid });
  await eventually(() => show.pool === undefined, { what: `${name} to be gone`, withinMs: stepWithinMs });
  told(name, 'gone', 'deleted, its nodes were drained and removed first');
}

async function applyCrd(cluster: Cluster, kubeconfig: string): Promise<void> {
  const crd = JSON.parse(await runCli(['crd', machines, '-o', 'json'], kubeconfig)) as DesiredObject;
  await cluster.apply(crdKind, crd.metadata.name, crd, { fieldManager, force: true });
  const established = async () =>
    (await cluster.send({ method: 'GET', path: '/apis/ack.alibabacloud.com/v1/nodepools?limit=1' })).status === 200;
  await eventually(established, { what: 'the NodePool API to be served', withinMs: stepWithinMs });
}

async function applySample(cluster: Cluster): Promise<string> {
  const sample = parse(readFileSync(join(root, sampleFile), 'utf8')) as DesiredObject & Pick<Pool, 'spec'>;
  const { name } = sample.metadata;
  if ((await cluster.get(nodePool, name)) !== undefined) throw new Error(`NodePool ${name} exists already; the tour wants to make it`);
  await cluster.apply(nodePool, name, sample, { fieldManager });
  told(name, 'Pending', `${sampleFile} applied (minSize ${sample.spec.minSize})`);
  return name;
}

/** All of it, in order. @returns how many transitions and errors there were */
async function take(
  place: Place,
  transport: Transport,
  parts: { readonly cluster: Cluster; readonly clock: SystemClock; readonly signal: AbortSignal; readonly stay: boolean },
): Promise<{ readonly transitions: number; readonly errors: number }> {
  const { cluster, clock, signal, stay } = parts;
  await applyCrd(cluster, place.kubeconfig);
  const operator = new Operator(place.kubeconfig);
  const ended = new AbortController();
  let reflecting: Promise<void> | undefined;
  try {
    await until(signal, operator.ready());
    const name = await applySample(cluster);
    const show = new Show(name);
    const onError = (error: unknown) => say(`the watch broke and is opened again: ${String(error)}`);
    const reflector = new Reflector<Pool>({ cluster, transport, cache: show.cache, kind: nodePool, clock, random: Math.random, onError });
    reflecting = reflector.run(ended.signal);
    const tour = { cluster, show, name };
    const steps = [
      () => show.running(2, 0),
      () => forgePhase(tour),
      () => resize(tour, 3),
      () => resize(tour, 1),
      () => loseNode(tour),
      ...(stay ? [() => stayHere(name)] : []),
      () => removePool(tour),
    ];
    for (const step of steps) await until(signal, step());
    return { transitions: show.transitions, errors: operator.errors };
  } finally {
    ended.abort();
    await Promise.all([operator.stop(), reflecting]);
  }
}

/** The work's result, or an error as soon as the signal comes. */
async function until<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  work.catch(() => undefined);
  const interrupted = new Promise<never>((_, reject) => {
    const stop = () => reject(new Error('interrupted'));
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
  return Promise.race([work, interrupted]);
}

async function run(
  { useKubeconfig, stay }: { readonly useKubeconfig: boolean; readonly stay: boolean },
  signal: AbortSignal,
): Promise<void> {
  const place = await findPlace(useKubeconfig);
  const clock = new SystemClock();
  const random = Math.random;
  let transport: Transport | undefined;
  try {
    if (signal.aborted) return;
    const config = await loadKubeconfig({ path: place.kubeconfig, env: {}, clock });
    transport = await connectTransport(config, { clock, random });
    say(`Phasekeeper  Node ${process.versions.node}\n`);
    say(
      `  API server  ${config.server}   ${place.plane === undefined ? config.source : 'etcd, kube-apiserver, controllers and kwok on this machine, until the tour ends'}`,
    );
    say(`  kubectl     export KUBECONFIG=${place.kubeconfig}\n`);
    const startMs = performance.now();
    const cluster = new Cluster({ transport, clock, time: new ServerTime(clock), random });
    const { transitions, errors } = await take(place, transport, { cluster, clock, signal, stay });
    const took = ((performance.now() - startMs) / 1_000).toFixed(1);
    say(
      `\nTour: ${transitions} transitions, 1 write refused as it should be, ${errors} errors, ${took}s.  Next: read ${machines}/definition.ts, then: npm test`,
    );
    if (errors > 0) throw new Error('the operator logged errors');
  } finally {
    await transport?.close();
    await place.plane?.stop();
  }
}

const interrupt = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) {
  process.on(name, () => {
    if (interrupt.signal.aborted) process.exit(130);
    say('stopping; once more ends at once');
    interrupt.abort();
  });
}
try {
  const { values } = parseArgs({
    options: { 'use-kubeconfig': { type: 'boolean' }, stay: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
  });
  if (values.help) process.stdout.write(help);
  else await run({ useKubeconfig: values['use-kubeconfig'] ?? false, stay: values.stay ?? false }, interrupt.signal);
  process.exitCode = interrupt.signal.aborted ? 130 : 0;
} catch (error) {
  const isUsage = error instanceof TypeError && 'code' in error;
  process.stderr.write(interrupt.signal.aborted ? '' : `error: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = interrupt.signal.aborted ? 130 : isUsage ? 2 : error instanceof CannotStart ? 3 : 1;
}
