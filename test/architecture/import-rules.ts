import { builtinModules } from 'node:module';
import { posix } from 'node:path';
import { door, machineFolderPackages, type Room, rooms as roomTable, xstateFiles } from './rooms.ts';
import { type ImportFound, scanImports } from './scan-imports.ts';
import { roomOf, type SourceFile } from './source-file.ts';

/** A breach of a rule, one line: where, what, why. */
export type Finding = string;

const builtins = new Set(builtinModules.map((name) => `node:${name.replace(/^node:/, '')}`));
/** Costs half a second and 80 MB: loaded when a kubeconfig asks for it, never with the file that imports it. */
const loadedWhenNeeded = '@kubernetes/client-node';

/** Every import of src/ against the room table. */
export function roomFindings(files: readonly SourceFile[], table: Readonly<Record<string, Room>> = roomTable): readonly Finding[] {
  return files.flatMap((file) => {
    const name = roomOf(file.path);
    if (name === undefined) return file.path === 'src/index.ts' ? importFindings(file, door) : [`${file.path}: stands in no room`];
    const room = table[name];
    return room === undefined ? [`${file.path}: ${name} is not a room of the table`] : importFindings(file, room);
  });
}

function importFindings(file: SourceFile, room: Room): readonly Finding[] {
  return scanImports(file.source).flatMap((found) => {
    const because = refusal(file, room, found);
    return because === undefined ? [] : [`${file.path}:${found.line}: ${because}`];
  });
}

function refusal(file: SourceFile, room: Room, found: ImportFound): string | undefined {
  const { specifier } = found;
  const here = roomOf(file.path);
  if (specifier === undefined) return here === 'cli' ? undefined : 'imports something computed';
  if (specifier.startsWith('.')) return relativeRefusal(file, room, specifier);
  if (builtins.has(specifier)) {
    return room.builtins === 'all' || room.builtins.includes(specifier) ? undefined : `${here ?? 'the door'} may not import ${specifier}`;
  }
  if (builtins.has(`node:${specifier}`)) return `write node:${specifier}`;
  const name = packageOf(specifier);
  if (!room.packages.includes(name)) return `${here ?? 'the door'} may not import the package ${name}`;
  if (name === loadedWhenNeeded && found.how !== 'type' && found.how !== 'dynamic') return `import ${name} as a type, or when it is needed`;
  return undefined;
}

function relativeRefusal(file: SourceFile, room: Room, specifier: string): string | undefined {
  const target = resolve(file.path, specifier);
  if (!specifier.endsWith('.ts')) return `${specifier} does not end in .ts`;
  if (!target.startsWith('src/')) return `${specifier} leaves src/`;
  if (target === 'src/index.ts') return 'the door is for those outside';
  const from = roomOf(file.path);
  const to = roomOf(target);
  if (from === to || (to !== undefined && room.rooms.includes(to))) return undefined;
  return `${from ?? 'the door'} may not import the room ${to ?? target}`;
}

/** The definitions below machines/ are users' code: they know the package entry, zod and luxon. */
export function machineFolderFindings(files: readonly SourceFile[]): readonly Finding[] {
  return files.flatMap((file) => {
    const own = file.path.split('/').slice(0, 2).join('/');
    return scanImports(file.source).flatMap(({ specifier, line }) => {
      const isOwn = specifier?.startsWith('.') && resolve(file.path, specifier).startsWith(`${own}/`);
      if (isOwn || (specifier !== undefined && machineFolderPackages.includes(specifier))) return [];
      return [`${file.path}:${line}: a definition may not import ${specifier ?? 'something computed'}`];
    });
  });
}

/** XState is known to few files. */
export function xstateFindings(files: readonly SourceFile[], most: number = xstateFiles): readonly Finding[] {
  const knowing = files.filter((file) => scanImports(file.source).some(({ specifier }) => packageOf(specifier ?? '') === 'xstate'));
  return knowing.length <= most
    ? []
    : [`${knowing.length} files import xstate, at most ${most} may: ${knowing.map(({ path }) => path).join(', ')}`];
}

/** Cycles of files, types included: two files that need each other are one file, or lack a third. */
export function fileCycles(files: readonly SourceFile[]): readonly Finding[] {
  return cyclesIn(new Map(files.map((file) => [file.path, targetsOf(file)])));
}

/** Cycles of rooms, as the files have them and not as the table allows them. */
export function roomCycles(files: readonly SourceFile[]): readonly Finding[] {
  const edges = new Map<string, Set<string>>();
  for (const file of files) {
    const from = roomOf(file.path);
    if (from === undefined) continue;
    const targets = edges.get(from) ?? new Set();
    for (const target of targetsOf(file)) {
      const to = roomOf(target);
      if (to !== undefined && to !== from) targets.add(to);
    }
    edges.set(from, targets);
  }
  return cyclesIn(edges);
}

/** Packages that src/ imports, by name. */
export function packagesOf(files: readonly SourceFile[]): ReadonlySet<string> {
  const specifiers = files.flatMap((file) => scanImports(file.source).map(({ specifier }) => specifier ?? '.'));
  return new Set(specifiers.filter((specifier) => !specifier.startsWith('.') && !builtins.has(specifier)).map(packageOf));
}

function targetsOf(file: SourceFile): readonly string[] {
  return scanImports(file.source).flatMap(({ specifier }) => (specifier?.startsWith('.') ? [resolve(file.path, specifier)] : []));
}

/** One finding per cycle that a depth-first walk closes; none exactly when there is no cycle. */
function cyclesIn(edges: ReadonlyMap<string, Iterable<string>>): readonly Finding[] {
  const done = new Set<string>();
  const path: string[] = [];
  const cycles: Finding[] = [];
  const visit = (node: string) => {
    const seenAt = path.indexOf(node);
    if (seenAt >= 0) cycles.push(`cycle: ${[...path.slice(seenAt), node].join(' -> ')}`);
    if (seenAt >= 0 || done.has(node)) return;
    path.push(node);
    for (const next of edges.get(node) ?? []) visit(next);
    path.pop();
    done.add(node);
  };
  for (const node of edges.keys()) visit(node);
  return cycles;
}

function resolve(from: string, specifier: string): string {
  return posix.normalize(posix.join(posix.dirname(from), specifier));
}

function packageOf(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}
