import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { root } from '../ladder/command.ts';

/** A source file as the rules see it. */
export interface SourceFile {
  /** From the repository's root, with forward slashes. */
  readonly path: string;
  readonly source: string;
}

/** The TypeScript files below a folder of the repository, in the order of their paths; none when it does not exist. */
export function sourceFilesIn(folder: string): readonly SourceFile[] {
  const absolute = join(root, folder);
  if (!existsSync(absolute)) return [];
  return readdirSync(absolute, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => `${folder}/${file.split(sep).join('/')}`)
    .toSorted()
    .map((path) => ({ path, source: readFileSync(join(root, path), 'utf8') }));
}

/** `src/queue/work-queue.ts` is in the room `queue`; files of src/ itself are in none. */
export function roomOf(path: string): string | undefined {
  const [top, room, file] = path.split('/');
  return top === 'src' && file !== undefined ? room : undefined;
}
