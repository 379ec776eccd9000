import { describe, expect, it } from 'vitest';
import { chooseEdge } from '../../src/machine/choose-edge.ts';
import { database } from './database.ts';

const retry = { type: 'command', name: 'retry' } as const;
const question = { state: 'Failed', trigger: retry, source: '', payload: {}, judge: () => true };

describe('chooseEdge', () => {
  it('lets XState choose by the guards', () => {
    const edge = database.chart.nodes.get('Failed')?.edges.find(({ trigger }) => trigger.name === 'retry');
    expect(chooseEdge(database, question)).toEqual({ type: 'edge', edge });
    expect(chooseEdge(database, { ...question, judge: () => false })).toEqual({ type: 'none' });
    expect(chooseEdge(database, { ...question, state: 'Running' })).toEqual({ type: 'none' });
  });

  it('tells when the chart leads elsewhere than XState', () => {
    const nodes = new Map(database.chart.nodes);
    const failed = nodes.get('Failed');
    if (failed === undefined) throw new Error('the fixture has Failed');
    nodes.set('Failed', { ...failed, edges: failed.edges.map((edge) => ({ ...edge, leaf: 'Deleting' })) });
    const wrong = { ...database, chart: { ...database.chart, nodes } };
    expect(chooseEdge(wrong, question)).toEqual({
      type: 'mismatch',
      message: 'command retry leads from Failed to Pending, by the chart to Deleting',
    });
    nodes.set('Failed', { ...failed, edges: [] });
    expect(chooseEdge({ ...database, chart: { ...database.chart, nodes } }, question)).toEqual({
      type: 'mismatch',
      message: 'XState takes an edge for retry that the chart does not have',
    });
  });

  it('answers what XState throws', () => {
    expect(chooseEdge(database, { ...question, state: 'Nowhere' })).toMatchObject({ type: 'mismatch' });
  });
});
