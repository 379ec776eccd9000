import { describe, expect, it } from 'vitest';
import { mermaid } from '../../src/graph/mermaid.ts';
import { rollout } from '../manifest/rollout.ts';

describe('the Mermaid diagram', () => {
  const lines = mermaid(rollout).split('\n');
  const text = lines.map((line) => line.trim());

  it('is titled with kind, version and hash', () => {
    expect(lines.slice(0, 4)).toEqual(['---', `title: "Rollout 2.0.0 (${rollout.hash})"`, '---', 'stateDiagram-v2']);
  });

  it('nests phases and enters each at its initial state', () => {
    const start = lines.indexOf('  state "Upgrading" as Upgrading {');
    const inside = lines.slice(start + 1, lines.indexOf('  }', start)).map((line) => line.trim());
    expect(inside).toContain('[*] --> Upgrading_Checking');
    expect(inside).toContain('state "Replacing" as Upgrading_Replacing');
    expect(text).toContain('[*] --> Pending');
  });

  it('says of each leaf in words what it means, ensures and deletes', () => {
    expect(text).toContain('Running : Current');
    expect(text).toContain('Upgrading_Checking : ensure probePods');
    expect(text).toContain('Upgrading_Replacing : ensure probePods');
    expect(text).toContain('Upgrading_Replacing : ensure pods');
    expect(text).toContain('Upgrading_Replacing : delete oldPods');
    expect(text).toContain('class Pending,Upgrading_Checking,Upgrading_Replacing InProgress');
  });

  it('draws each edge once, where it is declared, with event, guard, actions and time', () => {
    expect(text).toContain('Upgrading_Replacing --> Failed : timeout step 1h30m [not ready]');
    expect(text.filter((line) => line.includes('command abort'))).toEqual(['Upgrading --> Failed : command abort / aborted']);
    expect(text).toContain('Failed --> Failed : command note / attempt');
    expect(text.filter((line) => line.includes('--> Deleting'))).toEqual(['any_phase --> Deleting : deleted']);
    expect(text).toContain('Deleting --> [*]');
  });

  it('is the same text each time', () => {
    expect(mermaid(rollout)).toBe(mermaid(rollout));
  });

  it('writes signs that Mermaid reads as its own as character codes', () => {
    const vocabulary = { ...rollout.vocabulary };
    const [edge] = rollout.chart.nodes.get('Running')?.edges ?? [];
    const odd = { ...edge, guard: { name: 'few', params: { text: 'a: "b"; {c}\n#d' } } };
    const nodes = new Map(rollout.chart.nodes);
    const running = nodes.get('Running');
    if (running === undefined || edge === undefined) throw new Error('the fixture has no Running with an edge');
    nodes.set('Running', { ...running, edges: [{ ...edge, guard: odd.guard }] });
    const drawn = mermaid({ ...rollout, vocabulary, chart: { ...rollout.chart, nodes } });
    expect(drawn).toContain('[few(text=a#58; #34;b#34;#59; #123;c#125; #35;d)]');
  });
});
