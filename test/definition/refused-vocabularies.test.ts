import { DateTime, Duration } from 'luxon';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { DefinitionFaultCode } from '../../src/definition/definition-error.ts';
import { Node } from '../../src/resource/core-kinds.ts';
import { configWith, faultsOf, steady, vocabulary } from './greenhouse.ts';

type Json = Readonly<Record<string, unknown>>;

/** What replaces a part of the vocabulary, the one fault it has, where, and what the advice mentions. */
type Row = readonly [title: string, patch: Json, code: DefinitionFaultCode, place: string, advice: RegExp];

const { facts, guards } = vocabulary;
const yes = () => true;

const parts: readonly Row[] = [
  ['no group', { group: undefined }, 'WRONG_SHAPE', 'Greenhouse.group', /cache\.example\.com/],
  ['a group without a dot', { group: 'garden' }, 'WRONG_SHAPE', 'Greenhouse.group', /cache\.example\.com/],
  ['no version', { version: '' }, 'WRONG_SHAPE', 'Greenhouse.version', /'v1'/],
  ['a scope that does not exist', { scope: 'Global' }, 'WRONG_SHAPE', 'Greenhouse.scope', /Namespaced/],
  ['a plural with a capital', { plural: 'Greenhouses' }, 'WRONG_SHAPE', 'Greenhouse.plural', /nodepools/],
  ['a machine version without numbers', { machineVersion: 'one' }, 'WRONG_SHAPE', 'Greenhouse.machineVersion', /1\.0\.0/],
  ['versions without the storage version', { versions: ['v2'] }, 'VERSION_NOT_SERVED', 'Greenhouse.versions', /\["v2","v1"\]/],
  ['the same version twice', { versions: ['v1', 'v1'] }, 'WRONG_SHAPE', 'Greenhouse.versions', /versions/],
  ['a short name with a space', { shortNames: ['g h'] }, 'WRONG_SHAPE', 'Greenhouse.shortNames', /shortNames/],
  ['no spec', { spec: undefined }, 'WRONG_SHAPE', 'Greenhouse.spec', /z\.object/],
  ['a spec that is a type', { spec: { size: 'number' } }, 'WRONG_SHAPE', 'Greenhouse.spec', /z\.object/],
  ['a spec that is no object', { spec: z.string() }, 'WRONG_SHAPE', 'Greenhouse.spec', /z\.object/],
  ['a status field of the engine', { status: z.object({ phase: z.string() }) }, 'RESERVED_NAME', 'Greenhouse.status.phase', /another name/],
  ['memory without a default', { memory: z.object({ attempts: z.int() }) }, 'NO_DEFAULT', 'Greenhouse.memory', /default\(0\)/],
  ['a report that is data', { report: {} }, 'WRONG_SHAPE', 'Greenhouse.report', /view/],
  ['a column without a path', { columns: [{ name: 'Size', type: 'integer' }] }, 'WRONG_SHAPE', 'Greenhouse.columns[0]', /jsonPath/],
  ['an unknown part', { gaurds: {} }, 'UNKNOWN_KEY', 'Greenhouse.gaurds', /write guards/],
  ['schedules', { schedules: { nightly: {} } }, 'NOT_SUPPORTED', 'Greenhouse.schedules', /timeout/],
  ['publishes', { publishes: () => {} }, 'NOT_SUPPORTED', 'Greenhouse.publishes', /announce/],
  ['outside', { outside: {} }, 'NOT_SUPPORTED', 'Greenhouse.outside', /probe/],
  ['facts in a list', { announce: [], facts }, 'WRONG_SHAPE', 'Greenhouse.announce', /name/],
];

const words: readonly Row[] = [
  ['a fact that is a function', { facts: { ...facts, dry: yes } }, 'WRONG_SHAPE', 'Greenhouse.facts.dry', /when, says/],
  ['a fact without words', { facts: { ...facts, dry: { when: yes } } }, 'WRONG_SHAPE', 'Greenhouse.facts.dry.says', /words for people/],
  ['a guard that is data', { guards: { ...guards, isDry: true } }, 'WRONG_SHAPE', 'Greenhouse.guards.isDry', /view, params/],
  [
    'a timeout in milliseconds',
    { timeouts: { ...vocabulary.timeouts, dry: 500 } },
    'NUMERIC_DELAY',
    'Greenhouse.timeouts.dry',
    /milliseconds: 500/,
  ],
  [
    'a timeout below zero',
    { timeouts: { ...vocabulary.timeouts, dry: Duration.fromObject({ hours: -1 }) } },
    'WRONG_SHAPE',
    'Greenhouse.timeouts.dry',
    /Duration/,
  ],
  [
    'a delay that reads the time',
    { timeouts: { ...vocabulary.timeouts, dry: () => DateTime.now().endOf('day').diffNow() } },
    'DELAY_READS_TIME',
    'Greenhouse.timeouts.dry',
    /Duration from the view/,
  ],
  [
    'a delay that makes a date',
    { timeouts: { ...vocabulary.timeouts, dry: () => Duration.fromMillis(new Date().getHours()) } },
    'DELAY_READS_TIME',
    'Greenhouse.timeouts.dry',
    /Duration from the view/,
  ],
  [
    'a kind that is a name',
    { dependents: { ...vocabulary.dependents, pods: 'Pod' } },
    'WRONG_SHAPE',
    'Greenhouse.dependents.pods',
    /defineKindOf/,
  ],
  ['a watch without of', { watches: { nodes: { kind: Node } } }, 'WRONG_SHAPE', 'Greenhouse.watches.nodes.of', /wakes/],
  [
    'a probe without a maximum age',
    { probes: { price: { timeout: Duration.fromMillis(1), answer: z.int(), input: yes, ask: yes } } },
    'WRONG_SHAPE',
    'Greenhouse.probes.price.maxAge',
    /Duration/,
  ],
  [
    'a delete from an unknown dependent',
    { deletes: { ...vocabulary.deletes, pests: { from: 'mapps', only: yes } } },
    'UNKNOWN_NAME',
    'Greenhouse.deletes.pests.from',
    /write maps/,
  ],
  [
    'a delete without its own predicate',
    { deletes: { ...vocabulary.deletes, pests: { from: 'maps' } } },
    'WRONG_SHAPE',
    'Greenhouse.deletes.pests.only',
    /live, view/,
  ],
  [
    'an announce whose reason is a sentence',
    { announce: { ...vocabulary.announce, dried: { type: 'Warning', reason: 'it dried', message: yes } } },
    'WRONG_SHAPE',
    'Greenhouse.announce.dried.reason',
    /PascalCase/,
  ],
  [
    'params of a command',
    { commands: { ...vocabulary.commands, dry: { params: z.int() } } },
    'UNKNOWN_KEY',
    'Greenhouse.commands.dry.params',
    /says/,
  ],
  ['an invariant that is data', { invariants: { alive: true } }, 'WRONG_SHAPE', 'Greenhouse.invariants.alive', /view/],
  ['a migration of a state it has', { migrations: { Empty: 'Gone' } }, 'INVALID_NAME', 'Greenhouse.migrations.Empty', /leave it out/],
  ['a migration to a state it lacks', { migrations: { Old: 'Gonne' } }, 'UNKNOWN_TARGET', 'Greenhouse.migrations.Old', /write Gone/],
];

const names: readonly Row[] = [
  ['a fact and a command', { facts: { ...facts, water: facts.warm } }, 'NAME_COLLISION', 'Greenhouse.commands.water', /different/],
  ['a fact and a guard', { guards: { ...guards, warm: yes } }, 'NAME_COLLISION', 'Greenhouse.guards.warm', /different/],
  ['a command and a guard', { guards: { ...guards, retry: yes } }, 'NAME_COLLISION', 'Greenhouse.guards.retry', /different/],
  [
    'an ensure and an announce',
    { announce: { ...vocabulary.announce, plants: vocabulary.announce.grown } },
    'NAME_COLLISION',
    'Greenhouse.announce.plants',
    /different/,
  ],
  ['a built-in fact', { facts: { ...facts, deleted: facts.warm } }, 'RESERVED_NAME', 'Greenhouse.facts.deleted', /another/],
  ['a built-in command', { commands: { ...vocabulary.commands, pause: {} } }, 'RESERVED_NAME', 'Greenhouse.commands.pause', /another/],
  ['the negating guard', { guards: { ...guards, not: yes } }, 'RESERVED_NAME', 'Greenhouse.guards.not', /another/],
  [
    'the accepting action',
    { remembers: { ...vocabulary.remembers, accept: yes } },
    'RESERVED_NAME',
    'Greenhouse.remembers.accept',
    /another/,
  ],
  ['a name with a capital', { facts: { ...facts, Dry: facts.warm } }, 'INVALID_NAME', 'Greenhouse.facts.Dry', /nodesReady/],
  ['a name with a dot', { guards: { ...guards, 'is.dry': yes } }, 'INVALID_NAME', 'Greenhouse.guards.is.dry', /nodesReady/],
];

describe.each([
  ['parts', parts],
  ['words', words],
  ['names', names],
] as const)('a vocabulary with a fault in its %s', (_, rows) => {
  it.each(rows)('is refused for %s', (_title, patch, code, place, advice) => {
    expect(faultsOf(configWith({}), patch)).toEqual([
      { code, place, reason: expect.stringMatching(/\w+ \w+/) as unknown, instead: expect.stringMatching(advice) as unknown },
    ]);
  });
});

describe('what vocabulary and machine say together', () => {
  const accepting = configWith({ Empty: { ...steady, on: { unaccepted: { target: 'Empty', actions: 'accept' } } } });

  it('must let a lifecycle that accepts adopt', () => {
    expect(faultsOf(accepting, { adopt: undefined })).toMatchObject([
      { code: 'NO_ADOPT', place: 'Greenhouse.states.Empty.on.unaccepted.actions' },
    ]);
    expect(faultsOf(accepting)).toEqual([]);
  });

  const nodes = { dependents: { maps: vocabulary.dependents.maps, nodes: Node } };

  it('must remove the cluster-scoped dependents of a namespaced kind when it is deleted', () => {
    const [fault, ...others] = faultsOf(configWith({}), nodes);
    expect(others).toEqual([]);
    expect(fault).toMatchObject({ code: 'OWNER_SCOPE', place: 'Greenhouse.dependents.nodes' });
    expect(fault?.reason).toContain('cannot own a cluster-scoped Node');
    expect(faultsOf(configWith({}), { ...nodes, scope: 'Cluster' })).toEqual([]);
  });

  it('may remove them in a Terminating phase', () => {
    const patch = { ...nodes, deletes: { ...vocabulary.deletes, everyNode: { from: 'nodes', only: yes } } };
    const gone = (entry: string) => configWith({ Gone: { meta: { kstatus: 'Terminating' }, entry } });
    expect(faultsOf(gone('everyNode'), patch)).toEqual([]);
    expect(faultsOf(gone('weeds'), patch)).toMatchObject([{ code: 'OWNER_SCOPE' }]);
  });
});
