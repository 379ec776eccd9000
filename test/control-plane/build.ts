import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { BuildLock } from './build-lock.ts';
import {
  controlPlaneCacheFolder,
  type ControlPlaneProgram,
  controlPlanePrograms,
  controlPlaneVersions,
  kwokStagesFolder,
  versionStamp,
  versionStampFile,
} from './control-plane-versions.ts';
import { GoWorkspace, modulesReplacedByFolders } from './go-workspace.ts';
import { runProgram } from './run-program.ts';

/** The stages that make a Node Ready, keep it so, and carry a pod from created to running and from deleted to gone. */
const kwokStages = Object.freeze([
  'node/fast/node-initialize.yaml',
  'node/heartbeat/node-heartbeat.yaml',
  'pod/fast/pod-complete.yaml',
  'pod/fast/pod-delete.yaml',
  'pod/fast/pod-ready.yaml',
]);

const help = `Usage: node test/control-plane/build.ts [--force] [--into DIR]

Builds etcd, kube-apiserver, kube-controller-manager, kube-scheduler, kubectl and kwok from Go modules.
Cold about 10 minutes on 2 cores, seconds when Go's build cache is warm.

  --force     build again although the folder is whole and of the right versions
  --into DIR  cache folder (default ${controlPlaneCacheFolder()}); the programs land in DIR/bin

Exit codes: 0 the programs are there, 1 the build failed, 2 usage, 3 there is no Go to build with.
`;

function say(text: string): void {
  process.stdout.write(`control plane: ${text}\n`);
}

function isWhole(bin: string): boolean {
  const stamp = join(bin, versionStampFile);
  return (
    existsSync(stamp) && readFileSync(stamp, 'utf8') === versionStamp() && controlPlanePrograms.every((name) => existsSync(join(bin, name)))
  );
}

async function step<Result>(title: string, work: () => Promise<Result>): Promise<Result> {
  say(`${title} …`);
  const startedMs = performance.now();
  const result = await work();
  say(`${title} done in ${Math.round((performance.now() - startedMs) / 1000)} s`);
  return result;
}

async function kubernetesWorkspace(folder: string): Promise<GoWorkspace> {
  const requirement = { module: 'k8s.io/kubernetes', version: controlPlaneVersions.kubernetes };
  const bare = GoWorkspace.create(join(folder, 'kubernetes-mod'), requirement);
  const download: { GoMod: string } = JSON.parse(
    await bare.go(['mod', 'download', '-json', `${requirement.module}@${requirement.version}`]),
  );
  const staging = await modulesReplacedByFolders(download.GoMod);
  return GoWorkspace.create(
    join(folder, 'kubernetes'),
    requirement,
    new Map(staging.map((module) => [module, controlPlaneVersions.staging])),
  );
}

/** The version that the programs report; without it they call themselves v0.0.0 and kubectl warns of the skew. */
function versionFlags(): readonly string[] {
  const [major, minor] = controlPlaneVersions.kubernetes.slice(1).split('.');
  const values = { gitVersion: controlPlaneVersions.kubernetes, gitMajor: major, gitMinor: minor };
  return Object.entries(values).map(([name, value]) => `-X k8s.io/component-base/version.${name}=${value}`);
}

async function copyKwokStages(kwok: GoWorkspace, into: string): Promise<void> {
  const from = join(await kwok.moduleFolder('sigs.k8s.io/kwok'), 'kustomize', 'stage');
  mkdirSync(into);
  for (const stage of kwokStages) {
    const target = join(into, basename(stage));
    copyFileSync(join(from, stage), target);
    chmodSync(target, 0o644); // The module cache is read-only, and copies inherit that.
  }
}

async function buildPrograms(bin: string, work: string): Promise<void> {
  const total = controlPlanePrograms.length;
  const program = (index: number, name: ControlPlaneProgram, workspace: GoWorkspace, importPath: string, linkerFlags?: readonly string[]) =>
    step(`[${index}/${total}] ${name}`, () =>
      workspace.build({ importPath, into: join(bin, name), ...(linkerFlags ? { linkerFlags } : {}) }),
    );

  const kubernetes = await step(`kubernetes ${controlPlaneVersions.kubernetes} module`, () => kubernetesWorkspace(work));
  const fromKubernetes = controlPlanePrograms.filter((name) => name.startsWith('kube'));
  for (const [index, name] of fromKubernetes.entries()) {
    await program(index + 1, name, kubernetes, `k8s.io/kubernetes/cmd/${name}`, versionFlags());
  }
  const etcd = GoWorkspace.create(join(work, 'etcd'), { module: 'go.etcd.io/etcd/server/v3', version: controlPlaneVersions.etcd });
  await program(total - 1, 'etcd', etcd, 'go.etcd.io/etcd/server/v3');
  const kwok = GoWorkspace.create(join(work, 'kwok'), { module: 'sigs.k8s.io/kwok', version: controlPlaneVersions.kwok });
  await program(total, 'kwok', kwok, 'sigs.k8s.io/kwok/cmd/kwok');
  await copyKwokStages(kwok, join(bin, kwokStagesFolder));
}

/** Swaps the finished folder in. Programs that run from the old one keep their files until they end. */
function moveIntoPlace(built: string, bin: string): void {
  const old = `${bin}.old-${process.pid}`;
  if (existsSync(bin)) renameSync(bin, old);
  renameSync(built, bin);
  rmSync(old, { recursive: true, force: true });
}

async function build(cache: string): Promise<void> {
  const work = mkdtempSync(join(cache, '.building-'));
  try {
    const built = join(work, 'bin');
    mkdirSync(built);
    await buildPrograms(built, work);
    writeFileSync(join(built, versionStampFile), versionStamp());
    moveIntoPlace(built, join(cache, 'bin'));
    say(readdirSync(join(cache, 'bin')).join(' '));
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { force: { type: 'boolean' }, into: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
  });
  if (values.help) {
    process.stdout.write(help);
    return 0;
  }
  const assets = process.env['KUBEBUILDER_ASSETS'];
  if (assets && !values.force && values.into === undefined) {
    say(`nothing to build: KUBEBUILDER_ASSETS names ${assets}`);
    return 0;
  }
  const cache = resolve(values.into ?? controlPlaneCacheFolder());
  const bin = join(cache, 'bin');
  const ready = `etcd ${controlPlaneVersions.etcd}, Kubernetes ${controlPlaneVersions.kubernetes} and kwok ${controlPlaneVersions.kwok} are in ${bin}`;
  if (!values.force && isWhole(bin)) {
    say(ready);
    return 0;
  }
  const version = await runProgram('go', ['version']);
  if (version.code !== 0) {
    say('Go is not installed, so the control plane cannot be built; install Go 1.26 or newer, or set KUBEBUILDER_ASSETS to built programs');
    return 3;
  }
  mkdirSync(cache, { recursive: true });
  const lock = await BuildLock.take(join(cache, '.build.lock'), () => say('another build is running; waiting for it'));
  try {
    if (lock.waited && isWhole(bin)) say(ready);
    else await step(`building with ${version.stdout.trim()} into ${bin}`, () => build(cache));
    return 0;
  } finally {
    lock.release();
  }
}

try {
  process.exitCode = await main();
} catch (error) {
  const usage = error instanceof TypeError && 'code' in error;
  process.stderr.write(`control plane: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = usage ? 2 : 1;
}
