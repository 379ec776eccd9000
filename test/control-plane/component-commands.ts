import type { Binaries } from './binaries.ts';
import type { ComponentCommand } from './component.ts';
import type { ControlPlaneFiles } from './control-plane-files.ts';
import type { ControlPlaneOptions } from './control-plane-options.ts';

export type ComponentName = 'etcd' | 'kube-apiserver' | 'kube-controller-manager' | 'kube-scheduler' | 'kwok';

export interface CommandSurroundings {
  readonly binaries: Binaries;
  readonly files: ControlPlaneFiles;
  readonly options: ControlPlaneOptions;
  readonly ports: { readonly etcd: number; readonly etcdPeers: number; readonly apiServer: number };
  /** Path of a kubeconfig for one of the control plane's own users. */
  readonly kubeconfig: (user: string) => string;
}

const flags = (values: Readonly<Record<string, string | number | boolean>>): string[] =>
  Object.entries(values).map(([name, value]) => `--${name}=${value}`);

function etcd({ files, ports, options }: CommandSurroundings): string[] {
  const clients = `http://127.0.0.1:${ports.etcd}`;
  const peers = `http://127.0.0.1:${ports.etcdPeers}`;
  return flags({
    name: 'etcd',
    'data-dir': files.path('etcd'),
    'listen-client-urls': clients,
    'advertise-client-urls': clients,
    'listen-peer-urls': peers,
    'initial-advertise-peer-urls': peers,
    'initial-cluster': `etcd=${peers}`,
    'log-level': 'warn',
    'unsafe-no-fsync': !options.fsync,
  });
}

function apiServer({ files, ports, options }: CommandSurroundings): string[] {
  const audit = {
    'audit-policy-file': files.path('audit-policy.yaml'),
    'audit-log-path': files.path('logs', 'audit.jsonl'),
    'audit-log-maxsize': 4096,
  };
  // Without the controllers nobody makes the service accounts that this plugin wants every pod to have.
  const withoutControllers = { 'disable-admission-plugins': 'ServiceAccount' };
  return [
    ...flags({
      'etcd-servers': `http://127.0.0.1:${ports.etcd}`,
      'secure-port': ports.apiServer,
      'bind-address': '127.0.0.1',
      'advertise-address': '127.0.0.1',
      'endpoint-reconciler-type': 'none',
      'cert-dir': files.path('certs'),
      'tls-cert-file': files.path('serving.crt'),
      'tls-private-key-file': files.path('serving.key'),
      'client-ca-file': files.path('ca.crt'),
      'token-auth-file': files.path('tokens.csv'),
      'authorization-mode': 'RBAC',
      'service-account-key-file': files.path('service-accounts.pub'),
      'service-account-signing-key-file': files.path('service-accounts.key'),
      'service-account-issuer': 'https://kubernetes.default.svc',
      'service-cluster-ip-range': '10.96.0.0/16',
      ...(options.audit === false ? {} : audit),
      ...(options.controllers ? {} : withoutControllers),
    }),
    ...(options.apiServerArgs ?? []),
  ];
}

function controllerManager({ files, kubeconfig }: CommandSurroundings): string[] {
  return flags({
    kubeconfig: kubeconfig('system:kube-controller-manager'),
    'service-account-private-key-file': files.path('service-accounts.key'),
    'root-ca-file': files.path('ca.crt'),
    'leader-elect': false,
    'secure-port': 0,
  });
}

function scheduler({ kubeconfig }: CommandSurroundings): string[] {
  return flags({ kubeconfig: kubeconfig('system:kube-scheduler'), 'leader-elect': false, 'secure-port': 0 });
}

function kwok({ binaries, kubeconfig }: CommandSurroundings): string[] {
  return [
    ...flags({ kubeconfig: kubeconfig('kwok'), 'manage-all-nodes': true, cidr: '10.0.0.0/16', 'node-ip': '10.0.0.1' }),
    ...binaries.kwokStages.map((file) => `--config=${file}`),
  ];
}

/** What is run for the options, in the order in which it is started. */
export function componentCommands(surroundings: CommandSurroundings): readonly (ComponentCommand & { readonly name: ComponentName })[] {
  const { binaries, files, options } = surroundings;
  const command = (name: ComponentName, program: string | undefined, args: string[]) => {
    if (program === undefined) throw new Error(`${name} is not among the programs in ${binaries.folder}`);
    return { name, program, args, logFile: files.logFile(name), cwd: files.folder, env: { ...process.env, HOME: files.path('home') } };
  };
  return [
    command('etcd', binaries.etcd, etcd(surroundings)),
    command('kube-apiserver', binaries.apiServer, apiServer(surroundings)),
    ...(options.controllers ? [command('kube-controller-manager', binaries.controllerManager, controllerManager(surroundings))] : []),
    ...(options.scheduler ? [command('kube-scheduler', binaries.scheduler, scheduler(surroundings))] : []),
    ...(options.kwok ? [command('kwok', binaries.kwok, kwok(surroundings))] : []),
  ];
}
