import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { eventually } from '../control-plane/eventually.ts';
import { OperatorProcess } from '../control-plane/operator-process.ts';
import { describeControlPlane } from '../control-plane/suite.ts';
import { staysUnchanged } from '../control-plane/unchanged.ts';
import { Pools } from './pools.ts';

const sample = join(import.meta.dirname, '..', '..', 'machines', 'nodepool', 'sample.yaml');
/** How long a settled operator is watched for writes. */
const quietSeconds = 60;

describeControlPlane('a NodePool, with kubectl as its user', { controllers: true, scheduler: true, kwok: true }, (context) => {
  let pools: Pools;
  let operator: OperatorProcess;

  beforeAll(async () => {
    pools = new Pools(context.controlPlane);
    await pools.install();
    operator = OperatorProcess.start({ kubeconfig: context.controlPlane.kubeconfig('operator'), machines: ['machines/nodepool'] });
    await operator.untilReady();
    return () => operator.dispose();
  }, 60_000);

  it('reaches Running with two replicas from the published manifest, and kubectl shows it', async () => {
    await context.controlPlane.mustKubectl(['apply', '-f', sample]);
    await pools.until('demo', 'Running', 2);
    const table = await context.controlPlane.mustKubectl(['get', 'nodepools']);
    expect(table.split('\n')[0]?.split(/\s+/)).toEqual(['NAME', 'PHASE', 'SINCE', 'READY', 'REPLICAS', 'AGE']);
    expect(table).toMatch(/^demo +Running +\S+ +True +2 +\S+$/m);
    expect(readFileSync(sample, 'utf8')).toContain('minSize: 2');
    expect(await pools.nodeNames('demo')).toEqual(['demo-0', 'demo-1']);
  });

  it('follows a raised and a lowered minSize, draining from the highest', async () => {
    await context.controlPlane.mustKubectl(['patch', 'np', 'demo', '--type=merge', '-p', '{"spec":{"minSize":4}}']);
    await pools.until('demo', 'Running', 4);
    await context.controlPlane.mustKubectl(['patch', 'np', 'demo', '--type=merge', '-p', '{"spec":{"minSize":1}}']);
    await pools.until('demo', 'Running', 1);
    expect(await pools.nodeNames('demo')).toEqual(['demo-0']);
    expect(pools.effects('demo').deleted).toEqual(['demo-3', 'demo-2', 'demo-1']);
  });

  it('replaces a node that is lost', async () => {
    await pools.apply('lost', { minSize: 2 });
    const before = await pools.until('lost', 'Running', 2);
    await context.controlPlane.mustKubectl(['delete', 'node', 'lost-1']);
    const after = await eventually(
      async () => {
        const pool = await pools.until('lost', 'Running', 2);
        return pool.status.lifecycle.sequence >= before.status.lifecycle.sequence + 2 ? pool : undefined;
      },
      { what: 'lost to be Running again' },
    );
    expect(after.status.lifecycle.history?.slice(-2).map(({ to }) => to)).toEqual(['ScalingUp', 'Running']);
  });

  it('evicts pods one node at a time and waits for a PodDisruptionBudget', async () => {
    const plane = context.controlPlane;
    await pools.apply('guarded', { minSize: 2 });
    await pools.until('guarded', 'Running', 2);
    const labels = { app: 'guarded' };
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'guarded', namespace: 'default', labels },
      spec: { nodeName: 'guarded-1', containers: [{ name: 'main', image: 'none' }] },
    };
    const budget = {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: 'guarded', namespace: 'default' },
      spec: { minAvailable: 1, selector: { matchLabels: labels } },
    };
    await eventually(async () => (await plane.kubectl(['get', 'serviceaccount', 'default'])).code === 0, {
      what: 'the default service account',
    });
    await plane.mustKubectl(['apply', '-f', '-'], { input: `${JSON.stringify(pod)}\n---\n${JSON.stringify(budget)}` });
    await plane.mustKubectl(['wait', 'pod/guarded', '--for=condition=Ready', '--timeout=30s']);
    await eventually(async () => (await plane.mustKubectl(['get', 'pdb', 'guarded', '-o', 'jsonpath={.status.currentHealthy}'])) === '1', {
      what: 'the budget to count its pod',
    });
    await pools.apply('guarded', { minSize: 1 });
    const held = await eventually(
      async () => {
        const pool = await pools.get('guarded');
        return pool?.status.conditions?.find(({ type, reason }) => type === 'Reconciling' && reason === 'DrainBlocked');
      },
      { what: 'the drain to be held back' },
    );
    expect(held.message).toContain('default/guarded');
    expect(await pools.nodeNames('guarded')).toEqual(['guarded-0', 'guarded-1']);
    expect((await pools.nodes('guarded')).map(({ spec }) => spec?.unschedulable)).toEqual([undefined, true]);
    await plane.mustKubectl(['delete', 'pdb', 'guarded']);
    await pools.until('guarded', 'Running', 1);
    expect(await pools.nodeNames('guarded')).toEqual(['guarded-0']);
  });

  it('takes back a lowered minSize half way and uncordons what stays', async () => {
    const plane = context.controlPlane;
    await pools.apply('halfway', { minSize: 3 });
    await pools.until('halfway', 'Running', 3);
    // A finalizer on the first node to go holds the scale-down in the middle.
    await plane.mustKubectl(['patch', 'node', 'halfway-2', '--type=merge', '-p', '{"metadata":{"finalizers":["example.com/hold"]}}']);
    await pools.apply('halfway', { minSize: 1 });
    await eventually(
      async () => (await plane.mustKubectl(['get', 'node', 'halfway-2', '-o', 'jsonpath={.metadata.deletionTimestamp}'])) !== '',
      { what: 'halfway-2 to be on its way out' },
    );
    await pools.apply('halfway', { minSize: 3 });
    await pools.until('halfway', 'ScalingUp');
    await plane.mustKubectl(['patch', 'node', 'halfway-2', '--type=merge', '-p', '{"metadata":{"finalizers":null}}']);
    await pools.until('halfway', 'Running', 3);
    expect((await pools.nodes('halfway')).map(({ spec }) => spec?.unschedulable)).toEqual([undefined, undefined, undefined]);
    expect(pools.effects('halfway').deleted).toEqual(['halfway-2']);
  });

  it('has an illegal phase refused by the API server, with the legal ones named', async () => {
    await pools.apply('refused', { minSize: 1 });
    const before = await pools.until('refused', 'Running', 1);
    const forged = { status: { phase: 'Pending', lifecycle: { state: 'Pending', sequence: before.status.lifecycle.sequence + 1 } } };
    const refused = await context.controlPlane.kubectl(
      ['patch', 'np', 'refused', '--subresource=status', '--type=merge', '-p', JSON.stringify(forged)],
      { user: 'mallory' },
    );
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain('legal from Running: ');
    expect((await pools.get('refused'))?.status.phase).toBe('Running');
  });

  it('writes nothing for a minute once everything is settled', async () => {
    const writes = () => context.controlPlane.audit({ user: 'operator', writes: true }).map(({ verb, uri }) => `${verb} ${uri}`);
    await staysUnchanged(writes, { what: 'the list of writes', forMs: quietSeconds * 1_000 });
  }, 120_000);

  it('drains and removes its nodes when it is deleted', async () => {
    await context.controlPlane.mustKubectl(['delete', 'np', 'demo', 'lost', 'guarded', 'halfway', 'refused', '--timeout=60s']);
    for (const pool of ['demo', 'lost', 'guarded', 'halfway', 'refused']) expect(await pools.nodeNames(pool)).toEqual([]);
  });

  it('stops gracefully on SIGTERM', async () => {
    const { code } = await operator.stop();
    expect(code).toBe(0);
  });
});
