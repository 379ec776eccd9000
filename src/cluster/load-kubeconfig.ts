import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import type { Clock } from '../clock/clock.ts';
import { SystemClock } from '../clock/system-clock.ts';
import { messageOf } from '../failure/message-of.ts';
import { checkCertificate } from './check-certificate.ts';
import type { ClusterConfig, TlsMaterial } from './cluster-config.ts';
import type { Credentials } from './credentials.ts';
import { inClusterConfig } from './in-cluster-config.ts';
import { KubeconfigError } from './kubeconfig-error.ts';
import type { KubeconfigCluster, KubeconfigUser } from './kubeconfig-schema.ts';
import { PluginCredentials } from './plugin-credentials.ts';
import { type Kubeconfig, type Located, readKubeconfig } from './read-kubeconfig.ts';
import { StaticCredentials } from './static-credentials.ts';
import { TokenFileCredentials } from './token-file-credentials.ts';

export interface LoadKubeconfigOptions {
  /** The process's environment: `KUBECONFIG`, `HOME`, `KUBERNETES_SERVICE_HOST`. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** This file and no other. */
  readonly path?: string | undefined;
  /** Default the current context. */
  readonly context?: string | undefined;
  /** Instead of the context's cluster. */
  readonly cluster?: string | undefined;
  /** Instead of the context's user. */
  readonly user?: string | undefined;
  /** Default the process's own. */
  readonly clock?: Clock | undefined;
  /** Default where Kubernetes mounts a pod's service account. */
  readonly serviceAccountDir?: string | undefined;
}

interface Chosen {
  readonly source: string;
  readonly cluster: Located<KubeconfigCluster>;
  readonly user: Located<KubeconfigUser>;
  readonly namespace: string | undefined;
}

/**
 * How to reach the cluster: `path`, else the files of `KUBECONFIG` merged, else `~/.kube/config`, else the pod's service account.
 *
 * Errors: `KubeconfigError` (fatal) that names the source: none found, broken YAML, an unknown context, an expired client
 * certificate; `AUTH_PLUGIN_FAILED` where the user's plugin does not answer.
 */
export async function loadKubeconfig(options: LoadKubeconfigOptions): Promise<ClusterConfig> {
  const { env, clock = new SystemClock(), serviceAccountDir } = options;
  const files = candidateFiles(options);
  const kubeconfig = readKubeconfig(files);
  if (kubeconfig.files.length > 0) return fromKubeconfig(choose(kubeconfig, options), clock);
  const isNamed = options.path !== undefined || (env['KUBECONFIG'] ?? '') !== '';
  const inCluster = isNamed ? undefined : inClusterConfig({ env, clock, serviceAccountDir });
  if (inCluster !== undefined) return inCluster;
  throw new KubeconfigError(isNamed ? 'does not exist' : 'does not exist, and this is not a pod', {
    code: 'KUBECONFIG_MISSING',
    source: `kubeconfig ${files.join(', ')}`,
    hint: 'set KUBECONFIG, or name a file with --kubeconfig',
    data: { files },
  });
}

function candidateFiles({ path, env }: LoadKubeconfigOptions): readonly string[] {
  if (path !== undefined) return [resolve(path)];
  const listed = (env['KUBECONFIG'] ?? '').split(delimiter).filter((file) => file !== '');
  if (listed.length > 0) return [...new Set(listed.map((file) => resolve(file)))];
  return [join(env['HOME'] ?? env['USERPROFILE'] ?? homedir(), '.kube', 'config')];
}

function choose(kubeconfig: Kubeconfig, options: LoadKubeconfigOptions): Chosen {
  const file = `kubeconfig ${kubeconfig.files.join(', ')}`;
  const name = options.context ?? kubeconfig.currentContext;
  const known = [...kubeconfig.contexts.keys()];
  const fault = (message: string) =>
    new KubeconfigError(message, {
      code: 'KUBECONFIG_CONTEXT_UNKNOWN',
      source: file,
      hint: known.length === 0 ? 'it holds no contexts; name another file with --kubeconfig' : `contexts: ${known.join(', ')}`,
      data: { context: name ?? null, contexts: known },
    });
  if (name === undefined) throw fault('no current-context is set');
  const context = kubeconfig.contexts.get(name);
  if (context === undefined) throw fault(`no context is named "${name}"`);
  const clusterName = options.cluster ?? context.value.cluster;
  const cluster = kubeconfig.clusters.get(clusterName);
  if (cluster === undefined) throw fault(`no cluster is named "${clusterName}", which context "${name}" uses`);
  const userName = options.user ?? context.value.user;
  const user = userName === undefined || userName === '' ? { ...context, value: {} } : kubeconfig.users.get(userName);
  if (user === undefined) throw fault(`no user is named "${userName}", whom context "${name}" uses`);
  return { source: `kubeconfig ${context.file}, context ${name}`, cluster, user, namespace: context.value.namespace };
}

async function fromKubeconfig(chosen: Chosen, clock: Clock): Promise<ClusterConfig> {
  const { source, cluster, user, namespace } = chosen;
  if (cluster.value['proxy-url'] !== undefined) {
    throw new KubeconfigError('proxy-url is not supported', {
      code: 'KUBECONFIG_UNSUPPORTED',
      source,
      hint: 'run inside the cluster, or open a tunnel and set `server:` to it',
    });
  }
  const plugin = pluginOf(chosen, clock);
  const tls = async (): Promise<TlsMaterial> => ({
    ca: pemOf(cluster, source, 'certificate-authority'),
    cert: pemOf(user, source, 'client-certificate'),
    key: pemOf(user, source, 'client-key'),
    insecure: cluster.value['insecure-skip-tls-verify'],
    serverName: cluster.value['tls-server-name'],
    ...(await plugin?.certificate()),
  });
  const { cert, key } = await tls();
  if (cert !== undefined) checkCertificate(Buffer.from(cert), { source, nowMs: clock.nowMs() });
  if ((cert === undefined) !== (key === undefined)) {
    throw new KubeconfigError(`the user has a client ${cert === undefined ? 'key without a certificate' : 'certificate without a key'}`, {
      code: 'KUBECONFIG_CERTIFICATE_INVALID',
      source,
      hint: 'client-certificate and client-key come together',
    });
  }
  const headers = impersonationOf(user.value);
  return {
    server: cluster.value.server,
    tls,
    credentials: plugin ?? credentialsOf(user, clock),
    source,
    ...(namespace === undefined ? {} : { namespace }),
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
  };
}

function credentialsOf(user: Located<KubeconfigUser>, clock: Clock): Credentials {
  const { token, tokenFile, username, password } = user.value;
  if (tokenFile !== undefined && tokenFile !== '') return new TokenFileCredentials(resolve(user.folder, tokenFile), clock);
  if (token !== undefined && token !== '') return new StaticCredentials(`Bearer ${token}`);
  if (username !== undefined) return new StaticCredentials(`Basic ${Buffer.from(`${username}:${password ?? ''}`).toString('base64')}`);
  return new StaticCredentials();
}

/** Undefined where a token or a certificate of the file suffices. */
function pluginOf({ source, cluster, user, namespace }: Chosen, clock: Clock): PluginCredentials | undefined {
  const { exec, 'auth-provider': provider } = user.value;
  if (exec === undefined && provider === undefined) return undefined;
  const spec = { interactive: false, cluster: { server: cluster.value.server, 'tls-server-name': cluster.value['tls-server-name'] } };
  const info = JSON.stringify({ apiVersion: exec?.apiVersion ?? 'client.authentication.k8s.io/v1', kind: 'ExecCredential', spec });
  const command = exec === undefined ? undefined : commandOf(exec.command, user.folder);
  const env = [...(exec?.env ?? []), { name: 'KUBERNETES_EXEC_INFO', value: info }];
  const kubeconfig = {
    clusters: [{ name: 'cluster', cluster: { server: cluster.value.server } }],
    users: [{ name: 'user', user: exec === undefined ? { 'auth-provider': provider } : { exec: { ...exec, command, env } } }],
    contexts: [{ name: 'context', context: { cluster: 'cluster', user: 'user', namespace } }],
    'current-context': 'context',
  };
  return new PluginCredentials({ kubeconfig: JSON.stringify(kubeconfig), source, clock });
}

/** A command with a folder in it is relative to its file, one without is looked up in PATH. */
function commandOf(command: string, folder: string): string {
  return isAbsolute(command) || !/[\\/]/.test(command) ? command : resolve(folder, command);
}

type PemField = 'certificate-authority' | 'client-certificate' | 'client-key';

/** What `<field>-data` holds, else the file that `<field>` names. */
function pemOf(
  entry: Located<Partial<Record<PemField | `${PemField}-data`, unknown>>>,
  source: string,
  field: PemField,
): Buffer | undefined {
  const data = entry.value[`${field}-data`];
  if (typeof data === 'string' && data !== '') return Buffer.from(data, 'base64');
  const path = entry.value[field];
  if (typeof path !== 'string' || path === '') return undefined;
  const file = resolve(entry.folder, path);
  try {
    return readFileSync(file);
  } catch (error) {
    throw new KubeconfigError(`cannot read ${field} ${file}: ${messageOf(error)}`, {
      code: 'KUBECONFIG_UNREADABLE',
      source,
      hint: `check the path of ${field}; it is relative to the kubeconfig's folder`,
      cause: error,
    });
  }
}

function impersonationOf(user: KubeconfigUser): Record<string, string | readonly string[]> {
  return {
    ...(user.as === undefined ? {} : { 'impersonate-user': user.as }),
    ...(user['as-uid'] === undefined ? {} : { 'impersonate-uid': user['as-uid'] }),
    ...(user['as-groups'] === undefined ? {} : { 'impersonate-group': user['as-groups'] }),
  };
}
