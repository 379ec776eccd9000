import { posix } from 'node:path';
import type { Finding } from './import-rules.ts';
import { longestFileLines, rooms, testLevels } from './rooms.ts';
import type { SourceFile } from './source-file.ts';

/** Names under which everything and nothing gathers. */
const grabBags = ['types', 'type', 'utils', 'util', 'helpers', 'helper', 'common', 'misc', 'tools', 'shared', 'lib'];
const kebabCase = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/** Lines of a source, a last line break not counted as one more. */
export function linesOf(file: SourceFile): number {
  return file.source.replace(/\n$/, '').split('\n').length;
}

/** No file is longer than the budget. */
export function lengthFindings(files: readonly SourceFile[], longest: number = longestFileLines): readonly Finding[] {
  return files.filter((file) => linesOf(file) > longest).map((file) => `${file.path}: ${linesOf(file)} lines, at most ${longest}`);
}

/** The median length of files, in lines; 0 without files. */
export function medianLines(files: readonly SourceFile[]): number {
  const lengths = files.map(linesOf).toSorted((a, b) => a - b);
  return lengths[Math.floor(lengths.length / 2)] ?? 0;
}

/** Files and folders are named in kebab-case for what they hold. */
export function nameFindings(files: readonly SourceFile[]): readonly Finding[] {
  return files.flatMap((file) => {
    // The folder of type tests is called for what it tests.
    const names = file.path
      .replace(/^test\/types\//, 'test/')
      .replace(/(\.control-plane)?(\.test)?\.ts$/, '')
      .split('/');
    return names.flatMap((name) => {
      if (!kebabCase.test(name)) return [`${file.path}: ${name} is not kebab-case`];
      return grabBags.includes(name) ? [`${file.path}: ${name} names no concept`] : [];
    });
  });
}

/** No default export, which has no name to search for, and no star, which hides what it lets through. */
export function exportFindings(files: readonly SourceFile[]): readonly Finding[] {
  return files.flatMap(({ path, source }) => [
    ...(/^export default\b/m.test(source) || /^export \{[^}]*\bas default\b/m.test(source) ? [`${path}: default export`] : []),
    ...(/^export \*/m.test(source) ? [`${path}: export *`] : []),
  ]);
}

/** Folders of test/ mirror rooms, or are one of the levels. */
export function testFolderFindings(files: readonly SourceFile[]): readonly Finding[] {
  const known = new Set([...Object.keys(rooms), ...testLevels]);
  const folders = new Set(files.map(({ path }) => path.split('/')[1] ?? '').filter((name) => !name.endsWith('.ts')));
  return [...folders].filter((folder) => !known.has(folder)).map((folder) => `test/${folder}: mirrors no room and is no level`);
}

/** Everything that the door lets through is documented where it is declared. */
export function doorFindings(door: SourceFile, files: readonly SourceFile[]): readonly Finding[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const own = /^export (?!(type )?\{|\*)/m.test(door.source) ? [`${door.path}: declares something itself`] : [];
  return [...own, ...publicNames(door).flatMap(({ name, from }) => undocumented(name, posix.join('src', from), byPath))];
}

function undocumented(name: string, path: string, files: ReadonlyMap<string, SourceFile>): readonly Finding[] {
  const file = files.get(path);
  if (file === undefined) return [`src/index.ts: ${path} does not exist`];
  const declaration = new RegExp(
    `^export (?:declare |abstract |async )*(?:interface|type|function\\*?|class|const|let) ${escape(name)}\\b`,
    'm',
  ).exec(file.source);
  if (declaration !== null) {
    const before = file.source.slice(0, declaration.index).trimEnd();
    return before.endsWith('*/') && before.slice(before.lastIndexOf('/*')).startsWith('/**')
      ? []
      : [`${path}: ${name} is public and has no doc comment`];
  }
  return [`${path}: ${name} is public and not declared here`];
}

/** Names that `export { … } from '…'` of the door lists, by the name at their source. */
export function publicNames(door: SourceFile): readonly { readonly name: string; readonly from: string }[] {
  const source = door.source.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, '');
  return [...source.matchAll(/export (?:type )?\{([^}]*)\} from '([^']+)'/g)].flatMap(([, list = '', from = '']) =>
    list
      .split(',')
      .map(
        (entry) =>
          entry
            .trim()
            .replace(/^type /, '')
            .split(' as ')[0]
            ?.trim() ?? '',
      )
      .filter((name) => name !== '')
      .map((name) => ({ name, from })),
  );
}

function escape(text: string): string {
  return text.replace(/[$]/g, '\\$&');
}
