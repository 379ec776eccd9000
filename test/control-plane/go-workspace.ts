import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { runProgram } from './run-program.ts';

export interface GoProgram {
  /** Import path of its main package. */
  readonly importPath: string;
  readonly into: string;
  /** Linker flags beyond those that drop debug data. */
  readonly linkerFlags?: readonly string[];
}

/** A throw-away Go module that exists only to pin versions, so that programs can be built from the modules of others. */
export class GoWorkspace {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** `replacements` maps a module to the version that stands in for it, whatever the modules that need it say. */
  static create(
    folder: string,
    requirement: { readonly module: string; readonly version: string },
    replacements: ReadonlyMap<string, string> = new Map(),
  ): GoWorkspace {
    mkdirSync(folder, { recursive: true });
    const replaceLines = [...replacements].map(([module, version]) => `replace ${module} => ${module} ${version}`);
    const lines = ['module control-plane-build', 'go 1.26.0', `require ${requirement.module} ${requirement.version}`, ...replaceLines];
    writeFileSync(join(folder, 'go.mod'), `${lines.join('\n')}\n`);
    return new GoWorkspace(folder);
  }

  /** Compiles one program; downloads what it needs. Throws with the compiler's own words. */
  async build(program: GoProgram): Promise<void> {
    const flags = ['-s', '-w', ...(program.linkerFlags ?? [])].join(' ');
    await this.go(['build', '-mod=mod', '-ldflags', flags, '-o', program.into, program.importPath]);
  }

  /** Folder in the module cache that holds a module's files. */
  async moduleFolder(module: string): Promise<string> {
    return (await this.go(['list', '-mod=mod', '-m', '-f', '{{.Dir}}', module])).trim();
  }

  /** Runs `go` here and returns its standard output. */
  async go(args: readonly string[]): Promise<string> {
    const result = await runProgram('go', args, { cwd: this.#folder, env: { ...process.env, CGO_ENABLED: '0', GOWORK: 'off' } });
    if (result.code !== 0) {
      throw new Error(`go ${args.slice(0, 2).join(' ')} ended with ${result.code}\n${result.stderr.split('\n').slice(-30).join('\n')}`);
    }
    return result.stdout;
  }
}

/** The modules that a released `go.mod` points at folders of its own tree, which exist nowhere else. */
export async function modulesReplacedByFolders(goModFile: string): Promise<readonly string[]> {
  const result = await runProgram('go', ['mod', 'edit', '-json', goModFile]);
  if (result.code !== 0) throw new Error(`cannot read ${goModFile}: ${result.stderr}`);
  const parsed: { Replace?: { Old: { Path: string }; New: { Path: string } }[] } = JSON.parse(result.stdout);
  return (parsed.Replace ?? []).filter((entry) => entry.New.Path.startsWith('./')).map((entry) => entry.Old.Path);
}
