import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';

import { findBinaries } from './binaries.ts';
import { ControlPlane } from './control-plane.ts';
import { eventually } from './eventually.ts';
import { describeControlPlane } from './suite.ts';

const configMapRules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['*'] }];

const configMap = (name: string, data: Readonly<Record<string, string>> = { colour: 'red' }): string =>
  JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data });

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // An orphan that nobody has waited for yet is listed and does not run.
    const stat = `/proc/${pid}/stat`;
    return !existsSync('/proc') || !readFileSync(stat, 'utf8').includes(') Z ');
  } catch {
    return false;
  }
}

describeControlPlane('a control plane', {}, (context) => {
  it('takes what kubectl applies and says in the audit log who did', async () => {
    const plane = context.controlPlane;
    await plane.grant('operator', configMapRules);
    const applied = await plane.kubectl(['apply', '--server-side', '-f', '-'], { user: 'operator', input: configMap('audited') });
    expect(applied).toMatchObject({ code: 0, stdout: 'configmap/audited serverside-applied\n' });

    const entry = await eventually(() => plane.audit({ user: 'operator', name: 'audited', writes: true })[0], { what: 'the audit line' });
    expect(entry).toMatchObject({ verb: 'patch', resource: 'configmaps', namespace: 'default', code: 201, subresource: undefined });
    expect(entry.requestBody).toMatchObject({ data: { colour: 'red' } });
  });

  it('records the writes of others without their bodies', async () => {
    const plane = context.controlPlane;
    await plane.mustKubectl(['create', 'configmap', 'bodyless']);
    const entry = await eventually(() => plane.audit({ user: 'admin', name: 'bodyless' })[0], { what: 'the audit line' });
    expect(entry).toMatchObject({ verb: 'create', requestBody: undefined });
  });

  it('gives the operator no right that was not granted', async () => {
    const result = await context.controlPlane.kubectl(['get', 'secrets'], { user: 'operator' });
    expect(result.code).toBe(1);
    expect(result.stderr).toContain('User "operator" cannot list resource "secrets"');
  });

  it('lets mallory write a status and nothing else', async () => {
    const plane = context.controlPlane;
    const patch = ['-p', '{"metadata":{"annotations":{"a":"b"}}}', '--type=merge'];
    const status = await plane.kubectl(['patch', 'namespace', 'default', '--subresource=status', ...patch], { user: 'mallory' });
    expect(status).toMatchObject({ code: 0 });
    const object = await plane.kubectl(['patch', 'namespace', 'default', ...patch], { user: 'mallory' });
    expect(object.stderr).toContain('User "mallory" cannot patch resource "namespaces"');
  });

  it('knows a user by a client certificate, and refuses an expired one', async () => {
    const plane = context.controlPlane;
    const good = plane.issue({ commonName: 'carol', organizations: ['system:masters'] });
    const whoAmI = ['auth', 'whoami', '-o', 'jsonpath={.status.userInfo.username}'];
    expect(await plane.kubectl(whoAmI, { kubeconfig: plane.certificateKubeconfig('carol', good) })).toMatchObject({
      code: 0,
      stdout: 'carol',
    });
    const expired = plane.issue({ commonName: 'dave', organizations: ['system:masters'], notAfter: new Date(Date.now() - 60_000) });
    const refused = await plane.kubectl(whoAmI, { kubeconfig: plane.certificateKubeconfig('dave', expired) });
    expect(refused.code).toBe(1);
  });

  it.each([{ gracefully: false }, { gracefully: true }])(
    'keeps its data and its address over a restart of the API server: %o',
    async (how) => {
      const plane = context.controlPlane;
      const name = `kept-${how.gracefully}`;
      await plane.mustKubectl(['apply', '-f', '-'], { input: configMap(name) });
      const before = plane.pidOf('kube-apiserver');
      const { origin } = plane;
      await plane.restartApiServer(how);
      expect(plane.pidOf('kube-apiserver')).not.toBe(before);
      expect(plane.origin).toBe(origin);
      expect(await plane.mustKubectl(['get', 'configmap', name, '-o', 'jsonpath={.data.colour}'])).toBe('red');
    },
  );

  it('is silent while it is paused and answers when it is resumed', async () => {
    const plane = context.controlPlane;
    onTestFinished(() => plane.resume());
    await plane.pause();
    await expect(plane.call({ path: '/readyz', timeoutMs: 200 })).rejects.toThrow('no answer');
    plane.resume();
    expect(await eventually(() => plane.call({ path: '/readyz' }), { what: 'an answer' })).toMatchObject({ status: 200 });
  });

  it('runs beside another one that knows nothing of it, and leaves nothing behind when it stops', async () => {
    const other = await ControlPlane.start({ audit: false, users: [{ name: 'erin', groups: ['system:masters'] }] });
    const { pids, folder } = other;
    expect(pids).toHaveLength(2);
    expect(pids.every(isRunning)).toBe(true);
    await other.mustKubectl(['create', 'configmap', 'only-there'], { user: 'erin' });
    expect((await context.controlPlane.kubectl(['get', 'configmap', 'only-there'])).stderr).toContain('not found');

    await other.stop();
    expect(pids.filter(isRunning)).toEqual([]);
    expect(existsSync(folder)).toBe(false);
    expect(other.pids).toEqual([]);
  });

  it('ends with the process that started it, also when that is killed', async () => {
    const holder = spawn(process.execPath, ['--input-type=module', '--eval', holderScript()], { stdio: ['ignore', 'pipe', 'inherit'] });
    const { pids, folder } = await firstLine(holder);
    expect(pids.every(isRunning)).toBe(true);
    holder.kill('SIGKILL');
    await eventually(() => pids.every((pid) => !isRunning(pid)), { what: 'etcd and the API server to end' });
    await eventually(() => !existsSync(folder), { what: 'the folder to be removed' });
  });
});

describeControlPlane('a control plane with its controllers', { controllers: true, scheduler: true, kwok: true }, (context) => {
  it('turns a Node Ready and runs what a Deployment asks for', async () => {
    const plane = context.controlPlane;
    await plane.mustKubectl(['create', '-f', '-'], { input: JSON.stringify({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1' } }) });
    await plane.mustKubectl(['wait', 'node/n1', '--for=condition=Ready', '--timeout=60s']);
    await plane.mustKubectl(['create', 'deployment', 'web', '--image=web', '--replicas=3']);
    await plane.mustKubectl(['wait', 'deployment/web', '--for=jsonpath={.status.readyReplicas}=3', '--timeout=60s']);
  });

  it('collects what an owner leaves behind', async () => {
    const plane = context.controlPlane;
    await plane.mustKubectl(['create', 'configmap', 'owner']);
    const uid = await plane.mustKubectl(['get', 'configmap', 'owner', '-o', 'jsonpath={.metadata.uid}']);
    const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid }];
    await plane.mustKubectl(['create', '-f', '-'], {
      input: JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'owned', ownerReferences } }),
    });
    await plane.mustKubectl(['delete', 'configmap', 'owner']);
    await plane.mustKubectl(['wait', 'configmap/owned', '--for=delete', '--timeout=60s']);
  });
});

describe('a control plane that cannot start', () => {
  it.skipIf(!findBinaries())('shows the tail of the log of what ended, and keeps the logs', async () => {
    const error: unknown = await ControlPlane.start({ apiServerArgs: ['--no-such-flag'] }).catch((thrown: unknown) => thrown);
    expect(String(error)).toContain('kube-apiserver ended');
    expect(String(error)).toContain('unknown flag: --no-such-flag');
    const logs = /^logs: (.+)$/m.exec(String(error))?.[1] ?? '';
    expect(readdirSync(logs)).toContain('kube-apiserver.log');
    rmSync(logs, { recursive: true });
  });
});

function holderScript(): string {
  const module = new URL('control-plane.ts', import.meta.url).href;
  return `
    const { ControlPlane } = await import(${JSON.stringify(module)});
    const plane = await ControlPlane.start();
    console.log(JSON.stringify({ pids: plane.pids, folder: plane.folder }));
    await new Promise(() => {});
  `;
}

async function firstLine(holder: ChildProcess): Promise<{ readonly pids: readonly number[]; readonly folder: string }> {
  if (!holder.stdout) throw new Error('no standard output');
  for await (const line of createInterface({ input: holder.stdout })) return JSON.parse(line);
  throw new Error(`the process ended with ${holder.exitCode}, without a word; ${fileURLToPath(import.meta.url)}`);
}
