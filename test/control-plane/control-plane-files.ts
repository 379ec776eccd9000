import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';

import { type Certificate, CertificateAuthority } from './certificate-authority.ts';
import type { ControlPlaneUser } from './control-plane-options.ts';

/** The control plane's own components, each under its own name so that the audit log tells them apart. */
const componentUsers: readonly ControlPlaneUser[] = ['system:kube-controller-manager', 'system:kube-scheduler', 'kwok'].map((name) => ({
  name,
  groups: ['system:masters'],
}));

const standingUsers: readonly ControlPlaneUser[] = [
  { name: 'admin', groups: ['system:masters'] },
  { name: 'operator' },
  { name: 'mallory' },
];

function auditPolicy(usersWithBodies: readonly string[]): string {
  return stringify({
    apiVersion: 'audit.k8s.io/v1',
    kind: 'Policy',
    omitStages: ['RequestReceived'],
    rules: [
      { level: 'None', users: ['system:apiserver'] },
      ...(usersWithBodies.length === 0
        ? []
        : [{ level: 'RequestResponse', users: usersWithBodies, verbs: ['create', 'update', 'patch', 'delete', 'deletecollection'] }]),
      { level: 'Metadata' },
    ],
  });
}

/** Everything on disk that a control plane needs before it starts, in one folder of its own. */
export class ControlPlaneFiles {
  readonly folder: string;
  readonly authority = new CertificateAuthority();
  readonly serving: Certificate;
  readonly #tokens: ReadonlyMap<string, string>;

  constructor(folder: string, options: { readonly users: readonly ControlPlaneUser[]; readonly auditBodiesOf: readonly string[] }) {
    this.folder = folder;
    this.serving = this.authority.issue({ commonName: 'kube-apiserver' });
    const users = [...standingUsers, ...componentUsers, ...options.users];
    this.#tokens = new Map(users.map(({ name }) => [name, randomBytes(16).toString('hex')]));
    for (const name of ['logs', 'kubeconfigs', 'home']) mkdirSync(join(folder, name));
    this.#writeKeys();
    this.#write(
      'tokens.csv',
      users.map(({ name, groups }) => `${this.tokenOf(name)},"${name}","uid-${name}","${(groups ?? []).join(',')}"\n`).join(''),
    );
    this.#write('audit-policy.yaml', auditPolicy(options.auditBodiesOf));
  }

  path(...names: readonly string[]): string {
    return join(this.folder, ...names);
  }

  logFile(component: string): string {
    return this.path('logs', `${component}.log`);
  }

  tokenOf(user: string): string {
    const token = this.#tokens.get(user);
    if (token === undefined) throw new Error(`there is no user ${user}; known: ${[...this.#tokens.keys()].join(', ')}. Name it in users`);
    return token;
  }

  userOf(token: string): string | undefined {
    return [...this.#tokens].find(([, known]) => known === token)?.[0];
  }

  #writeKeys(): void {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.#write('service-accounts.key', privateKey.export({ type: 'sec1', format: 'pem' }).toString());
    this.#write('service-accounts.pub', publicKey.export({ type: 'spki', format: 'pem' }).toString());
    this.#write('ca.crt', this.authority.certificatePem);
    this.#write('serving.crt', this.serving.certificatePem);
    this.#write('serving.key', this.serving.keyPem);
  }

  #write(name: string, text: string): void {
    writeFileSync(this.path(name), text, { mode: 0o600 });
  }
}
