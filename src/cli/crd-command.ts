import { crdOf } from '../manifest/crd.ts';
import { crdYaml } from '../manifest/crd-yaml.ts';
import { type ExitCode, exitCode } from './exit-code.ts';
import { findDefinitions } from './find-definitions.ts';
import { loadLifecycles } from './load-lifecycles.ts';
import type { Terminal } from './terminal.ts';

export interface CrdFlags {
  readonly output: 'yaml' | 'json';
}

/** `phasekeeper crd`: the CustomResourceDefinitions, nothing at all when one of the machines is not sound. */
export async function crdCommand(machines: readonly string[], flags: CrdFlags, { cwd, out }: Terminal): Promise<ExitCode> {
  const loaded = await loadLifecycles(findDefinitions(machines, cwd), cwd);
  const lifecycles = loaded.map(({ lifecycle }) => lifecycle);
  if (flags.output === 'yaml') {
    out(lifecycles.map((lifecycle) => crdYaml(lifecycle)).join('---\n'));
    return exitCode.yes;
  }
  const [first, ...others] = lifecycles.map((lifecycle) => crdOf(lifecycle));
  const shown = others.length === 0 ? first : { apiVersion: 'v1', kind: 'List', items: [first, ...others] };
  out(`${JSON.stringify(shown, undefined, 2)}\n`);
  return exitCode.yes;
}
