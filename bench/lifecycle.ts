/**
 * What one lifecycle costs: CPU of the operator for a NodePool of three ConfigMaps from creation to Running (five writes), beside the
 * floor that makes the same requests and decides nothing. Both run in turn on one control plane; read the ratio, not the figures.
 *
 *   npm run build && npm run bench:build
 *   node --conditions=source bench/lifecycle.ts [--objects 1000] [--rounds 3] [--peers floor,phasekeeper,nodepool] [--node-args '--cpu-prof']
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { SystemClock } from '../src/clock/system-clock.ts';
import { connectTransport } from '../src/cluster/connect-transport.ts';
import { loadKubeconfig } from '../src/cluster/load-kubeconfig.ts';
import type { Transport } from '../src/cluster/transport.ts';
import { crdYaml } from '../src/manifest/crd-yaml.ts';
import { ControlPlane } from '../test/control-plane/control-plane.ts';
import { eventually } from '../test/control-plane/eventually.ts';
import { nodePool as realNodePool } from '../machines/nodepool/definition.ts';
import { nodePool } from './configmaps/definition.ts';
import { usageOf } from './process-usage.ts';

const { values } = parseArgs({
  options: {
    objects: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '3' },
    peers: { type: 'string', default: 'floor,phasekeeper,nodepool' },
    'node-args': { type: 'string', default: '' },
    log: { type: 'string', default: 'warn' },
  },
});
const objects = Number(values.objects);
const rounds = Number(values.rounds);
/** Objects made before anything is measured. */
const warmUp = 100;
const root = join(import.meta.dirname, '..');

/** What is made, and by which definition. */
interface Job {
  readonly path: string;
  readonly definition: string;
  readonly crd: string;
  /** Nodes need someone who says that they are Ready. */
  readonly kwok: boolean;
}

const configMapJob: Job = {
  path: '/apis/ack.alibabacloud.com/v1/namespaces/bench/nodepools',
  definition: '.bench/bench/configmaps/definition.js',
  crd: crdYaml(nodePool),
  kwok: false,
};
const jobs: Readonly<Record<string, Job>> = {
  floor: configMapJob,
  phasekeeper: configMapJob,
  // The real machine: Nodes, a finalizer, an accepted spec. Not comparable with the floor; shown beside it.
  nodepool: {
    path: '/apis/ack.alibabacloud.com/v1/nodepools',
    definition: '.bench/machines/nodepool/definition.js',
    crd: crdYaml(realNodePool),
    kwok: true,
  },
};

interface Round {
  readonly msPerLifecycle: number;
  readonly systemMs: number;
  readonly wallSeconds: number;
  readonly peakRssMib: number;
}

const operator = existsSync(join(root, 'dist/cli/main.js')) ? [join(root, 'dist/cli/main.js')] : undefined;
if (operator === undefined) throw new Error('dist/ is missing; run: npm run build && npm run bench:build');

function commandOf(peer: string, job: Job, kubeconfig: string): readonly string[] {
  if (peer === 'floor') return ['--conditions=source', join(root, 'bench/floor.ts'), kubeconfig];
  return [...(operator ?? []), 'run', join(root, job.definition), '--no-events', '--log-level', values.log, '--kubeconfig', kubeconfig];
}

async function create(
  transport: Transport,
  job: Job,
  { prefix, count }: { readonly prefix: string; readonly count: number },
): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) {
      const name = `${prefix}-${next++}`;
      const body = {
        apiVersion: 'ack.alibabacloud.com/v1',
        kind: 'NodePool',
        metadata: { name },
        spec: { minSize: 3, maxSize: 10, systemDiskCategory: 'cloud_essd' },
      };
      await transport.request({ method: 'POST', path: job.path, body: JSON.stringify(body) });
    }
  };
  await Promise.all(Array.from({ length: 16 }, worker));
}

/** How many of the round's pools are Running. */
async function running(transport: Transport, job: Job): Promise<number> {
  const accept = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';
  const answer = await transport.request({ method: 'GET', path: `${job.path}?fieldSelector=status.phase%3DRunning`, accept });
  const { items } = JSON.parse(answer.body) as { items: unknown[] | null };
  return items?.length ?? 0;
}

async function round(peer: string, number: number): Promise<Round> {
  const job = jobs[peer];
  if (job === undefined) throw new Error(`no peer is called ${peer}; there are ${Object.keys(jobs).join(', ')}`);
  const plane = await ControlPlane.start({ audit: false, kwok: job.kwok });
  const clock = new SystemClock();
  const transport = await connectTransport(await loadKubeconfig({ path: plane.kubeconfig('admin'), env: {} }), {
    clock,
    random: Math.random,
  });
  try {
    await plane.mustKubectl(['create', 'namespace', 'bench']);
    await plane.mustKubectl(['apply', '-f', '-'], { input: job.crd });
    await eventually(async () => (await transport.request({ method: 'GET', path: job.path })).status === 200, {
      what: 'nodepools to be served',
    });
    const nodeArgs = values['node-args'].split(' ').filter((arg) => arg !== '');
    const child = spawn(process.execPath, [...nodeArgs, ...commandOf(peer, job, plane.kubeconfig('admin'))], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    try {
      await create(transport, job, { prefix: 'warm', count: warmUp });
      await untilRunning(transport, job, warmUp);
      const before = usageOf(child.pid ?? 0);
      const startMs = performance.now();
      await create(transport, job, { prefix: `round${number}`, count: objects });
      await untilRunning(transport, job, warmUp + objects);
      const wallSeconds = (performance.now() - startMs) / 1_000;
      const after = usageOf(child.pid ?? 0);
      return {
        msPerLifecycle: (after.cpuMs - before.cpuMs) / objects,
        systemMs: (after.systemMs - before.systemMs) / objects,
        wallSeconds,
        peakRssMib: after.peakRssMib,
      };
    } finally {
      child.kill('SIGTERM');
      await new Promise((resolve) => child.once('exit', resolve));
    }
  } finally {
    await transport.close();
    await plane.stop();
  }
}

/** A list with a field selector costs the API server alone: the operator's figure is not touched by asking. */
async function untilRunning(transport: Transport, job: Job, count: number): Promise<void> {
  while ((await running(transport, job)) < count) await sleep(300);
}

const results = new Map<string, Round[]>();
for (let number = 1; number <= rounds; number++) {
  for (const peer of values.peers.split(',')) {
    const result = await round(peer, number);
    results.set(peer, [...(results.get(peer) ?? []), result]);
    console.log(
      `${peer.padEnd(12)} round ${number}  ${result.msPerLifecycle.toFixed(2)} ms CPU per lifecycle (${result.systemMs.toFixed(2)} in the kernel)  ${result.wallSeconds.toFixed(1)} s  peak ${result.peakRssMib.toFixed(0)} MiB`,
    );
  }
}
const median = (peer: string) =>
  (results.get(peer) ?? []).map((each) => each.msPerLifecycle).toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0;
console.log(
  `ratio        phasekeeper : floor = ${(median('phasekeeper') / median('floor')).toFixed(2)} (medians of ${rounds} rounds of ${objects})`,
);
