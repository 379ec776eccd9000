import { describe, expect, it } from 'vitest';
import { DefinitionError } from '../../src/definition/definition-error.ts';
import { PhasekeeperError } from '../../src/failure/phasekeeper-error.ts';
import { configWith, define, faultsOf, steady, vocabulary } from './greenhouse.ts';

function refusalOf(config: unknown, patch: Readonly<Record<string, unknown>> = {}): unknown {
  try {
    return define(config, patch);
  } catch (error) {
    return error;
  }
}

describe('a refused definition', () => {
  const config = configWith({ Empty: { ...steady, always: 'Gone', on: { wram: 'Gone', warm: [{ target: 'Gonne' }] } } });

  it('tells all its faults at once, each with place, reason and alternative', () => {
    const refusal = refusalOf(config, { scope: 'Global' });
    expect(refusal).toBeInstanceOf(DefinitionError);
    expect(refusal).toBeInstanceOf(PhasekeeperError);
    expect(refusal).toMatchObject({ code: 'WRONG_SHAPE', disposition: 'fatal', name: 'DefinitionError', data: { kind: 'Greenhouse' } });
    expect((refusal as Error).message).toBe(
      [
        'lifecycle Greenhouse has 4 faults:',
        '  Greenhouse.scope: "Global" is not a scope',
        "    instead: scope: 'Namespaced', or 'Cluster'",
        '  Greenhouse.states.Empty.always: a transient edge is taken without being written, so a crash between two of them cannot be told',
        '    instead: name a fact in on; it is judged in every pass',
        '  Greenhouse.states.Empty.on.wram: no fact or command is called wram',
        '    instead: write warm',
        '  Greenhouse.states.Empty.on.warm[0].target: "Gonne" names no state from here',
        '    instead: write Gone',
      ].join('\n'),
    );
  });

  it('carries the code of its only fault', () => {
    expect(refusalOf(configWith({ Empty: { ...steady, type: 'final' } }))).toMatchObject({ code: 'REJECTED_CONSTRUCT' });
    expect(refusalOf(configWith({ Full: { meta: { kstatus: 'Failed' } } }))).toMatchObject({ code: 'DEAD_END' });
  });

  it('D01 may not have a fact that leads to its own phase and stays true there', () => {
    const edge = { target: 'Empty', actions: 'grown' };
    expect(faultsOf(configWith({ Empty: { ...steady, on: { warm: edge } } }))).toMatchObject([{ code: 'ENDLESS_FACT' }]);
    expect(faultsOf(configWith({ Empty: { ...steady, on: { warm: { ...edge, actions: ['grown', 'attempt'] } } } }))).toEqual([]);
  });

  it('D02 may not remove anything in the phase an object without a record is in', () => {
    const nested = configWith({ Full: { initial: 'Ripe', entry: 'weeds', states: { Ripe: steady } } });
    expect(faultsOf({ ...nested, initial: 'Full' })).toMatchObject([{ code: 'DESTRUCTIVE_START', place: 'Greenhouse.states.Full.entry' }]);
    expect(faultsOf(nested)).toEqual([]);
  });

  it.each([undefined, null, 7, 'x', [], {}, () => {}])('survives a config of %s', (nonsense) => {
    expect(faultsOf(nonsense).length).toBeGreaterThan(0);
  });

  it('survives a config that contains itself', () => {
    const params: Record<string, unknown> = {};
    params['again'] = params;
    expect(faultsOf(configWith({ Empty: { ...steady, entry: { type: 'rows', params } } }))).toMatchObject([{ code: 'NOT_JSON' }]);
  });
});

describe('a lifecycle', () => {
  const config = configWith({ Empty: { ...steady, on: { warm: 'Gone' } } });

  it('may have functions that hide whether they take params', () => {
    const guards = {
      isDry: (_view: unknown, params = { days: 1 }) => params.days > 0,
      isWet: (...given: readonly unknown[]) => given.length > 1,
    };
    const edges = [
      { target: 'Gone', guard: 'isDry' },
      { target: 'Gone', guard: { type: 'isDry', params: { days: 2 } } },
      { target: 'Gone', guard: { type: 'isWet', params: { days: 2 } } },
    ];
    expect(faultsOf(configWith({ Empty: { ...steady, on: { warm: edges } } }), { guards: { ...vocabulary.guards, ...guards } })).toEqual(
      [],
    );
  });

  it('names itself, its kind and its machine', () => {
    const lifecycle = define(config, { plural: undefined });
    expect(lifecycle).toMatchObject({
      name: 'greenhouse',
      kind: { apiVersion: 'garden.example.com/v1', kind: 'Greenhouse', plural: 'greenhouses', scope: 'Namespaced' },
      machine: { id: 'Greenhouse', version: '1.0.0' },
    });
  });

  it('fills in what the vocabulary leaves out', () => {
    const given = {
      group: 'a.example.com',
      version: 'v1',
      kind: 'Least',
      scope: 'Cluster',
      machineVersion: '1.0.0',
      spec: vocabulary.spec,
    };
    const left = Object.fromEntries(Object.keys(vocabulary).map((key) => [key, undefined]));
    const { vocabulary: completed } = define(
      { initial: 'A', states: { A: { ...steady, on: { deleted: 'B' } }, B: { meta: { kstatus: 'Terminating' } } } },
      { ...left, ...given },
    );
    expect(completed).toMatchObject({ versions: ['v1'], plural: 'leasts', shortNames: [], facts: {}, dependents: {}, columns: [] });
    expect(completed.report).toBeUndefined();
    expect(completed.memory.parse({})).toEqual({});
  });

  it('is frozen all the way down and leaves the given config alone', () => {
    const lifecycle = define(config);
    const empty = lifecycle.config.states['Empty'];
    expect(Object.isFrozen(lifecycle) && Object.isFrozen(lifecycle.config) && Object.isFrozen(empty?.meta)).toBe(true);
    expect(Object.isFrozen(config)).toBe(false);
    expect(lifecycle.config).toEqual(config);
  });

  it('has a hash of config and names, not of their order or of functions', () => {
    const { hash } = define(config);
    expect(hash).toMatch(/^[0-9a-f]{7}$/);
    const { facts } = vocabulary;
    expect(define(config, { facts: { cold: facts.cold, warm: { ...facts.warm, when: () => false } } }).hash).toBe(hash);
    expect(define(config, { facts: { ...facts, dry: facts.warm } }).hash).not.toBe(hash);
    expect(define(config, { machineVersion: '1.0.1' }).hash).not.toBe(hash);
    expect(define(configWith({ Empty: { ...steady, on: { cold: 'Gone' } } })).hash).not.toBe(hash);
  });
});
