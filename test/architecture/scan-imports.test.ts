import { describe, expect, it } from 'vitest';
import { scanImports } from './scan-imports.ts';

const found = (source: string) => scanImports(source).map(({ how, specifier }) => [how, specifier]);

describe('scanImports', () => {
  it.each<[string, string, readonly (readonly [string, string | undefined])[]]>([
    ['a named import', "import { a } from './a.ts';", [['import', './a.ts']]],
    ['double quotes and no semicolon', 'import { a } from "./a.ts"\nconst b = 1', [['import', './a.ts']]],
    ['a default and a namespace', "import a, * as b from 'a';", [['import', 'a']]],
    ['a side effect', "import './a.ts';", [['import', './a.ts']]],
    ['several lines', "import {\n  a, // from './x.ts'\n  type B,\n} from './a.ts';", [['import', './a.ts']]],
    ['a type-only import', "import type { A } from './a.ts';", [['type', './a.ts']]],
    ['a default import called type', "import type from './a.ts';", [['import', './a.ts']]],
    ['a default import called type and a name', "import type, { a } from './a.ts';", [['import', './a.ts']]],
    ['a type-only default import called from', "import type from from './a.ts';", [['import', './a.ts']]],
    ['import attributes', "import data from './a.json' with { type: 'json' };", [['import', './a.json']]],
    ['a re-export', "export { a, b as c } from './a.ts';", [['export', './a.ts']]],
    [
      'a re-exported star',
      "export * from './a.ts';\nexport * as b from './b.ts';",
      [
        ['export', './a.ts'],
        ['export', './b.ts'],
      ],
    ],
    ['a type-only re-export', "export type { A } from './a.ts';", [['type', './a.ts']]],
    ['a dynamic import', "const a = await import('./a.ts');", [['dynamic', './a.ts']]],
    ['a dynamic import over lines with attributes', "await import(\n  './a.json', { with: { type: 'json' } })", [['dynamic', './a.json']]],
    [
      'a computed import',
      'await import(path); await import(`./${room}.ts`);',
      [
        ['dynamic', undefined],
        ['dynamic', undefined],
      ],
    ],
    ['a concatenated import', "await import('./' + room);", [['dynamic', undefined]]],
    [
      'an import in a type',
      "let a: import('./a.ts').A; type B = typeof import('b');",
      [
        ['dynamic', './a.ts'],
        ['dynamic', 'b'],
      ],
    ],
    ['a require', "const a = require('a');", [['dynamic', 'a']]],
    ['an import inside a template', "const a = `x ${await import('./a.ts')} y`;", [['dynamic', './a.ts']]],
    ['an import after a template in braces', "const a = `${{ a: `${{}}` }}`;\nimport { b } from './b.ts';", [['import', './b.ts']]],
    ['an import after a regular expression with a quote', "const a = /['\"`]/u;\nimport { b } from './b.ts';", [['import', './b.ts']]],
    ['an import after a division', "const a = b / c; import('./d.ts'); const e = f / g;", [['dynamic', './d.ts']]],
  ])('finds %s', (_, source, expected) => {
    expect(found(source)).toEqual(expected);
  });

  it.each([
    ['a line comment', "// import { a } from './a.ts';"],
    ['a block comment', "/*\n * import { a } from './a.ts';\n */"],
    ['a text', `const a = "import { a } from './a.ts'";`],
    ['a template', "const a = `import { a } from './a.ts' \\` import('./b.ts')`;"],
    ['a regular expression', "const a = /import '.*'/;"],
    ['import.meta', 'const a = import.meta.url;'],
    ['a property called import', "const a = { import: './a.ts' }; a.import('x');"],
    ['a local export', "export { a };\nexport const b = from('./b.ts');\nconst from = 'x';"],
    ['an exported type', "export type A = { from: 'x' };\nexport interface B { c: 'from' }"],
  ])('finds none in %s', (_, source) => {
    expect(found(source)).toEqual([]);
  });

  it('counts lines through comments, texts and templates', () => {
    const source = "/* 1\n2 */ const a = `3\n${4}\n5`;\nimport { b } from './b.ts';\n";
    expect(scanImports(source)).toEqual([{ specifier: './b.ts', how: 'import', line: 5 }]);
  });
});
