import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ManualClock } from '../../src/clock/manual-clock.ts';
import { type LoadKubeconfigOptions, loadKubeconfig } from '../../src/cluster/load-kubeconfig.ts';
import { CertificateAuthority, type CertificateRequest } from '../control-plane/certificate-authority.ts';
import { runScript } from './run-script.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');
const dayMs = 86_400_000;

describe('the kubeconfig', () => {
  let folder: string;
  let clock: ManualClock;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'phasekeeper-'));
    clock = new ManualClock();
  });

  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  function file(name: string, content: unknown): string {
    const path = join(folder, name);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
    return path;
  }

  function kubeconfig(user: object, cluster: object = {}, context: object = {}): object {
    return {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'c', cluster: { server: 'https://10.0.0.1:6443', ...cluster } }],
      users: [{ name: 'u', user }],
      contexts: [{ name: 'dev', context: { cluster: 'c', user: 'u', ...context } }],
      'current-context': 'dev',
    };
  }

  const load = (options: Partial<LoadKubeconfigOptions> = {}) =>
    loadKubeconfig({ env: { HOME: folder }, clock, serviceAccountDir: join(folder, 'none'), ...options });

  function issued(more: Partial<CertificateRequest> = {}) {
    const span = { notBefore: new Date(clock.nowMs() - dayMs), notAfter: new Date(clock.nowMs() + dayMs) };
    return new CertificateAuthority().issue({ commonName: 'jane', ...span, ...more });
  }

  it('gives a token, the authority and the namespace of the current context', async () => {
    const path = file('config', kubeconfig({ token: 'abc' }, { 'certificate-authority-data': base64('CA') }, { namespace: 'team' }));
    const config = await load({ path });
    expect(config).toMatchObject({ server: 'https://10.0.0.1:6443', namespace: 'team', source: `kubeconfig ${path}, context dev` });
    expect(await config.credentials.authorization()).toBe('Bearer abc');
    expect(await config.tls?.()).toMatchObject({ ca: Buffer.from('CA'), insecure: undefined, serverName: undefined });
  });

  it('reads YAML, and paths from the folder of the file', async () => {
    file('sub/ca.crt', 'CA');
    file('sub/token', 'from-file\n');
    const path = file(
      'sub/config',
      `apiVersion: v1
clusters:
- name: c
  cluster: { server: "https://[::1]:6443", certificate-authority: ca.crt, insecure-skip-tls-verify: true, tls-server-name: api }
users: [{ name: u, user: { tokenFile: token } }]
contexts: [{ name: x, context: { cluster: c, user: u } }]
current-context: x
`,
    );
    const config = await load({ path });
    expect(await config.credentials.authorization()).toBe('Bearer from-file');
    expect(await config.tls?.()).toMatchObject({ ca: Buffer.from('CA'), insecure: true, serverName: 'api' });
  });

  it('gives a client certificate, read again for each connection', async () => {
    const { certificatePem, keyPem } = issued();
    file('tls.crt', certificatePem);
    const path = file('config', kubeconfig({ 'client-certificate': 'tls.crt', 'client-key-data': base64(keyPem) }));
    const config = await load({ path });
    expect(await config.tls?.()).toMatchObject({ cert: Buffer.from(certificatePem), key: Buffer.from(keyPem) });
    file('tls.crt', 'rotated');
    expect(await config.tls?.()).toMatchObject({ cert: Buffer.from('rotated') });
    expect(await config.credentials.authorization()).toBeUndefined();
  });

  it('sends name and password, and whom to act as', async () => {
    const path = file('config', kubeconfig({ username: 'jane', password: 'p', as: 'robot', 'as-groups': ['a', 'b'] }));
    const config = await load({ path });
    expect(await config.credentials.authorization()).toBe(`Basic ${base64('jane:p')}`);
    expect(config.headers).toEqual({ 'impersonate-user': 'robot', 'impersonate-group': ['a', 'b'] });
  });

  it('merges the files of KUBECONFIG, the first that names something winning, and skips those that do not exist', async () => {
    const first = file('first', {
      contexts: [{ name: 'one', context: { cluster: 'c', user: 'u', namespace: 'from-first' } }],
      users: [{ name: 'u', user: { token: 'first' } }],
    });
    const second = file('second', { ...kubeconfig({ token: 'second' }), 'current-context': 'one' });
    const config = await load({ env: { KUBECONFIG: [first, join(folder, 'missing'), second].join(delimiter), HOME: folder } });
    expect(config).toMatchObject({ server: 'https://10.0.0.1:6443', namespace: 'from-first', source: `kubeconfig ${first}, context one` });
    expect(await config.credentials.authorization()).toBe('Bearer first');
  });

  it('takes context, cluster and user that are asked for', async () => {
    const content = {
      clusters: ['a', 'b'].map((name) => ({ name, cluster: { server: `https://${name}` } })),
      users: ['a', 'b'].map((name) => ({ name, user: { token: name } })),
      contexts: ['a', 'b'].map((name) => ({ name, context: { cluster: name, user: name } })),
      'current-context': 'a',
    };
    const path = file('config', content);
    expect((await load({ path, context: 'b' })).server).toBe('https://b');
    const mixed = await load({ path, cluster: 'b' });
    expect(mixed.server).toBe('https://b');
    expect(await mixed.credentials.authorization()).toBe('Bearer a');
  });

  it('finds ~/.kube/config, else the service account of the pod', async () => {
    const account = join(folder, 'account');
    for (const [name, text] of Object.entries({ token: 'pod-token\n', 'ca.crt': 'CA', namespace: 'system\n' }))
      file(`account/${name}`, text);
    const env = { HOME: folder, KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '443' };
    const inCluster = await load({ env, serviceAccountDir: account });
    expect(inCluster).toMatchObject({
      server: 'https://[fd00::1]:443',
      namespace: 'system',
      source: `in-cluster service account ${account}`,
    });
    expect(await inCluster.credentials.authorization()).toBe('Bearer pod-token');
    expect(await inCluster.tls?.()).toEqual({ ca: Buffer.from('CA') });

    file('.kube/config', kubeconfig({ token: 'home' }));
    const home = await load({ env, serviceAccountDir: account });
    expect(await home.credentials.authorization()).toBe('Bearer home');
  });

  it('reads the token file again after a minute, and keeps what it has while the file is being replaced', async () => {
    const path = file('config', kubeconfig({ tokenFile: 'token' }));
    file('token', 'one');
    const { credentials } = await load({ path });
    expect(await credentials.authorization()).toBe('Bearer one');
    file('token', 'two');
    expect(await credentials.authorization()).toBe('Bearer one');
    clock.advance(60_000);
    expect(await credentials.authorization()).toBe('Bearer two');
    rmSync(join(folder, 'token'));
    clock.advance(60_000);
    expect(await credentials.authorization()).toBe('Bearer two');
    expect(await credentials.renew('Bearer two')).toBe(false);
  });

  it.each<[string, () => Partial<LoadKubeconfigOptions>, string, string]>([
    ['a missing file', () => ({ path: join(folder, 'no') }), 'KUBECONFIG_MISSING', 'no: does not exist'],
    ['missing files in KUBECONFIG', () => ({ env: { KUBECONFIG: join(folder, 'no') } }), 'KUBECONFIG_MISSING', 'no: does not exist'],
    ['nothing at all', () => ({}), 'KUBECONFIG_MISSING', '.kube/config: does not exist, and this is not a pod'],
    ['a folder', () => ({ path: folder }), 'KUBECONFIG_UNREADABLE', 'cannot be read'],
    ['broken YAML', () => ({ path: file('config', 'clusters: [{name: a\nusers: ]') }), 'KUBECONFIG_INVALID', 'config: is not YAML: '],
    ['another document', () => ({ path: file('config', 'just text') }), 'KUBECONFIG_INVALID', 'is not a kubeconfig: the file: '],
    [
      'a server that is no URL',
      () => ({ path: file('config', kubeconfig({}, { server: '10.0.0.1' })) }),
      'KUBECONFIG_INVALID',
      'clusters.0.cluster.server: expected an http:// or https:// URL',
    ],
    ['an empty file', () => ({ path: file('config', '') }), 'KUBECONFIG_CONTEXT_UNKNOWN', 'no current-context is set'],
    [
      'an unknown context',
      () => ({ path: file('config', kubeconfig({})), context: 'prod' }),
      'KUBECONFIG_CONTEXT_UNKNOWN',
      'no context is named "prod"',
    ],
    [
      'an unknown cluster',
      () => ({ path: file('config', kubeconfig({}, {}, { cluster: 'x' })) }),
      'KUBECONFIG_CONTEXT_UNKNOWN',
      'no cluster is named "x", which context "dev" uses',
    ],
    [
      'an unknown user',
      () => ({ path: file('config', kubeconfig({}, {}, { user: 'x' })) }),
      'KUBECONFIG_CONTEXT_UNKNOWN',
      'no user is named "x", whom context "dev" uses',
    ],
    [
      'an expired certificate',
      () => {
        const { certificatePem, keyPem } = issued({ notBefore: new Date('2025-01-01'), notAfter: new Date('2025-06-01') });
        return {
          path: file('config', kubeconfig({ 'client-certificate-data': base64(certificatePem), 'client-key-data': base64(keyPem) })),
        };
      },
      'KUBECONFIG_CERTIFICATE_EXPIRED',
      'the client certificate (CN=jane) expired 2025-06-01T00:00:00.000Z',
    ],
    [
      'a certificate of tomorrow',
      () => {
        const { certificatePem, keyPem } = issued({ notBefore: new Date('2026-02-01'), notAfter: new Date('2026-06-01') });
        return {
          path: file('config', kubeconfig({ 'client-certificate-data': base64(certificatePem), 'client-key-data': base64(keyPem) })),
        };
      },
      'KUBECONFIG_CERTIFICATE_EXPIRED',
      'is valid only from 2026-02-01T00:00:00.000Z',
    ],
    [
      'a certificate that is none',
      () => ({ path: file('config', kubeconfig({ 'client-certificate-data': base64('x'), 'client-key-data': base64('y') })) }),
      'KUBECONFIG_CERTIFICATE_INVALID',
      'the client certificate cannot be read',
    ],
    [
      'a certificate without a key',
      () => ({ path: file('config', kubeconfig({ 'client-certificate-data': base64(issued().certificatePem) })) }),
      'KUBECONFIG_CERTIFICATE_INVALID',
      'the user has a client certificate without a key',
    ],
    [
      'an authority that is not there',
      () => ({ path: file('config', kubeconfig({}, { 'certificate-authority': 'no.crt' })) }),
      'KUBECONFIG_UNREADABLE',
      'cannot read certificate-authority',
    ],
    ['a proxy', () => ({ path: file('config', kubeconfig({}, { 'proxy-url': 'http://p' })) }), 'KUBECONFIG_UNSUPPORTED', 'proxy-url'],
  ])('says what is wrong with %s', async (_, options, code, message) => {
    await expect(load(options())).rejects.toMatchObject({
      name: 'KubeconfigError',
      code,
      disposition: 'fatal',
      message: expect.stringContaining(message),
      hint: expect.any(String),
    });
  });

  it('names the contexts there are', async () => {
    const path = file('config', kubeconfig({}));
    await expect(load({ path, context: 'prod' })).rejects.toMatchObject({ hint: 'contexts: dev' });
  });

  it('says so when the token file cannot be read', async () => {
    const { credentials } = await load({ path: file('config', kubeconfig({ tokenFile: 'no-token' })) });
    expect(() => credentials.authorization()).toThrow(expect.objectContaining({ code: 'TOKEN_FILE_UNREADABLE', disposition: 'fatal' }));
  });

  it.skipIf(process.platform === 'win32')(
    'asks the command of an exec user, relative to its file, and again after a 401',
    { timeout: 60_000 },
    async () => {
      const credential = (token: string) => JSON.stringify({ kind: 'ExecCredential', status: { token } });
      const script = (token: string) => {
        file('bin/login', `#!/bin/sh\nprintf '%s' '${credential(token)}'\n`);
        chmodSync(join(folder, 'bin/login'), 0o755);
      };
      script('first');
      const exec = { apiVersion: 'client.authentication.k8s.io/v1', command: './bin/login', args: [], interactiveMode: 'Never' };
      const { credentials } = await load({ path: file('config', kubeconfig({ exec })) });
      expect(await credentials.authorization()).toBe('Bearer first');
      script('second');
      expect(await credentials.authorization()).toBe('Bearer first');
      expect(await credentials.renew('Bearer first')).toBe(true);
      expect(await credentials.authorization()).toBe('Bearer second');
      expect(await credentials.renew('Bearer second')).toBe(false);
    },
  );

  it('says so when the command of an exec user fails', { timeout: 60_000 }, async () => {
    const exec = { apiVersion: 'client.authentication.k8s.io/v1', command: './no-such-command', args: [] };
    await expect(load({ path: file('config', kubeconfig({ exec })) })).rejects.toMatchObject({
      code: 'AUTH_PLUGIN_FAILED',
      disposition: 'fatal',
    });
  });

  it('does not load the Kubernetes client for a user with a token', { timeout: 60_000 }, async () => {
    const path = file('config', kubeconfig({ token: 'abc' }));
    const loaded = await runScript(`
      import { registerHooks } from 'node:module';
      const seen = [];
      registerHooks({ resolve: (name, context, next) => (seen.push(name), next(name, context)) });
      const { loadKubeconfig } = await import('./src/cluster/load-kubeconfig.ts');
      await import('./src/cluster/connect-transport.ts');
      await import('./src/cluster/reflector.ts');
      await loadKubeconfig({ env: {}, path: ${JSON.stringify(path)} });
      console.log(JSON.stringify(seen.filter((name) => !name.startsWith('.') && !name.startsWith('node:'))));
    `);
    expect(loaded).toContain('"yaml"');
    expect(loaded).not.toContain('client-node');
  });
});
