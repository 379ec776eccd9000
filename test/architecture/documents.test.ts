import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../ladder/command.ts';
import { brokenLinks, fencesOf, promptLines, unexplained } from './document-rules.ts';

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const exists = (path: string) => existsSync(join(root, path));
const documents = [
  ...readdirSync(root).filter((file) => file.endsWith('.md')),
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => relative(root, join(root, 'docs', file))),
];
const decisions = documents.filter((path) => /^docs\/decisions\/\d{4}-/.test(path));
const manifest = JSON.parse(read('package.json')) as Readonly<Record<'dependencies' | 'devDependencies', Readonly<Record<string, string>>>>;

describe('documents', () => {
  it.each(documents)('%s links to what exists', (path) => {
    expect(brokenLinks(read(path), (target) => exists(join(dirname(path), target)))).toEqual([]);
  });

  it.each(documents)('%s has no prompt signs in what is to be pasted', (path) => {
    expect(promptLines(read(path))).toEqual([]);
  });

  it('find a broken link and a prompt sign', () => {
    const text = 'See [a](a.md), [b](b.md#part), [c](https://example.com/c), [d](#part).\n\n```\n$ npm ci\nnpm test $HOME\n```\n';
    expect(brokenLinks(text, (target) => target === 'a.md')).toEqual(['b.md']);
    expect(promptLines(text)).toEqual(['$ npm ci']);
  });
});

describe('README', () => {
  const readme = read('README.md');

  it('is short and begins with two commands', () => {
    expect(readme.split('\n').length).toBeLessThanOrEqual(250);
    const [first, second] = fencesOf(readme);
    expect([first?.text, second?.text]).toEqual(['npm ci && npm start', 'npm ci && npm test']);
  });

  it('shows the definition as it is', () => {
    const definition = read('machines/nodepool/definition.ts');
    const excerpts = fencesOf(readme).filter(({ language }) => language === 'ts');
    expect(excerpts.length).toBeGreaterThan(0);
    for (const { text } of excerpts) expect(definition).toContain(text);
  });

  it.skipIf(!exists('visualizations/nodepool.mmd'))('shows the generated diagram as it is, without its title', () => {
    const generated = read('visualizations/nodepool.mmd');
    const shown = fencesOf(readme).find(({ language }) => language === 'mermaid');
    expect(shown?.text).toBe(generated.slice(generated.indexOf('stateDiagram-v2')).trimEnd());
  });
});

describe('decisions', () => {
  it.each(decisions)('%s opens with an example', (path) => {
    expect(/^## (.+)$/m.exec(read(path))?.[1]).toBe('Example');
  });

  it('are listed', () => {
    const index = read('docs/decisions/README.md');
    expect(decisions.filter((path) => !index.includes(`(${path.split('/').at(-1)})`))).toEqual([]);
  });
});

describe('dependencies', () => {
  const names = [...Object.keys(manifest.dependencies), ...Object.keys(manifest.devDependencies)];

  it('each have a line of reason', () => {
    expect(unexplained(read('docs/dependencies.md'), names)).toEqual([]);
  });

  it('without a line, and lines without a dependency, are found', () => {
    expect(unexplained('| package | for |\n|---|---|\n| `zod` | schemas |\n| `left-pad`, `yaml` | |\n', ['zod', 'yaml', 'pino'])).toEqual([
      'pino has no line of reason',
      'left-pad is no dependency',
    ]);
  });
});
