import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { parse } from 'yaml';
import { root, runCli } from './run-cli.ts';

// Each test starts processes, and a busy machine takes seconds for one.
vi.setConfig({ testTimeout: 120_000 });

function fileWith(source: string): string {
  const file = join(mkdtempSync(join(tmpdir(), 'phasekeeper-definition-')), 'definition.ts');
  writeFileSync(file, source);
  return file;
}

describe('definitions', () => {
  it('become CRDs, YAML or JSON', async () => {
    const yaml = await runCli(['crd', 'machines/nodepool']);
    expect(yaml).toMatchObject({ code: 0, stderr: '' });
    const json = await runCli(['crd', 'machines/nodepool/definition.ts', '-o', 'json']);
    expect(JSON.parse(json.stdout)).toEqual(parse(yaml.stdout));
    expect(JSON.parse(json.stdout)).toMatchObject({
      kind: 'CustomResourceDefinition',
      metadata: { name: 'nodepools.ack.alibabacloud.com' },
    });
  });

  it('become diagrams and tables', async () => {
    expect((await runCli(['diagram', 'machines/nodepool'])).stdout).toContain('stateDiagram-v2');
    expect((await runCli(['diagram', 'machines/nodepool', '-o', 'table'])).stdout).toMatch(/^FROM +EVENT +GUARD +TO +ACTIONS\n/);
  });

  it.each([
    ['run', 'has a dead end', 'dead-end.ts', ['lifecycle StuckThing', 'StuckThing.states.Stuck: a dead end']],
    ['crd', 'has a dead end', 'dead-end.ts', ['lifecycle StuckThing', 'StuckThing.states.Stuck: a dead end']],
    ['run', 'has a state that nothing leads to', 'unreachable-state.ts', ['IslandThing', 'UNREACHABLE_STATE', 'Island']],
    ['run', 'does not type-check', 'unknown-target.ts', ['lifecycle LostThing', 'Nowhere']],
  ])('%s refuses a machine that %s, with its place', async (command, _, name, words) => {
    const file = `test/cli/definitions/${name}`;
    const { code, stdout, stderr } = await runCli([command, file]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    for (const word of [`error: ${file}: `, ...words]) expect(stderr).toContain(word);
  });

  it.each([
    ['that is no TypeScript', 'export const = 1;', 'does not load'],
    ['that needs more than stripping', 'export enum Phase { A }', 'hint: set erasableSyntaxOnly'],
    ['that throws', "throw new Error('not today');", 'does not load: not today'],
    ['that imports what is not there', "import 'not-installed-here';", 'hint: npm install'],
    ['without a lifecycle', 'export const phase = 1;', 'exports no lifecycle\n  it exports phase'],
  ])('crd refuses a file %s', async (_, source, words) => {
    const { code, stdout, stderr } = await runCli(['crd', fileWith(source)]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(words);
  });

  it('are to be modules: crd says how where package.json says otherwise', async () => {
    const file = fileWith("import 'node:os';");
    writeFileSync(join(file, '../package.json'), '{ "type": "commonjs" }');
    const { code, stderr } = await runCli(['crd', file]);
    expect(code).toBe(2);
    expect(stderr).toContain('hint: npm pkg set type=module');
  });

  it('are looked for in machines/ of the working folder', async () => {
    const { code, stderr } = await runCli(['crd'], { cwd: mkdtempSync(join(tmpdir(), 'phasekeeper-empty-')) });
    expect(code).toBe(2);
    expect(stderr).toContain('error: no machines here');
  });
});

describe('diagram --check', () => {
  it('says no with the file and what to do until --write has been run', async () => {
    const cwd = mkdtempSync(join(tmpdir(), 'phasekeeper-diagram-'));
    const machine = join(root, 'machines/nodepool');
    expect(await runCli(['diagram', machine, '--check'], { cwd })).toMatchObject({
      code: 1,
      stdout: 'stale  visualizations/nodepool.mmd   (not there yet)     run: phasekeeper diagram --write\n',
    });
    expect((await runCli(['diagram', machine, '--write'], { cwd })).code).toBe(0);
    expect((await runCli(['diagram', machine, '--check'], { cwd })).code).toBe(0);
    mkdirSync(join(cwd, 'visualizations'), { recursive: true });
    writeFileSync(join(cwd, 'visualizations/nodepool.mmd'), '  Failed --> Failed : never\n');
    expect((await runCli(['diagram', machine, '--check'], { cwd })).code).toBe(1);
  });
});
