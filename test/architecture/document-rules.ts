/** A fenced block of a Markdown text. */
export interface Fence {
  readonly language: string;
  /** Without the fences and the last line break. */
  readonly text: string;
}

/** The fenced blocks of a Markdown text, in their order. */
export function fencesOf(markdown: string): readonly Fence[] {
  return [...markdown.matchAll(/^```(\w*)\n([\s\S]*?)\n```$/gm)].map(([, language = '', text = '']) => ({ language, text }));
}

/** Relative links whose file does not exist; links elsewhere and within the page are left out. */
export function brokenLinks(markdown: string, exists: (target: string) => boolean): readonly string[] {
  const prose = markdown.replace(/^```[\s\S]*?^```$/gm, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target.split('#', 1)[0] ?? '')
    .filter((target) => target !== '' && !/^[a-z]+:/.test(target) && !exists(target));
}

/** Lines of fenced blocks that start with a prompt sign: they cannot be pasted. */
export function promptLines(markdown: string): readonly string[] {
  return fencesOf(markdown).flatMap(({ text }) => text.split('\n').filter((line) => /^\s*[$>] /.test(line)));
}

/** Dependencies without a line in the tables of the page, and names in them that are no dependency. */
export function unexplained(page: string, names: readonly string[]): readonly string[] {
  const firstCells = [...page.matchAll(/^\| (`[^|]*) \|/gm)].map(([, cell = '']) => cell);
  const explained = firstCells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name));
  return [
    ...names.filter((name) => !explained.includes(name)).map((name) => `${name} has no line of reason`),
    ...explained.filter((name) => !names.includes(name)).map((name) => `${name} is no dependency`),
  ];
}
