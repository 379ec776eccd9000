import { beforeAll, expect, it, vi } from 'vitest';
import { rbacOf } from '../../src/manifest/rbac.ts';
import { nodePool } from '../../machines/nodepool/definition.ts';
import type { ProgramResult } from '../control-plane/run-program.ts';
import { describeControlPlane } from '../control-plane/suite.ts';
import { OperatorProcess } from './operator-process.ts';
import { runCli } from './run-cli.ts';

// Each test starts processes, and a busy machine takes seconds for one.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const elsewhere = { cwd: '/' };

describeControlPlane('the command line without the CRD', { controllers: false }, (context) => {
  const at = () => ['--kubeconfig', context.controlPlane.kubeconfig()];

  it('run says which CRD is missing and how to apply it, exit code 3', async () => {
    const { code, stderr } = await runCli(['run', ...at()]);
    expect(code).toBe(3);
    expect(stderr).toContain('error: the API server does not know nodepools.ack.alibabacloud.com: its CRD is missing (404)');
    expect(stderr).toContain('hint: phasekeeper crd machines/nodepool/definition.ts | kubectl apply -f -');
  });

  it('run says which right is missing and how to check it, exit code 3', async () => {
    const { code, stderr } = await runCli(['run', '--kubeconfig', context.controlPlane.kubeconfig('operator')]);
    expect(code).toBe(3);
    expect(stderr).toMatch(/error: operator may not list \S+ \(403\)\n {2}server https/);
    expect(stderr).toMatch(/hint: kubectl auth can-i list \S+/);
  });

  it('get knows no such kind and suggests one, exit code 3', async () => {
    expect(await runCli(['get', 'deploymnt', ...at()])).toMatchObject({
      code: 3,
      stderr: 'error: the API server knows no kind deploymnt\nhint: did you mean deployment?\n',
    });
  });

  it('does not run against a context that is not a development one without being told to, exit code 2', async () => {
    const { code, stderr } = await runCli(['run', '--context', 'test', ...at()]);
    expect(code).toBe(2);
    expect(stderr).toContain('context test (https://127.0.0.1:');
    expect(stderr).toContain('hint: repeat with --yes');
  });
});

describeControlPlane('the command line with a NodePool', { controllers: true, scheduler: true, kwok: true }, (context) => {
  const sample = 'machines/nodepool/sample.yaml';
  let operator: OperatorProcess;
  const cli = (args: readonly string[], options: Parameters<typeof runCli>[1] = {}): Promise<ProgramResult> =>
    runCli(args, { ...options, env: { KUBECONFIG: context.controlPlane.kubeconfig() } });

  beforeAll(async () => {
    const plane = context.controlPlane;
    await plane.mustKubectl(['apply', '-f', '-'], { input: (await cli(['crd'])).stdout });
    await plane.mustKubectl(['wait', '--for=condition=Established', 'crd/nodepools.ack.alibabacloud.com']);
    await plane.grant('operator', rbacOf(nodePool).rules);
    operator = new OperatorProcess(['machines/nodepool', '--instance', 'pk-test'], { KUBECONFIG: plane.kubeconfig('operator') });
    await operator.line('ready');
    await plane.mustKubectl(['apply', '-f', sample]);
    await plane.mustKubectl(['wait', '--for=jsonpath={.status.phase}=Running', 'np/demo', '--timeout=60s']);
  });

  it('run says on stderr what it keeps where, and logs JSON with time, level and service', () => {
    const [first] = operator.stderr.split('\n');
    expect(first).toMatch(/^phasekeeper 0\.1\.0: NodePool 1\.0\.0 on https:\/\/127\.0\.0\.1:\d+ \(kubeconfig \S+, context test\)$/);
    const ready = operator.lines.find(({ message }) => message === 'ready');
    expect(ready).toMatchObject({ level: 'info', 'service.name': 'phasekeeper', 'service.instance.id': 'pk-test', kinds: ['nodepool'] });
    expect(new Date(ready?.timestamp ?? '').toISOString()).toBe(ready?.timestamp);
    expect(operator.lines.filter(({ message }) => message === 'transition').map(({ to }) => to)).toEqual(['ScalingUp', 'Running']);
  });

  it.each(['np', 'NodePool', 'nodepools.ack.alibabacloud.com'])(
    'get %s shows phase, deadline, replicas and what is waited for',
    async (kind) => {
      const { code, stdout, stderr } = await cli(['get', kind], elsewhere);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toMatch(/^NAME +PHASE +SINCE +DEADLINE +READY +REPLICAS +WAITING FOR +AGE\ndemo +Running +\S+ +- +True +2 +- +\S+\n$/);
    },
  );

  it('get tells programs the object, its name, or that it is not there', async () => {
    const json = await cli(['get', 'np/demo', '-o', 'json'], elsewhere);
    expect(JSON.parse(json.stdout)).toMatchObject({ kind: 'NodePool', metadata: { name: 'demo' }, status: { phase: 'Running' } });
    expect((await cli(['get', 'np', '-o', 'name'], elsewhere)).stdout).toBe('nodepool.ack.alibabacloud.com/demo\n');
    expect((await cli(['get', 'np', '--phase', 'Failed', '-o', 'name'], elsewhere)).stdout).toBe('');
    expect(await cli(['get', 'np', 'none'], elsewhere)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'error: nodepool.ack.alibabacloud.com "none" not found\n',
    });
  });

  it('get --until ends with 0 in the phase, with 4 when time runs out', async () => {
    expect(await cli(['get', 'np/demo', '--until', 'Running', '--timeout', '60s'], elsewhere)).toMatchObject({ code: 0 });
    const late = await cli(['get', 'np/demo', '--until', 'Failed', '--timeout', '300ms'], elsewhere);
    expect(late).toMatchObject({ code: 4, stderr: 'error: time ran out before demo was in Failed\n' });
  });

  it('describe says where, why and what next, with the dependents inside a project and the legal moves everywhere', async () => {
    const inside = await cli(['describe', 'np/demo']);
    expect(inside).toMatchObject({ code: 0, stderr: '' });
    expect(inside.stdout).toMatch(/Why +ScalingUp -> Running by fact nodesReady: 2 of 2 nodes ready/);
    expect(inside.stdout).toMatch(/belowTarget +-> ScalingUp +2 of 2 nodes ready/);
    expect(inside.stdout).toMatch(/NodePool\/demo\n\|- Node\/demo-0 +Ready +\S+\n`- Node\/demo-1 +Ready/);
    const outside = await cli(['describe', 'np/demo'], elsewhere);
    expect(outside.stdout).toMatch(/belowTarget +-> ScalingUp\n/);
    const json = await cli(['describe', 'np/demo', '-o', 'json']);
    expect(JSON.parse(json.stdout)).toMatchObject({
      kind: 'Description',
      phase: 'Running',
      sequence: 2,
      dependents: [{ names: ['demo-0'], state: 'Ready' }, { names: ['demo-1'] }],
    });
  });

  it('run finishes and ends with 130 on SIGINT, with 0 on SIGTERM', async () => {
    operator.signal('SIGINT');
    expect(await operator.ended()).toBe(130);
    expect(operator.lines.at(-1)).toMatchObject({ message: 'stopped' });
    const second = new OperatorProcess(['machines/nodepool'], { KUBECONFIG: context.controlPlane.kubeconfig('operator') });
    await second.line('ready');
    second.signal('SIGTERM');
    expect(await second.ended()).toBe(0);
  });
});
