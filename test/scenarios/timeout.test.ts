import { beforeAll, expect, it } from 'vitest';
import { eventually } from '../control-plane/eventually.ts';
import { OperatorProcess } from '../control-plane/operator-process.ts';
import { describeControlPlane } from '../control-plane/suite.ts';
import { Pools } from './pools.ts';

describeControlPlane('a NodePool whose nodes do not come', {}, (context) => {
  let pools: Pools;

  beforeAll(async () => {
    pools = new Pools(context.controlPlane);
    await pools.install();
    const kubeconfig = context.controlPlane.kubeconfig('operator');
    const operator = OperatorProcess.start({ kubeconfig, machines: ['test/scenarios/machines/impatient'] });
    await operator.untilReady();
    return () => operator.dispose();
  }, 60_000);

  it('B22 fails by its timeout and is Running again when the cause is gone', async () => {
    await pools.apply('late', { minSize: 1 });
    const failed = await pools.until('late', 'Failed');
    expect(failed.status.conditions?.find(({ type }) => type === 'Stalled')).toMatchObject({ status: 'True', reason: 'Failed' });
    expect(failed.status.lifecycle.history?.at(-1)).toMatchObject({ from: 'ScalingUp', to: 'Failed', event: 'timeout scaleUp' });
    await pools.setReady('late-0', true);
    await pools.until('late', 'Running', 1);
  });

  it('B22 leaves Failed on the retry command, once, and refuses it elsewhere', async () => {
    await pools.apply('retried', { minSize: 1 });
    const failed = await pools.until('retried', 'Failed');
    const command = `retry/${failed.status.lifecycle.sequence}/first`;
    await context.controlPlane.mustKubectl(['annotate', 'np', 'retried', `phasekeeper.dev/command=${command}`]);
    await eventually(
      async () => {
        const pool = await pools.get('retried');
        return pool?.status.lifecycle.history?.some(
          ({ event, from, to }) => event === 'command retry' && from === 'Failed' && to === 'Pending',
        );
      },
      { what: 'the retry to be taken' },
    );
    await pools.setReady('retried-0', true);
    const running = await pools.until('retried', 'Running', 1);
    await context.controlPlane.mustKubectl([
      'annotate',
      'np',
      'retried',
      '--overwrite',
      `phasekeeper.dev/command=retry/${running.status.lifecycle.sequence}/second`,
    ]);
    const refused = await eventually(
      async () => {
        const pool = await pools.get('retried');
        return pool?.status.lifecycle.lastCommand?.result.startsWith('refused') ? pool : undefined;
      },
      { what: 'the second retry to be refused' },
    );
    expect(refused.status.phase).toBe('Running');
    expect(refused.status.lifecycle.sequence).toBe(running.status.lifecycle.sequence);
  });

  it('B22 leaves Failed on a new spec', async () => {
    await pools.apply('respecified', { minSize: 2 });
    await pools.until('respecified', 'Failed');
    await pools.setReady('respecified-0', true);
    await pools.apply('respecified', { minSize: 1 });
    await eventually(async () => (await pools.nodeNames('respecified')).length === 1, { what: 'the second node to be removed' });
    await pools.until('respecified', 'Running', 1);
  });

  it('is refused by the schema when minSize is above maxSize, and by name for an unknown disk', async () => {
    const manifest = (spec: object) =>
      JSON.stringify({ apiVersion: 'ack.alibabacloud.com/v1', kind: 'NodePool', metadata: { name: 'bad' }, spec });
    const above = await context.controlPlane.kubectl(['apply', '-f', '-'], {
      input: manifest({ minSize: 3, maxSize: 2, systemDiskCategory: 'cloud_essd' }),
    });
    expect(above.stderr).toContain('minSize must not exceed maxSize');
    const unknown = await context.controlPlane.kubectl(['apply', '-f', '-'], {
      input: manifest({ minSize: 1, maxSize: 2, systemDiskCategory: 'floppy' }),
    });
    expect(unknown.stderr).toContain('floppy');
    expect(await pools.get('bad')).toBeUndefined();
  });
});
