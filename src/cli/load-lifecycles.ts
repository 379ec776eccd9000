import { relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Lifecycle } from '../definition/lifecycle.ts';
import { messageOf } from '../failure/message-of.ts';
import { PhasekeeperError } from '../failure/phasekeeper-error.ts';
import { requireSound } from '../graph/require-sound.ts';
import { CommandError } from './command-error.ts';
import { exitCode } from './exit-code.ts';
import { isLifecycle } from './is-lifecycle.ts';
import { UsageError } from './usage-error.ts';

/** A lifecycle and where it was declared. */
export interface LoadedLifecycle {
  readonly lifecycle: Lifecycle;
  /** Path of the module, relative to the working folder. */
  readonly file: string;
}

/**
 * Imports definition modules and takes the lifecycles that they export. Each must be sound: one that is not is refused with every
 * finding.
 *
 * @param files absolute paths
 * @throws CommandError, exit code 2, that names the file
 */
export async function loadLifecycles(files: readonly string[], cwd: string): Promise<readonly LoadedLifecycle[]> {
  const loaded: LoadedLifecycle[] = [];
  for (const path of files) {
    const file = relative(cwd, path) || path;
    const module = await importDefinition(path, file);
    const found = [...new Set(Object.values(module).filter(isLifecycle))];
    if (found.length === 0) throw noLifecycle(file, Object.keys(module));
    for (const lifecycle of found) {
      refuse(file, () => requireSound(lifecycle));
      loaded.push({ lifecycle, file });
    }
  }
  refuseDoubles(loaded);
  return loaded;
}

async function importDefinition(path: string, file: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    const module: unknown = await import(pathToFileURL(path).href);
    return typeof module === 'object' && module !== null ? { ...module } : {};
  } catch (error) {
    throw badDefinition(file, error);
  }
}

function refuse(file: string, check: () => void): void {
  try {
    check();
  } catch (error) {
    throw badDefinition(file, error);
  }
}

/** What is wrong with a definition, with its file in front; the other lines of the message become the facts. */
function badDefinition(file: string, error: unknown): CommandError {
  const [what = '', ...facts] = messageOf(error).split('\n');
  if (error instanceof PhasekeeperError) {
    return new CommandError(`${file}: ${what}`, { exitCode: exitCode.usage, code: error.code, facts, hint: error.hint, cause: error });
  }
  const place = placeOf(error);
  const options = {
    exitCode: exitCode.usage,
    code: 'DEFINITION_NOT_LOADED',
    facts: [...facts, ...(place === undefined ? [] : [`at ${place}`])],
    cause: error,
  };
  return new CommandError(`${file} does not load: ${what}`, { ...options, hint: hintFor(error) });
}

/** `path:line:column` of the user's own code in a stack, or where a syntax error is. */
function placeOf(error: unknown): string | undefined {
  const lines = (error instanceof Error ? (error.stack ?? '') : '').split('\n');
  const match = lines
    .filter((line) => !line.includes('node:'))
    .map((line) => /((?:file:\/\/)?\/[^\s()]+?:\d+(?::\d+)?)\)?$/.exec(line)?.[1])
    .find((place) => place !== undefined);
  return match?.replace('file://', '');
}

function hintFor(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ERR_MODULE_NOT_FOUND' || code === 'ERR_PACKAGE_PATH_NOT_EXPORTED')
    return 'npm install, or correct the import (relative ones end in .ts)';
  if (code === 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX')
    return 'set erasableSyntaxOnly in tsconfig.json: enums, namespaces and parameter properties cannot be run';
  if (messageOf(error) === 'Cannot use import statement outside a module') return 'npm pkg set type=module';
  return 'npx tsc --noEmit';
}

function noLifecycle(file: string, names: readonly string[]): UsageError {
  const what = names.length === 0 ? 'it exports nothing' : `it exports ${names.join(', ')}`;
  return new UsageError(`${file} exports no lifecycle`, {
    facts: [what],
    hint: 'export const myKind = defineLifecycle({ … }).createMachine({ … })',
  });
}

/** Two lifecycles of one kind would undo each other's work. */
function refuseDoubles(loaded: readonly LoadedLifecycle[]): void {
  const byKind = Map.groupBy(loaded, ({ lifecycle }) => `${lifecycle.vocabulary.kind}.${lifecycle.vocabulary.group}`);
  for (const [kind, several] of byKind) {
    if (several.length < 2) continue;
    throw new UsageError(`${several.length} lifecycles are declared for ${kind}`, {
      facts: several.map(({ file }) => file),
      hint: 'name the definition to use',
    });
  }
}
