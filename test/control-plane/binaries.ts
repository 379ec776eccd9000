import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import {
  controlPlaneCacheFolder,
  type ControlPlaneProgram,
  kwokStagesFolder,
  versionStamp,
  versionStampFile,
} from './control-plane-versions.ts';

/** Paths of the programs. The last three are absent from folders that hold only what envtest needs. */
export interface Binaries {
  readonly folder: string;
  readonly etcd: string;
  readonly apiServer: string;
  readonly kubectl: string;
  readonly controllerManager?: string;
  readonly scheduler?: string;
  readonly kwok?: string;
  /** Empty where kwok is absent. */
  readonly kwokStages: readonly string[];
}

/** What a control plane is asked to run beside etcd and the API server. */
export interface WantedComponents {
  readonly controllers?: boolean;
  readonly scheduler?: boolean;
  readonly kwok?: boolean;
}

const buildCommand = 'node test/control-plane/build.ts';
const reasonsSaid = new Set<string>();

function sayOnce(reason: string, remedy: string): void {
  if (reasonsSaid.has(reason)) return;
  reasonsSaid.add(reason);
  process.stderr.write(`control plane: SKIPPED, ${reason}; ${remedy}\n`);
}

function optional<Name extends string>(name: Name, folder: string, program: ControlPlaneProgram): { readonly [Key in Name]?: string } {
  const path = join(folder, program);
  return existsSync(path) ? ({ [name]: path } as { readonly [Key in Name]?: string }) : {};
}

function stageFiles(folder: string): readonly string[] {
  const stages = join(folder, kwokStagesFolder);
  return existsSync(stages) ? readdirSync(stages).map((name) => join(stages, name)) : [];
}

function problemOf(folder: string, isCache: boolean): readonly [reason: string, remedy: string] | undefined {
  const build = `build it with: ${buildCommand} (needs Go 1.26, about 10 minutes once)`;
  if (!existsSync(folder))
    return isCache
      ? ['no control plane has been built', build]
      : [`KUBEBUILDER_ASSETS names ${folder}, which is not there`, 'unset it or correct it'];
  const missing = (['etcd', 'kube-apiserver', 'kubectl'] as const).filter((program) => !existsSync(join(folder, program)));
  if (missing.length > 0) return [`${missing.join(', ')} missing in ${folder}`, isCache ? build : 'unset KUBEBUILDER_ASSETS or correct it'];
  if (!isCache) return undefined;
  const stamp = join(folder, versionStampFile);
  if (!existsSync(stamp)) return [`${folder} holds no finished build`, build];
  return readFileSync(stamp, 'utf8') === versionStamp() ? undefined : [`${folder} is of other versions`, build];
}

/**
 * The control plane's programs: from `KUBEBUILDER_ASSETS` where that is set, else from the project's cache.
 * Where they are not usable it returns undefined and says why and what to do, once per reason, on stderr.
 */
export function findBinaries(wanted: WantedComponents = {}): Binaries | undefined {
  const assets = process.env['KUBEBUILDER_ASSETS'];
  const isCache = assets === undefined || assets === '';
  const folder = isCache ? join(controlPlaneCacheFolder(), 'bin') : assets;
  const problem = problemOf(folder, isCache);
  if (problem) {
    sayOnce(...problem);
    return undefined;
  }
  const binaries: Binaries = {
    folder,
    etcd: join(folder, 'etcd'),
    apiServer: join(folder, 'kube-apiserver'),
    kubectl: join(folder, 'kubectl'),
    ...optional('controllerManager', folder, 'kube-controller-manager'),
    ...optional('scheduler', folder, 'kube-scheduler'),
    ...optional('kwok', folder, 'kwok'),
    kwokStages: stageFiles(folder),
  };
  const lacking = [
    wanted.controllers && !binaries.controllerManager ? 'kube-controller-manager' : undefined,
    wanted.scheduler && !binaries.scheduler ? 'kube-scheduler' : undefined,
    wanted.kwok && (!binaries.kwok || binaries.kwokStages.length === 0) ? 'kwok with its stages' : undefined,
  ].filter((name) => name !== undefined);
  if (lacking.length === 0) return binaries;
  sayOnce(`${folder} lacks ${lacking.join(', ')}`, `unset KUBEBUILDER_ASSETS and build with: ${buildCommand}`);
  return undefined;
}
