import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

import { eventually } from './eventually.ts';
import { runProgram } from './run-program.ts';
import { type ControlPlaneContext, describeControlPlane } from './suite.ts';

const root = dirname(dirname(import.meta.dirname));
const machines = ['machines/nodepool'];

async function installNodePool({ controlPlane }: ControlPlaneContext): Promise<void> {
  const crd = await runProgram(process.execPath, ['--conditions=source', 'src/cli/main.ts', 'crd', ...machines], { cwd: root });
  expect(crd.code, crd.stderr).toBe(0);
  await controlPlane.mustKubectl(['apply', '-f', '-'], { input: crd.stdout });
  await controlPlane.mustKubectl(['wait', 'crd', '--all', '--for=condition=Established', '--timeout=30s']);
  await controlPlane.grant('operator', [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }]);
}

describeControlPlane('an operator as a process', {}, (context) => {
  it('becomes ready through a fault proxy, and ends with code 0 on SIGTERM', async () => {
    await installNodePool(context);
    const proxy = await context.startProxy();
    const operator = context.startOperator({ kubeconfig: proxy.kubeconfig('operator'), machines });
    await operator.untilReady();
    expect(operator.pid).toBeGreaterThan(0);
    expect(Object.keys(proxy.counters().liveWatches)).toContain('/api/v1/nodes');
    expect(await operator.stop()).toEqual({ code: 0, signal: null });
    expect(operator.pid).toBeUndefined();
    await eventually(() => proxy.counters().openConnections === 0, { what: 'its connections to end' });
    expect(operator.logEntries.at(-1)).toMatchObject({ message: 'stopped' });
  });

  it('ends without a word when it is killed', async () => {
    await installNodePool(context);
    const operator = context.startOperator({ kubeconfig: context.controlPlane.kubeconfig('operator'), machines });
    await operator.untilReady();
    await operator.kill9();
    expect(await operator.ended()).toEqual({ code: null, signal: 'SIGKILL' });
    expect(operator.log).not.toContain('"message":"stopped"');
  });

  it('shows the end of its log where it ends before it is ready', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'kubeconfig-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const kubeconfig = join(folder, 'broken.yaml');
    writeFileSync(kubeconfig, 'clusters: [');
    const operator = context.startOperator({ kubeconfig, machines });
    await expect(operator.untilReady()).rejects.toThrow(/the operator ended \(code \d, signal null\):\n[^]*broken\.yaml/);
  });
});
