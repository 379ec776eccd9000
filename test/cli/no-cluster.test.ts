import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { CertificateAuthority } from '../control-plane/certificate-authority.ts';
import { kubeconfigText } from '../control-plane/kubeconfig.ts';
import { freeLoopbackPort } from '../control-plane/loopback-port.ts';
import { runCli } from './run-cli.ts';

// Each test starts processes, and a busy machine takes seconds for one.
vi.setConfig({ testTimeout: 120_000 });

const authority = new CertificateAuthority();

function kubeconfigFile(text: string): string {
  const file = join(mkdtempSync(join(tmpdir(), 'phasekeeper-kubeconfig-')), 'config');
  writeFileSync(file, text);
  return file;
}

function kubeconfigFor(port: number, credentials: Parameters<typeof kubeconfigText>[0]['credentials'] = { token: 't' }): string {
  return kubeconfigFile(kubeconfigText({ server: `https://127.0.0.1:${port}`, caPem: authority.certificatePem, user: 'u', credentials }));
}

async function silentServer(): Promise<number> {
  const server: Server = createServer((socket) => socket.on('error', () => undefined));
  const sockets = new Set<{ destroy(): void }>();
  server.on('connection', (socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

describe.each([
  ['run', ['run', 'machines/nodepool']],
  ['get', ['get', 'nodepools']],
  ['describe', ['describe', 'np/demo']],
])('%s without a usable cluster', (_, args) => {
  it('says which server refuses and where its address came from, exit code 3', async () => {
    const port = await freeLoopbackPort();
    const kubeconfig = kubeconfigFor(port);
    const { code, stdout, stderr } = await runCli([...args, '--kubeconfig', kubeconfig]);
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr).toContain(`error: cannot connect to https://127.0.0.1:${port} (kubeconfig ${kubeconfig}, context test)`);
    expect(stderr).toContain('\nhint: ');
  });

  it('says which kubeconfig is broken, exit code 3', async () => {
    const broken = kubeconfigFile('clusters: [');
    const { code, stderr } = await runCli(args, { env: { KUBECONFIG: broken } });
    expect(code).toBe(3);
    expect(stderr).toContain(`error: kubeconfig ${broken}: is not YAML`);
  });

  it('says where it looked for a kubeconfig, exit code 3', async () => {
    const { code, stderr } = await runCli(args);
    expect(code).toBe(3);
    expect(stderr).toMatch(/error: kubeconfig .*\.kube\/config: does not exist, and this is not a pod\nhint: set KUBECONFIG/);
  });

  it('says that the client certificate has expired, exit code 3', async () => {
    const certificate = authority.issue({
      commonName: 'u',
      notBefore: new Date('2020-01-01T00:00:00Z'),
      notAfter: new Date('2020-02-01T00:00:00Z'),
    });
    const { code, stderr } = await runCli([...args, '--kubeconfig', kubeconfigFor(1, certificate)]);
    expect(code).toBe(3);
    expect(stderr).toMatch(/expired/);
    expect(stderr).toContain('2020');
  });

  it('names the contexts there are, exit code 3', async () => {
    const { code, stderr } = await runCli([...args, '--context', 'prod', '--kubeconfig', kubeconfigFor(1)]);
    expect(code).toBe(3);
    expect(stderr).toContain('no context is named "prod"\nhint: contexts: test\n');
  });
});

it('gives a server that never answers the time it is allowed, exit code 4', async () => {
  const kubeconfig = kubeconfigFor(await silentServer());
  const { code, stderr } = await runCli(['get', 'nodepools', '--request-timeout', '200ms', '--kubeconfig', kubeconfig]);
  expect(code).toBe(4);
  expect(stderr).toContain('error: cannot connect to ');
});
