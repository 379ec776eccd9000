import { describe, expect, it } from 'vitest';
import { missingField, undesiredField } from '../../src/engine/field-difference.ts';
import type { FieldSet } from '../../src/resource/kubernetes-object.ts';

const port = (value: object) => ({ spec: { ports: [value] } });
const keyed: FieldSet = { 'f:spec': { 'f:ports': { 'k:{"port":80,"protocol":"TCP"}': { '.': {}, 'f:port': {} } } } };
const setted: FieldSet = { 'f:finalizers': { 'v:"a"': {} } };

describe('a field that is desired and not stored', () => {
  it.each([
    ['nothing, when all is there', { data: { a: '1' } }, { data: { a: '1', b: '2' } }, undefined],
    ['an absent field', { data: { a: '1' } }, { data: {} }, 'data.a'],
    ['an absent parent', { data: { a: '1' } }, {}, 'data'],
    ['an unequal value', { data: { a: '1' } }, { data: { a: '2' } }, 'data.a'],
    ['another type', { data: { a: '1' } }, { data: 'a' }, 'data'],
    ['a number that reads like the text', { size: 1 }, { size: '1' }, 'size'],
    ['nothing, for a field that is desired undefined', { data: { a: undefined } }, { data: {} }, undefined],
    ['an empty list that is not stored', { list: [] }, {}, 'list'],
    ['an empty map that is not stored', { map: {} }, {}, 'map'],
    ['a whole list of another length', { args: ['a'] }, { args: ['a', 'b'] }, 'args'],
    ['an item of a whole list', { args: ['a', 'b'] }, { args: ['a', 'c'] }, 'args[1]'],
    ['a whole list in another order', { args: ['a', 'b'] }, { args: ['b', 'a'] }, 'args[0]'],
    ['nothing, for null that is stored', { a: null }, { a: null }, undefined],
  ])('is %s', (_, desired, stored, path) => {
    expect(missingField({ desired, stored, owned: undefined })).toBe(path);
  });

  it('is looked for by key in a list that the server keeps by key, whatever the order and the others', () => {
    const stored = {
      spec: {
        ports: [
          { port: 443, protocol: 'TCP' },
          { port: 80, protocol: 'TCP', targetPort: 80 },
        ],
      },
    };
    expect(missingField({ desired: port({ port: 80 }), stored, owned: keyed })).toBeUndefined();
    expect(missingField({ desired: port({ port: 80, targetPort: 81 }), stored, owned: keyed })).toContain('targetPort');
    expect(missingField({ desired: port({ port: 81 }), stored, owned: keyed })).toBe('spec.ports');
  });

  it('is looked for by value in a list that the server keeps as a set', () => {
    expect(missingField({ desired: { finalizers: ['a'] }, stored: { finalizers: ['b', 'a'] }, owned: setted })).toBeUndefined();
    expect(missingField({ desired: { finalizers: ['c'] }, stored: { finalizers: ['b', 'a'] }, owned: setted })).toBe('finalizers');
  });
});

describe('a field that is ours and no longer desired', () => {
  it.each<[string, FieldSet, unknown, string | undefined]>([
    ['none, when each is desired', { 'f:data': { '.': {}, 'f:a': {} } }, { data: { a: '1', b: '2' } }, undefined],
    ['a leaf', { 'f:data': { 'f:a': {}, 'f:b': {} } }, { data: { a: '1' } }, 'data.b'],
    ['a whole branch', { 'f:data': { 'f:a': {} }, 'f:spec': {} }, { data: { a: '1' } }, 'spec'],
    ['an item by key', keyed, { spec: { ports: [] } }, 'spec.ports.{"port":80,"protocol":"TCP"}'],
    ['none, for an item whose key leaves out a default', keyed, { spec: { ports: [{ port: 80 }] } }, undefined],
    ['an item by value', setted, { finalizers: ['b'] }, 'finalizers."a"'],
    ['none, for an item that is there', setted, { finalizers: ['a'] }, undefined],
    ['an item by a key that cannot be read', { 'f:list': { 'k:{': {} } }, { list: [{}] }, 'list.{'],
  ])('is %s', (_, owned, desired, path) => {
    expect(undesiredField(owned, desired)).toBe(path);
  });
});
