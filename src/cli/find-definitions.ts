import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { UsageError } from './usage-error.ts';

/** What a definition's file may be called, the first that exists counts. */
const definitionNames = ['definition.ts', 'definition.mts', 'definition.js', 'definition.mjs'];

/**
 * The files that hold lifecycles: those that are named, and those below folders that are named (`<folder>/definition.ts`, else
 * one folder further down). Without any name, those below `machines/`.
 *
 * @returns absolute paths in order
 * @throws UsageError when a name leads to no definition
 */
export function findDefinitions(paths: readonly string[], cwd: string): readonly string[] {
  if (paths.length > 0) return [...new Set(paths.flatMap((path) => definitionsAt(resolve(cwd, path), path)))];
  const found = existsSync(join(cwd, 'machines')) ? definitionsBelow(join(cwd, 'machines')) : [];
  if (found.length > 0) return found;
  throw new UsageError(`no machines here: there is no machines/*/definition.ts in ${cwd}`, {
    hint: 'name a definition: phasekeeper crd path/to/definition.ts',
  });
}

/** Like `findDefinitions` without names, but a folder without machines is no error. */
export function projectDefinitions(cwd: string): readonly string[] {
  return existsSync(join(cwd, 'machines')) ? definitionsBelow(join(cwd, 'machines')) : [];
}

function definitionsAt(path: string, given: string): readonly string[] {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) {
    throw new UsageError(`there is no file or folder ${given}`, { facts: [`looked at ${path}`], hint: 'ls machines' });
  }
  if (!stat.isDirectory()) return [path];
  const found = definitionsBelow(path);
  if (found.length > 0) return found;
  throw new UsageError(`${given} holds no definition`, {
    facts: [`looked for ${definitionNames.join(', ')} in it and in its folders`],
    hint: `ls ${relative(process.cwd(), path) || '.'}`,
  });
}

function definitionsBelow(folder: string): readonly string[] {
  const own = definitionIn(folder);
  if (own !== undefined) return [own];
  const folders = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return folders
    .map((entry) => definitionIn(join(folder, entry.name)))
    .filter((file) => file !== undefined)
    .toSorted();
}

function definitionIn(folder: string): string | undefined {
  return definitionNames.map((name) => join(folder, name)).find((file) => existsSync(file));
}
