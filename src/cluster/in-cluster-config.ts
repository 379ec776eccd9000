import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../clock/clock.ts';
import type { ClusterConfig } from './cluster-config.ts';
import { TokenFileCredentials } from './token-file-credentials.ts';

export interface InClusterOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** Default where Kubernetes mounts a pod's service account. */
  readonly serviceAccountDir?: string | undefined;
}

/** The pod's own service account; undefined outside a pod. */
export function inClusterConfig(options: InClusterOptions): ClusterConfig | undefined {
  const { env, clock, serviceAccountDir = '/var/run/secrets/kubernetes.io/serviceaccount' } = options;
  const host = env['KUBERNETES_SERVICE_HOST'];
  const token = join(serviceAccountDir, 'token');
  if (host === undefined || host === '' || !existsSync(token)) return undefined;
  const port = env['KUBERNETES_SERVICE_PORT_HTTPS'] ?? env['KUBERNETES_SERVICE_PORT'] ?? '443';
  const namespace = join(serviceAccountDir, 'namespace');
  return {
    server: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
    tls: () => ({ ca: readFileSync(join(serviceAccountDir, 'ca.crt')) }),
    credentials: new TokenFileCredentials(token, clock),
    source: `in-cluster service account ${serviceAccountDir}`,
    ...(existsSync(namespace) ? { namespace: readFileSync(namespace, 'utf8').trim() } : {}),
  };
}
