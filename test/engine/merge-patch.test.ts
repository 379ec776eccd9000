import { describe, expect, it } from 'vitest';
import { mergePatch } from '../../src/engine/merge-patch.ts';

describe('a merge patch', () => {
  it.each([
    ['nothing, for equal objects', { a: { b: [1] } }, { a: { b: [1] } }, undefined],
    ['an added field', {}, { a: 1 }, { a: 1 }],
    ['a changed field alone', { a: 1, b: 2 }, { a: 1, b: 3 }, { b: 3 }],
    ['null for a field that went', { a: 1, b: 2 }, { a: 1 }, { b: null }],
    ['null for a field that is undefined now', { a: 1 }, { a: undefined }, { a: null }],
    ['nothing for a field that was not there and is undefined', {}, { a: undefined }, undefined],
    ['the inner change alone', { a: { b: 1, c: 2 } }, { a: { b: 1, c: 3 } }, { a: { c: 3 } }],
    ['a whole list', { a: [1, 2] }, { a: [1, 3] }, { a: [1, 3] }],
    ['an object in place of a value', { a: 1 }, { a: { b: 1 } }, { a: { b: 1 } }],
    ['nothing for a list whose items read the same when stored', { a: [{ b: 1 }, 0] }, { a: [{ b: 1, c: undefined }, -0] }, undefined],
    ['a list in place of an object', { a: { b: 1 } }, { a: [] }, { a: [] }],
  ])('is %s', (_, from, to, patch) => {
    expect(mergePatch(from, to)).toEqual(patch);
  });
});
