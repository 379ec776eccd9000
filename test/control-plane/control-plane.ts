import { cpSync, existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type ApiAnswer, type ApiCall, ApiClient } from './api-client.ts';
import { type AuditEntry, type AuditFilter, AuditLog } from './audit-log.ts';
import { type Binaries, findBinaries } from './binaries.ts';
import type { Certificate } from './certificate-authority.ts';
import { Component } from './component.ts';
import { componentCommands, type ComponentName } from './component-commands.ts';
import { ControlPlaneFiles } from './control-plane-files.ts';
import type { ControlPlaneOptions } from './control-plane-options.ts';
import { eventually } from './eventually.ts';
import { kubeconfigText } from './kubeconfig.ts';
import { freeLoopbackPort } from './loopback-port.ts';
import { parentWatch } from './parent-watch.ts';
import { type ProgramResult, runProgram } from './run-program.ts';

/** A rule of RBAC. */
export interface PolicyRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

export interface KubectlOptions {
  /** Default `admin`. */
  readonly user?: string;
  /** Instead of the user's own, such as a fault proxy's. */
  readonly kubeconfig?: string;
  /** Standard input. */
  readonly input?: string;
  /** Default 60,000. */
  readonly timeoutMs?: number;
}

const readyWithinMs = 90_000;
const startAttempts = 3;

/**
 * A real control plane of one test suite: etcd, kube-apiserver and, where asked, controller-manager, scheduler and kwok, as processes on
 * free ports of 127.0.0.1 with a folder of their own. Any number may run at once. They end with `stop()`, and with this process.
 */
export class ControlPlane {
  /** `https://127.0.0.1:port`, the same for life. */
  readonly origin: string;
  readonly #binaries: Binaries;
  readonly #files: ControlPlaneFiles;
  readonly #options: ControlPlaneOptions;
  readonly #components: ReadonlyMap<string, Component>;
  readonly #audit: AuditLog;
  readonly #client: ApiClient;
  #isStopped = false;

  private constructor(parts: {
    readonly binaries: Binaries;
    readonly files: ControlPlaneFiles;
    readonly options: ControlPlaneOptions;
    readonly ports: { readonly etcd: number; readonly etcdPeers: number; readonly apiServer: number };
  }) {
    const { binaries, files, options, ports } = parts;
    this.origin = `https://127.0.0.1:${ports.apiServer}`;
    this.#binaries = binaries;
    this.#files = files;
    this.#options = options;
    this.#audit = new AuditLog(files.path('logs', 'audit.jsonl'));
    this.#client = new ApiClient(this, files.tokenOf('admin'));
    const commands = componentCommands({ binaries, files, options, ports, kubeconfig: (user) => this.kubeconfig(user) });
    this.#components = new Map(commands.map((command) => [command.name, new Component(command)]));
  }

  /** Resolves when every part answers, after 3 to 5 s. What went wrong, with the tail of the log, is in the error. */
  static async start(options: ControlPlaneOptions = {}): Promise<ControlPlane> {
    const binaries = findBinaries(options);
    if (!binaries) throw new Error('there is no control plane to start; see the line above');
    for (let attempt = 1; ; attempt++) {
      const plane = await ControlPlane.#prepare(binaries, options);
      try {
        await plane.#startAll();
        return plane;
      } catch (error) {
        const isPortTaken = plane.#someLogSays('address already in use');
        const again = isPortTaken && attempt < startAttempts;
        const kept = await plane.stop({ keepLogs: !again });
        if (!again) throw new Error(`the control plane did not start: ${String(error)}${kept ? `\nlogs: ${kept}` : ''}`, { cause: error });
      }
    }
  }

  static async #prepare(binaries: Binaries, options: ControlPlaneOptions): Promise<ControlPlane> {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'control-plane-')));
    parentWatch.removeWithUs(folder);
    const files = new ControlPlaneFiles(folder, { users: options.users ?? [], auditBodiesOf: options.auditBodiesOf ?? ['operator'] });
    const ports = { etcd: await freeLoopbackPort(), etcdPeers: await freeLoopbackPort(), apiServer: await freeLoopbackPort() };
    return new ControlPlane({ binaries, files, options, ports });
  }

  /** The certificate that signed the servers'. */
  get caPem(): string {
    return this.#files.authority.certificatePem;
  }

  /** The API server's own pair, good for anything on 127.0.0.1: a proxy in front of it uses the same. */
  get serving(): Certificate {
    return this.#files.serving;
  }

  /** A certificate of the same authority: another server's, an expired one, a user's (common name) with groups (organizations). */
  issue(request: Parameters<ControlPlaneFiles['authority']['issue']>[0]): Certificate {
    return this.#files.authority.issue(request);
  }

  tokenOf(user: string): string {
    return this.#files.tokenOf(user);
  }

  /** Undefined for a token of nobody here. */
  userOf(token: string): string | undefined {
    return this.#files.userOf(token);
  }

  /** Path of a kubeconfig with the user's token. `server` leads elsewhere, such as to a proxy. */
  kubeconfig(user = 'admin', server = this.origin): string {
    const file = this.#files.path('kubeconfigs', `${user.replaceAll(':', '-')}-${new URL(server).port}.yaml`);
    if (!existsSync(file)) this.#writeKubeconfig(file, { server, user, credentials: { token: this.tokenOf(user) } });
    return file;
  }

  /** Path of a kubeconfig with a client certificate instead of a token. */
  certificateKubeconfig(user: string, certificate: Certificate): string {
    const file = this.#files.path('kubeconfigs', `${user}-certificate.yaml`);
    this.#writeKubeconfig(file, { server: this.origin, user, credentials: certificate });
    return file;
  }

  #writeKubeconfig(file: string, entry: Omit<Parameters<typeof kubeconfigText>[0], 'caPem'>): void {
    writeFileSync(file, kubeconfigText({ ...entry, caPem: this.caPem }), { mode: 0o600 });
  }

  /** Runs kubectl to its end. Its caches are this control plane's own. */
  kubectl(args: readonly string[], options: KubectlOptions = {}): Promise<ProgramResult> {
    const kubeconfig = options.kubeconfig ?? this.kubeconfig(options.user);
    return runProgram(this.#binaries.kubectl, args, {
      env: { ...process.env, KUBECONFIG: kubeconfig, HOME: this.#files.path('home') },
      timeoutMs: options.timeoutMs ?? 60_000,
      ...(options.input === undefined ? {} : { input: options.input }),
    });
  }

  /** Like `kubectl`, but an exit code other than 0 is an error with what kubectl said; returns its standard output. */
  async mustKubectl(args: readonly string[], options: KubectlOptions = {}): Promise<string> {
    const result = await this.kubectl(args, options);
    if (result.code !== 0) throw new Error(`kubectl ${args.join(' ')} ended with ${result.code}: ${result.stderr}${result.stdout}`);
    return result.stdout;
  }

  /** A bare request as admin. Rejects only where no answer came. */
  call(call: ApiCall): Promise<ApiAnswer> {
    return this.#client.call(call);
  }

  /** The resourceVersion of the whole store at this moment: all resources share one count. */
  async currentVersion(): Promise<string> {
    const { body } = await this.call({ path: '/api/v1/namespaces?limit=1' });
    return (body as { readonly metadata: { readonly resourceVersion: string } }).metadata.resourceVersion;
  }

  /** Gives a user rights everywhere, through a ClusterRole and a binding that bear the user's name. */
  async grant(user: string, rules: readonly PolicyRule[]): Promise<void> {
    const root = '/apis/rbac.authorization.k8s.io/v1';
    const metadata = { name: `test:${user}` };
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: metadata.name };
    const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: user }];
    const apply = async (plural: string, object: object): Promise<void> => {
      const path = `${root}/${plural}/${metadata.name}?fieldManager=test&force=true`;
      const answer = await this.call({ method: 'PATCH', path, contentType: 'application/apply-patch+yaml', body: object });
      if (answer.status >= 300) throw new Error(`cannot grant rights to ${user}: ${JSON.stringify(answer.body)}`);
    };
    const apiVersion = 'rbac.authorization.k8s.io/v1';
    await apply('clusterroles', { apiVersion, kind: 'ClusterRole', metadata, rules });
    await apply('clusterrolebindings', { apiVersion, kind: 'ClusterRoleBinding', metadata, roleRef, subjects });
  }

  /** What the API server's audit log holds so far; an answer may reach its caller a moment before its line is there. */
  audit(filter: AuditFilter = {}): readonly AuditEntry[] {
    if (this.#options.audit === false) throw new Error('this control plane was started with audit: false');
    return this.#audit.entries(filter);
  }

  /** Undefined while it does not run. */
  pidOf(name: ComponentName): number | undefined {
    return this.#component(name).pid;
  }

  /** The pids of all that runs now. */
  get pids(): readonly number[] {
    return [...this.#components.values()].map(({ pid }) => pid).filter((pid) => pid !== undefined);
  }

  /** The temporary folder: data, certificates, kubeconfigs, logs. */
  get folder(): string {
    return this.#files.folder;
  }

  logTail(name: ComponentName, lines = 20): string {
    return this.#component(name).logTail(lines);
  }

  /** Freezes a component (SIGSTOP): its sockets stay open and silent. Resolves when it stands still. */
  pause(name: ComponentName = 'kube-apiserver'): Promise<void> {
    return this.#component(name).pause();
  }

  resume(name: ComponentName = 'kube-apiserver'): void {
    this.#component(name).resume();
  }

  /** Ends a component without warning; resolves when it is gone. */
  kill9(name: ComponentName): Promise<void> {
    return this.#component(name).kill9();
  }

  /** Ends a component as a roll-out would (SIGTERM); resolves when it is gone. */
  async stopComponent(name: ComponentName): Promise<void> {
    await this.#component(name).stop();
  }

  /** Runs a component that was ended, on the same ports and data; resolves when the control plane answers. */
  async startComponent(name: ComponentName): Promise<void> {
    this.#component(name).start();
    await this.#untilReady();
  }

  /** Ends the API server (without warning, unless `gracefully`) and runs it again on the same port and data. */
  async restartApiServer(options: { readonly gracefully?: boolean } = {}): Promise<void> {
    if (options.gracefully) await this.stopComponent('kube-apiserver');
    else await this.kill9('kube-apiserver');
    await this.startComponent('kube-apiserver');
  }

  /** Ends every component and removes the folder. With `keepLogs` the logs are copied first, and the path of the copy is returned. */
  async stop(options: { readonly keepLogs?: boolean } = {}): Promise<string | undefined> {
    if (this.#isStopped) return undefined;
    this.#isStopped = true;
    this.#client.close();
    await Promise.all([...this.#components.values()].map((component) => component.kill9()));
    const kept = options.keepLogs ? `${this.folder}-logs` : undefined;
    if (kept) cpSync(this.#files.path('logs'), kept, { recursive: true });
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
    parentWatch.keep(this.folder);
    return kept;
  }

  #component(name: ComponentName): Component {
    const component = this.#components.get(name);
    if (!component) throw new Error(`${name} is not part of this control plane; it runs ${[...this.#components.keys()].join(', ')}`);
    return component;
  }

  async #startAll(): Promise<void> {
    for (const component of this.#components.values()) {
      component.start();
      if (component.name === 'kube-apiserver') await this.#untilReady();
    }
    await this.grant('mallory', [
      { apiGroups: ['*'], resources: ['*'], verbs: ['get', 'list', 'watch'] },
      { apiGroups: ['*'], resources: ['*/status'], verbs: ['get', 'update', 'patch'] },
    ]);
    if (this.#options.controllers) {
      const path = '/api/v1/namespaces/default/serviceaccounts/default';
      await this.#until(path, 'the controllers to make the default service account');
    }
  }

  async #untilReady(): Promise<void> {
    await this.#until('/readyz', 'the API server to be ready');
    await this.#until('/api/v1/namespaces/default', 'the default namespace');
  }

  async #until(path: string, what: string): Promise<void> {
    let isGivenUp: Error | undefined;
    await eventually(
      async () => {
        isGivenUp = this.#firstEnded();
        if (isGivenUp) return true;
        const answer = await this.call({ path, timeoutMs: 5_000 });
        return answer.status === 200 || Promise.reject(new Error(`${answer.status} ${JSON.stringify(answer.body)}`));
      },
      { what, withinMs: readyWithinMs, everyMs: 25 },
    ).catch((error: unknown) => {
      throw new Error(`${String(error)}\n${this.logTail('kube-apiserver')}`, { cause: error });
    });
    if (isGivenUp) throw isGivenUp;
  }

  /** A component that ended although nobody asked it to makes waiting pointless. */
  #firstEnded(): Error | undefined {
    for (const component of this.#components.values()) {
      const end = component.unaskedEnd;
      if (end) return new Error(`${component.name} ended (code ${end.code}, signal ${end.signal}):\n${component.logTail()}`);
    }
    return undefined;
  }

  #someLogSays(text: string): boolean {
    return [...this.#components.values()].some((component) => component.logTail(50).includes(text));
  }
}
