import { homedir } from 'node:os';
import { join } from 'node:path';

/** What the control plane is built from: module versions, and the release that replaces Kubernetes' own staging modules. */
export const controlPlaneVersions = Object.freeze({ kubernetes: 'v1.37.2', staging: 'v0.37.2', etcd: 'v3.7.3', kwok: 'v0.8.0' });

/** Every program of a whole control plane, as it is named in the cache. */
export const controlPlanePrograms = Object.freeze([
  'etcd',
  'kube-apiserver',
  'kube-controller-manager',
  'kube-scheduler',
  'kubectl',
  'kwok',
] as const);

export type ControlPlaneProgram = (typeof controlPlanePrograms)[number];

/** Folder, beside the programs, with the stage files without which kwok refuses to start. */
export const kwokStagesFolder = 'kwok-stages';

/** File, beside the programs, that a build writes last: it says that the folder is whole, and of which versions. */
export const versionStampFile = 'versions.json';

/** Where the project keeps the programs it built: `~/.cache/control-plane`, or the same under `XDG_CACHE_HOME`. */
export function controlPlaneCacheFolder(): string {
  return join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'control-plane');
}

/** The stamp's text for this machine: one text for one set of programs. */
export function versionStamp(): string {
  return `${JSON.stringify({ ...controlPlaneVersions, platform: process.platform, arch: process.arch }, undefined, 2)}\n`;
}
