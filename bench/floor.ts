/**
 * The floor: the requests of the job and its watches, with nothing decided. What is left of an operator when all that makes it one
 * is taken away; the ratio of the two is the price of the engine.
 */
import { SystemClock } from '../src/clock/system-clock.ts';
import { connectTransport } from '../src/cluster/connect-transport.ts';
import { loadKubeconfig } from '../src/cluster/load-kubeconfig.ts';

const [kubeconfig = ''] = process.argv.slice(2);
const transport = await connectTransport(await loadKubeconfig({ path: kubeconfig, env: {} }), {
  clock: new SystemClock(),
  random: Math.random,
});
const pools = '/apis/ack.alibabacloud.com/v1/namespaces/bench/nodepools';
const configMaps = '/api/v1/namespaces/bench/configmaps';
const patch = { method: 'PATCH', contentType: 'application/merge-patch+json' } as const;
const apply = { method: 'PATCH', contentType: 'application/apply-patch+yaml' } as const;
const stop = new AbortController();
const busy = new Set<string>();
const waiting: string[] = [];
const workers = 10;

interface Line {
  readonly type: string;
  readonly object: { readonly metadata: { readonly name: string; readonly uid: string } };
}

async function live(name: string, uid: string): Promise<void> {
  const at = new Date().toISOString();
  const status = (state: string, sequence: number, replicas: number) =>
    JSON.stringify({
      status: {
        phase: state,
        actualReplicas: replicas,
        observedGeneration: 1,
        lifecycle: { state, sequence, entered: { [state]: at }, machineVersion: '1.0.0', memory: {}, allowedCommands: [] },
      },
    });
  const first = await transport.request({ ...patch, path: `${pools}/${name}/status`, body: status('ScalingUp', 1, 0) });
  if (first.status !== 200) throw new Error(first.body);
  const metadata = (ordinal: number) => ({
    name: `${name}-${ordinal}`,
    namespace: 'bench',
    labels: { nodepool: name },
    ownerReferences: [{ apiVersion: 'ack.alibabacloud.com/v1', kind: 'NodePool', name, uid, controller: true }],
  });
  const made = [0, 1, 2].map((ordinal) =>
    transport.request({
      ...apply,
      path: `${configMaps}/${name}-${ordinal}?fieldManager=floor`,
      body: JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: metadata(ordinal) }),
    }),
  );
  for (const answer of await Promise.all(made)) JSON.parse(answer.body);
  JSON.parse((await transport.request({ ...patch, path: `${pools}/${name}/status`, body: status('Running', 2, 3) })).body);
}

function pump(uids: ReadonlyMap<string, string>): void {
  while (busy.size < workers) {
    const name = waiting.shift();
    if (name === undefined) return;
    busy.add(name);
    void live(name, uids.get(name) ?? '').then(() => {
      busy.delete(name);
      pump(uids);
    });
  }
}

const uids = new Map<string, string>();
const watches = [pools, configMaps].map((path) =>
  transport.watch({ path: `${path}?watch=1`, signal: stop.signal, silenceMs: 600_000 }, (text) => {
    const { type, object }: Line = JSON.parse(text);
    if (path !== pools || type !== 'ADDED') return;
    uids.set(object.metadata.name, object.metadata.uid);
    waiting.push(object.metadata.name);
    pump(uids);
  }),
);
process.stdout.write('"message":"ready"\n');
process.once('SIGTERM', () => stop.abort());
await Promise.allSettled(watches);
await transport.close();
