import { expect, it } from 'vitest';
import { checkedConditions } from '../../src/engine/checked-conditions.ts';

const good = { type: 'backup.example/Done', status: 'True', reason: 'AllDone', message: 'it is done' } as const;

it('lets conditions through that the API server stores', () => {
  const conditions = [good, { ...good, type: 'Other', status: 'Unknown', reason: 'A', message: '' }] as const;
  expect(checkedConditions(conditions)).toBe(conditions);
});

it.each([
  ['one of the engine', { ...good, type: 'Stalled' }],
  ['a type that is no word', { ...good, type: 'is done' }],
  ['no type', { ...good, type: '' }],
  ['a reason of two words', { ...good, reason: 'all done' }],
  ['no reason', { ...good, reason: '' }],
  ['a reason that is too long', { ...good, reason: 'a'.repeat(1_025) }],
])('throws for %s', (_, condition) => {
  expect(() => checkedConditions([condition])).toThrow(/^report: condition/);
});

it('throws for one that is reported twice', () => {
  expect(() => checkedConditions([good, good])).toThrow('it is reported twice');
});
