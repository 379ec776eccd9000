import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../ladder/command.ts';
import { doorFindings, exportFindings, lengthFindings, medianLines, nameFindings, testFolderFindings } from './file-rules.ts';
import { fileCycles, machineFolderFindings, packagesOf, roomCycles, roomFindings, xstateFindings } from './import-rules.ts';
import { rooms } from './rooms.ts';
import { type SourceFile, sourceFilesIn } from './source-file.ts';

const src = sourceFilesIn('src');
const machines = sourceFilesIn('machines');
const tests = sourceFilesIn('test');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { dependencies: Readonly<Record<string, string>> };

const file = (path: string, ...lines: readonly string[]): SourceFile => ({ path, source: `${lines.join('\n')}\n` });

describe('rooms', () => {
  it('import only what the table allows', () => {
    expect(roomFindings(src)).toEqual([]);
  });

  it.each<[string, SourceFile, string]>([
    ['the other leg', file('src/machine/a.ts', "import type { W } from '../cluster/w.ts';"), 'machine may not import the room cluster'],
    [
      'a leg from the other side',
      file('src/cluster/a.ts', "export { d } from '../machine/d.ts';"),
      'cluster may not import the room machine',
    ],
    ['a room by a dynamic import', file('src/queue/a.ts', "const e = import('../engine/e.ts');"), 'queue may not import the room engine'],
    ['a surface by another', file('src/telemetry/a.ts', "import '../dashboard/d.ts';"), 'telemetry may not import the room dashboard'],
    ['us by the embedded server', file('src/apiserver/a.ts', "import '../engine/e.ts';"), 'apiserver may not import the room engine'],
    ['a package', file('src/queue/a.ts', "import { z } from 'zod';"), 'queue may not import the package zod'],
    ['a subpath of a package', file('src/engine/a.ts', "import { a } from 'xstate/graph';"), 'engine may not import the package xstate'],
    ['the package itself', file('src/engine/a.ts', "import { a } from 'phasekeeper';"), 'engine may not import the package phasekeeper'],
    ['I/O by the machine leg', file('src/graph/a.ts', "import { readFileSync } from 'node:fs';"), 'graph may not import node:fs'],
    ['a built-in without node:', file('src/cluster/a.ts', "import { connect } from 'http2';"), 'write node:http2'],
    [
      'a heavy package at once',
      file('src/cluster/a.ts', "import { KubeConfig } from '@kubernetes/client-node';"),
      'as a type, or when it is needed',
    ],
    ['the door', file('src/engine/a.ts', "import { a } from '../index.ts';"), 'the door is for those outside'],
    ['the composition root', file('src/index.ts', "export { main } from './cli/main.ts';"), 'the door may not import the room cli'],
    ['what lies outside src/', file('src/engine/a.ts', "import { a } from '../../test/a.ts';"), 'leaves src/'],
    ['a file without its ending', file('src/engine/a.ts', "import { a } from './b';"), 'does not end in .ts'],
    ['something computed', file('src/engine/a.ts', 'await import(path);'), 'imports something computed'],
    ['nothing, in a room that is none', file('src/utilities/a.ts'), 'utilities is not a room'],
    ['nothing, in no room', file('src/loose.ts'), 'stands in no room'],
  ])('may not import %s', (_, wrong, finding) => {
    expect(roomFindings([wrong])).toEqual([expect.stringContaining(finding)]);
  });

  it('may import what the table allows', () => {
    const fine = [
      file('src/engine/a.ts', "import { q } from '../queue/q.ts';", "import { d } from '../machine/d.ts';", "import 'node:crypto';"),
      file(
        'src/cluster/a.ts',
        "import type { KubeConfig } from '@kubernetes/client-node';",
        "const k = await import('@kubernetes/client-node');",
      ),
      file('src/cli/a.ts', 'await import(path);', "import { Command } from 'commander';"),
      file('src/index.ts', "export { a } from './definition/a.ts';"),
    ];
    expect(roomFindings(fine)).toEqual([]);
  });

  it('form no cycle, in the table and in the files', () => {
    const table = Object.entries(rooms).map(([name, room]) =>
      file(`src/${name}/a.ts`, ...room.rooms.map((to) => `import '../${to}/a.ts';`)),
    );
    expect(roomCycles(table)).toEqual([]);
    expect(roomCycles(src)).toEqual([]);
  });

  it('that import each other through different files are a cycle', () => {
    const cycle = [
      file('src/queue/a.ts', "import type { C } from '../clock/c.ts';"),
      file('src/clock/c.ts'),
      file('src/clock/d.ts', "import '../queue/e.ts';"),
      file('src/queue/e.ts'),
    ];
    expect(roomCycles(cycle)).toEqual(['cycle: queue -> clock -> queue']);
    expect(fileCycles(cycle)).toEqual([]);
  });
});

describe('files', () => {
  it('form no cycle', () => {
    expect(fileCycles([...src, ...machines])).toEqual([]);
  });

  it('that import each other, also by types or in themselves, are a cycle', () => {
    const ring = [
      file('src/queue/a.ts', "import { b } from './b.ts';"),
      file('src/queue/b.ts', "import type { C } from './c.ts';"),
      file('src/queue/c.ts', "export { a } from './a.ts';"),
      file('src/queue/d.ts', "import './d.ts';"),
    ];
    expect(fileCycles(ring)).toEqual([
      'cycle: src/queue/a.ts -> src/queue/b.ts -> src/queue/c.ts -> src/queue/a.ts',
      'cycle: src/queue/d.ts -> src/queue/d.ts',
    ]);
  });

  it('keep to their budget of lines', ({ annotate }) => {
    expect(lengthFindings([...src, ...machines])).toEqual([]);
    void annotate(`median ${medianLines(src)} lines over ${src.length} files of src/`);
  });

  it('over the budget are found, and the median is the middle', () => {
    const lines = (count: number) => file(`src/queue/of-${count}.ts`, ...Array.from({ length: count }, () => ';'));
    expect(lengthFindings([lines(400), lines(401)])).toEqual(['src/queue/of-401.ts: 401 lines, at most 400']);
    expect(medianLines([lines(9), lines(1), lines(5)])).toBe(5);
    expect(medianLines([])).toBe(0);
  });

  it('are named in kebab-case for a concept', () => {
    expect(nameFindings([...src, ...machines, ...tests])).toEqual([]);
  });

  it.each([
    ['src/queue/workQueue.ts', 'workQueue is not kebab-case'],
    ['src/queue/WorkQueue.ts', 'WorkQueue is not kebab-case'],
    ['src/queue/work_queue.ts', 'work_queue is not kebab-case'],
    ['src/queue/types.ts', 'types names no concept'],
    ['src/queue/utils.ts', 'utils names no concept'],
    ['test/queue/helpers.ts', 'helpers names no concept'],
    ['src/common/queue.ts', 'common names no concept'],
  ])('may not be called %s', (path, finding) => {
    expect(nameFindings([file(path)])).toEqual([expect.stringContaining(finding)]);
  });

  it('have no default export and no star', () => {
    expect(exportFindings([...src, ...machines])).toEqual([]);
  });

  it.each([
    ['export default function a() {}', 'default export'],
    ['export { a as default };', 'default export'],
    ["export * from './a.ts';", 'export *'],
    ["export * as a from './a.ts';", 'export *'],
  ])('may not say %s', (line, finding) => {
    expect(exportFindings([file('src/queue/a.ts', line)])).toEqual([expect.stringContaining(finding)]);
  });

  it('of test/ mirror src/ or are a level of the ladder', () => {
    expect(testFolderFindings(tests)).toEqual([]);
    expect(testFolderFindings([file('test/queues/a.test.ts'), file('test/queue/a.test.ts'), file('test/architecture/a.ts')])).toEqual([
      'test/queues: mirrors no room and is no level',
    ]);
  });
});

describe('XState', () => {
  it('is known to at most three files', () => {
    expect(xstateFindings(src)).toEqual([]);
  });

  it('in a fourth file is found, also as a type or through a subpath', () => {
    const knowing = [
      file('src/machine/a.ts', "import { transition } from 'xstate';"),
      file('src/machine/b.ts', "import type { AnyStateMachine } from 'xstate';"),
      file('src/graph/c.ts', "import { getShortestPaths } from 'xstate/graph';"),
      file('src/graph/d.ts', "type A = import('xstate').AnyActor;"),
    ];
    expect(xstateFindings(knowing)).toEqual([expect.stringContaining('4 files import xstate')]);
    expect(xstateFindings(knowing.slice(1))).toEqual([]);
  });
});

describe('the door', () => {
  const door = src.find(({ path }) => path === 'src/index.ts');

  it.skipIf(door === undefined)('lets through only what is documented', () => {
    expect(doorFindings(door ?? file('src/index.ts'), src)).toEqual([]);
  });

  it('finds what is undocumented, missing or declared in the door', () => {
    const wrong = file(
      'src/index.ts',
      "export { documented, bare } from './queue/a.ts';",
      "export { type Line, type Gone } from './queue/a.ts';",
      "export type { Missing } from './queue/missing.ts';",
      'export const own = 1;',
    );
    const a = file(
      'src/queue/a.ts',
      '/** Why. */',
      'export function documented() {}',
      'export const bare = 1;',
      '// why',
      'export interface Line {}',
    );
    expect(doorFindings(wrong, [a])).toEqual([
      'src/index.ts: declares something itself',
      'src/queue/a.ts: bare is public and has no doc comment',
      'src/queue/a.ts: Line is public and has no doc comment',
      'src/queue/a.ts: Gone is public and not declared here',
      'src/index.ts: src/queue/missing.ts does not exist',
    ]);
  });
});

describe('machines/', () => {
  it('import the package entry, zod and luxon only', () => {
    expect(machineFolderFindings(machines)).toEqual([]);
  });

  it.each([
    ["import { a } from '../../src/index.ts';", '../../src/index.ts'],
    ["import { a } from '../redis/a.ts';", '../redis/a.ts'],
    ["import { setup } from 'xstate';", 'xstate'],
    ["import { readFileSync } from 'node:fs';", 'node:fs'],
    ["import { a } from 'phasekeeper/dist/a.js';", 'phasekeeper/dist/a.js'],
    ['await import(path);', 'something computed'],
  ])('may not say %s', (line, what) => {
    expect(machineFolderFindings([file('machines/nodepool/definition.ts', line)])).toEqual([expect.stringContaining(what)]);
  });

  it('may say what users say', () => {
    const lines = ["import { defineLifecycle } from 'phasekeeper';", "import { z } from 'zod';", "import { Node } from './node.ts';"];
    expect(machineFolderFindings([file('machines/nodepool/definition.ts', ...lines)])).toEqual([]);
  });
});

describe('dependencies', () => {
  it('are declared when src/ or machines/ import them', () => {
    const declared = new Set([...Object.keys(manifest.dependencies), 'phasekeeper']);
    expect([...packagesOf([...src, ...machines])].filter((name) => !declared.has(name))).toEqual([]);
  });

  it('of a source are found by their names', () => {
    const wrong = file('src/cli/a.ts', "import a from '@scope/name/deep';", "import 'left-pad';", "import 'node:fs';", "import './b.ts';");
    expect([...packagesOf([wrong])]).toEqual(['@scope/name', 'left-pad']);
  });

  it('are locked by their hashes, and by no registry of one machine', () => {
    const lock = readFileSync(join(root, 'package-lock.json'), 'utf8');
    expect(lock).not.toMatch(/"resolved": "https?:/);
    const { packages } = JSON.parse(lock) as { packages: Readonly<Record<string, { readonly integrity?: string }>> };
    expect(Object.entries(packages).filter(([path, entry]) => path !== '' && entry.integrity === undefined)).toEqual([]);
  });
});
