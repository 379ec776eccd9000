import { describe, expect, it } from 'vitest';
import { ownerLabelValue } from '../../src/engine/owner-label.ts';

/** What the API server takes as the value of a label. */
const legal = /^[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$/;
const long = 'n'.repeat(253);

describe('the label that names the owner', () => {
  it('is lifecycle, namespace and name', () => {
    expect(ownerLabelValue('nodepool', { name: 'demo' })).toBe('nodepool.demo');
    expect(ownerLabelValue('gadget', { namespace: 'ns', name: 'demo' })).toBe('gadget.ns.demo');
  });

  it.each([
    ['a long name', long],
    ['a name that is cut at a dot', `${'n'.repeat(29)}.${'m'.repeat(200)}`],
    ['a name that is cut at a dash', `${'n'.repeat(29)}-${'m'.repeat(200)}`],
    ['a name of dots and dashes', `a${'-.'.repeat(100)}b`],
    ['the longest name that fits', 'n'.repeat(63 - 'gadget.ns.'.length)],
    ['the shortest name that does not', 'n'.repeat(64 - 'gadget.ns.'.length)],
  ])('is a legal value for %s', (_, name) => {
    for (let cut = 0; cut < 40; cut++) expect(ownerLabelValue('gadget', { namespace: 'ns', name: name.slice(cut) || 'x' })).toMatch(legal);
  });

  it('tells long names apart', () => {
    const values = [`${long}a`, `${long}b`].map((name) => ownerLabelValue('gadget', { namespace: 'ns', name }));
    expect(new Set(values).size).toBe(2);
  });

  it('tells a namespace from a name that contains a dot', () => {
    expect(ownerLabelValue('gadget', { namespace: 'a', name: 'b.c' })).toBe('gadget.a.b.c');
  });
});
