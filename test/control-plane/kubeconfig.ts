import { stringify } from 'yaml';

export interface KubeconfigEntry {
  readonly server: string;
  readonly caPem: string;
  readonly user: string;
  readonly credentials: { readonly token: string } | { readonly certificatePem: string; readonly keyPem: string };
}

const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64');

/** The text of a kubeconfig with one cluster, one user and one context. */
export function kubeconfigText(entry: KubeconfigEntry): string {
  const { credentials } = entry;
  const user =
    'token' in credentials
      ? { token: credentials.token }
      : { 'client-certificate-data': base64(credentials.certificatePem), 'client-key-data': base64(credentials.keyPem) };
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'test',
    clusters: [{ name: 'test', cluster: { server: entry.server, 'certificate-authority-data': base64(entry.caPem) } }],
    users: [{ name: entry.user, user }],
    contexts: [{ name: 'test', context: { cluster: 'test', user: entry.user } }],
  });
}
