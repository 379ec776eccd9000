import { describe, expect, it } from 'vitest';
import { and, assign, emit, enqueueActions, log, raise, sendTo, setup, spawnChild } from 'xstate';
import type { DefinitionFaultCode } from '../../src/definition/definition-error.ts';
import { configWith, faultsOf, steady } from './greenhouse.ts';

/** A config, the one fault it has, where, and what the advice mentions. */
type Row = readonly [title: string, config: unknown, code: DefinitionFaultCode, place: string, advice: RegExp];

const empty = (more: Record<string, unknown>) => configWith({ Empty: { ...steady, ...more } });
const at = 'Greenhouse.states.Empty';
const logic = setup({}).createMachine({});

const constructs: readonly Row[] = [
  ['invoke', empty({ invoke: { src: logic } }), 'REJECTED_CONSTRUCT', `${at}.invoke`, /ensure.*probe/],
  ['spawn', empty({ spawn: 'x' }), 'REJECTED_CONSTRUCT', `${at}.spawn`, /dependent kind/],
  ['always', empty({ always: 'Gone' }), 'REJECTED_CONSTRUCT', `${at}.always`, /fact in on/],
  ['always with a function', empty({ always: { guard: () => true } }), 'REJECTED_CONSTRUCT', `${at}.always`, /fact in on/],
  ['exit', empty({ exit: 'plants' }), 'REJECTED_CONSTRUCT', `${at}.exit`, /next state/],
  ['onDone', empty({ onDone: 'Gone' }), 'REJECTED_CONSTRUCT', `${at}.onDone`, /fact in on/],
  ['history', empty({ history: 'deep' }), 'REJECTED_CONSTRUCT', `${at}.history`, /name the state/],
  ['a history state', empty({ type: 'history' }), 'REJECTED_CONSTRUCT', `${at}.type`, /name the state/],
  ['parallel', empty({ type: 'parallel' }), 'REJECTED_CONSTRUCT', `${at}.type`, /second lifecycle/],
  ['a parallel root', configWith({}, { type: 'parallel' }), 'REJECTED_CONSTRUCT', 'Greenhouse.type', /second lifecycle/],
  ['final', empty({ type: 'final' }), 'REJECTED_CONSTRUCT', `${at}.type`, /Terminating/],
  ['a wildcard', empty({ on: { '*': 'Gone' } }), 'REJECTED_CONSTRUCT', `${at}.on.*`, /each fact/],
  ['a partial wildcard', empty({ on: { 'warm.*': 'Gone' } }), 'REJECTED_CONSTRUCT', `${at}.on.warm.*`, /each fact/],
  ["XState's own events", empty({ on: { 'xstate.init': 'Gone' } }), 'REJECTED_CONSTRUCT', `${at}.on.xstate.init`, /timeout/],
  ['context', configWith({}, { context: { n: 1 } }), 'REJECTED_CONSTRUCT', 'Greenhouse.context', /memory/],
  ['a context function', configWith({}, { context: () => ({}) }), 'REJECTED_CONSTRUCT', 'Greenhouse.context', /memory/],
  ['an id', empty({ id: 'other' }), 'REJECTED_CONSTRUCT', `${at}.id`, /#<Kind>/],
  ['a timeout of the root', configWith({}, { after: { grow: '.Gone' } }), 'REJECTED_CONSTRUCT', 'Greenhouse.after', /phases/],
  ['an inline guard', empty({ on: { warm: { target: 'Gone', guard: () => true } } }), 'INLINE_FUNCTION', `${at}.on.warm.guard`, /name/],
  ['a combined guard', empty({ on: { warm: { target: 'Gone', guard: and(['warm']) } } }), 'INLINE_FUNCTION', `${at}.on.warm.guard`, /name/],
  [
    'an inline action',
    empty({ on: { warm: { target: 'Gone', actions: [() => {}] } } }),
    'INLINE_FUNCTION',
    `${at}.on.warm.actions[0]`,
    /name/,
  ],
  ['an inline entry', empty({ entry: () => {} }), 'INLINE_FUNCTION', `${at}.entry`, /name/],
  [
    'a function in params',
    empty({ entry: { type: 'rows', params: { count: () => 1 } } }),
    'INLINE_FUNCTION',
    `${at}.entry.params.count`,
    /name/,
  ],
  ['an inline target', empty({ on: { warm: () => 'Gone' } }), 'INLINE_FUNCTION', `${at}.on.warm`, /name/],
  ['raise', empty({ on: { retry: { actions: raise({ type: 'warm' }) } } }), 'REJECTED_CONSTRUCT', `${at}.on.retry.actions`, /fact/],
  ['sendTo', empty({ on: { retry: { actions: sendTo('x', { type: 'y' }) } } }), 'REJECTED_CONSTRUCT', `${at}.on.retry.actions`, /ensure/],
  ['emit', empty({ on: { retry: { actions: emit({ type: 'y' }) } } }), 'REJECTED_CONSTRUCT', `${at}.on.retry.actions`, /announce/],
  [
    'enqueueActions',
    empty({ on: { retry: { actions: enqueueActions(() => {}) } } }),
    'REJECTED_CONSTRUCT',
    `${at}.on.retry.actions`,
    /list/,
  ],
  ['log', empty({ on: { retry: { actions: log('x') } } }), 'REJECTED_CONSTRUCT', `${at}.on.retry.actions`, /announce/],
  ['assign', empty({ on: { retry: { actions: [assign({})] } } }), 'REJECTED_CONSTRUCT', `${at}.on.retry.actions[0]`, /remember/],
  ['spawnChild', empty({ entry: spawnChild(logic) }), 'REJECTED_CONSTRUCT', `${at}.entry`, /dependent/],
  ['a date', empty({ entry: { type: 'rows', params: { from: new Date(0) } } }), 'NOT_JSON', `${at}.entry.params.from`, /strings/],
  [
    'a number that JSON lacks',
    empty({ entry: { type: 'rows', params: { from: Number.NaN } } }),
    'NOT_JSON',
    `${at}.entry.params.from`,
    /finite/,
  ],
  ['a big integer', empty({ entry: { type: 'rows', params: { from: 1n } } }), 'NOT_JSON', `${at}.entry.params.from`, /finite/],
];

const edges: readonly Row[] = [
  ['an empty edge', empty({ on: { warm: {} } }), 'EMPTY_EDGE', `${at}.on.warm`, /leave it out/],
  ['an empty list of edges', empty({ on: { warm: [] } }), 'EMPTY_EDGE', `${at}.on.warm`, /leave it out/],
  ['a command edge that does nothing', empty({ on: { retry: { actions: [] } } }), 'EMPTY_EDGE', `${at}.on.retry`, /leave it out/],
  ['a text in a list of edges', empty({ on: { warm: ['Gone'] } }), 'WRONG_SHAPE', `${at}.on.warm[0]`, /target: 'Gone'/],
  ['several targets', empty({ on: { warm: { target: ['Gone'] } } }), 'WRONG_SHAPE', `${at}.on.warm.target`, /target/],
  [
    'an unknown part of an edge',
    empty({ on: { warm: { target: 'Gone', gaurd: 'hasWater' } } }),
    'UNKNOWN_KEY',
    `${at}.on.warm.gaurd`,
    /write guard/,
  ],
  ['an unknown part of a state', empty({ afetr: {} }), 'UNKNOWN_KEY', `${at}.afetr`, /write after/],
  [
    'an unknown part of meta',
    configWith({ Empty: { meta: { kstatus: 'Current', mesage: '' } } }),
    'UNKNOWN_KEY',
    `${at}.meta.mesage`,
    /message/,
  ],
  ['a fact edge without a target', empty({ on: { warm: { actions: 'attempt' } } }), 'NO_TARGET', `${at}.on.warm`, /target/],
  ['a timeout without a target', empty({ after: { grow: { actions: 'attempt' } } }), 'NO_TARGET', `${at}.after.grow`, /target/],
  ['a numeric delay', empty({ after: { 1000: 'Gone' } }), 'NUMERIC_DELAY', `${at}.after.1000`, /milliseconds: 1000/],
  ['a fact onto its own phase', empty({ on: { warm: 'Empty' } }), 'ENDLESS_FACT', `${at}.on.warm`, /accept or a remember/],
  ["a fact onto its own phase by '#'", empty({ on: { warm: '#Greenhouse.Empty' } }), 'ENDLESS_FACT', `${at}.on.warm`, /accept/],
  [
    'a fact onto its own phase that only announces',
    empty({ on: { warm: [{ target: 'Empty', actions: 'grown' }] } }),
    'ENDLESS_FACT',
    `${at}.on.warm[0]`,
    /accept/,
  ],
  [
    'a fact onto a parent that enters its own state again',
    configWith({ Full: { initial: 'A', states: { A: { ...steady, on: { warm: '#Greenhouse.Full' } } } } }),
    'ENDLESS_FACT',
    'Greenhouse.states.Full.states.A.on.warm',
    /accept/,
  ],
  ['reenter false', empty({ on: { warm: { target: 'Gone', reenter: false } } }), 'WRONG_SHAPE', `${at}.on.warm.reenter`, /leave it out/],
];

const names: readonly Row[] = [
  ['an unknown fact', empty({ on: { wram: 'Gone' } }), 'UNKNOWN_NAME', `${at}.on.wram`, /write warm/],
  ['an unknown fact like no other', empty({ on: { zzzzzzzz: 'Gone' } }), 'UNKNOWN_NAME', `${at}.on.zzzzzzzz`, /one of warm, cold, deleted/],
  ['a name every object has', empty({ on: { toString: 'Gone' } }), 'UNKNOWN_NAME', `${at}.on.toString`, /one of/],
  ['a guard in on', empty({ on: { hasWater: 'Gone' } }), 'MISPLACED_NAME', `${at}.on.hasWater`, /as a fact/],
  ['a timeout in on', empty({ on: { grow: 'Gone' } }), 'MISPLACED_NAME', `${at}.on.grow`, /after/],
  ['a fact in after', empty({ after: { warm: 'Gone' } }), 'MISPLACED_NAME', `${at}.after.warm`, /in on/],
  ['a command of every phase', empty({ on: { pause: 'Gone' } }), 'RESERVED_NAME', `${at}.on.pause`, /leave it out/],
  ['an unknown timeout', empty({ after: { grwo: 'Gone' } }), 'UNKNOWN_NAME', `${at}.after.grwo`, /write grow/],
  ['an unknown guard', empty({ on: { warm: { target: 'Gone', guard: 'hasWatr' } } }), 'UNKNOWN_NAME', `${at}.on.warm.guard`, /hasWater/],
  ['a command as a guard', empty({ on: { warm: { target: 'Gone', guard: 'retry' } } }), 'UNKNOWN_NAME', `${at}.on.warm.guard`, /one of/],
  ['an unknown ensure', empty({ entry: ['plant'] }), 'UNKNOWN_NAME', `${at}.entry[0]`, /write plants/],
  [
    'an unknown action',
    empty({ on: { warm: { target: 'Gone', actions: 'grwn' } } }),
    'UNKNOWN_NAME',
    `${at}.on.warm.actions`,
    /write grown/,
  ],
  [
    'an ensure on an edge',
    empty({ on: { warm: { target: 'Gone', actions: 'plants' } } }),
    'MISPLACED_NAME',
    `${at}.on.warm.actions`,
    /entry/,
  ],
  [
    'a delete on an edge',
    empty({ on: { warm: { target: 'Gone', actions: 'weeds' } } }),
    'MISPLACED_NAME',
    `${at}.on.warm.actions`,
    /entry/,
  ],
  ['an announce in entry', empty({ entry: 'grown' }), 'MISPLACED_NAME', `${at}.entry`, /actions/],
  ['accept in entry', empty({ entry: 'accept' }), 'MISPLACED_NAME', `${at}.entry`, /actions/],
  [
    'guard params missing',
    empty({ on: { warm: { target: 'Gone', guard: 'isAbove' } } }),
    'PARAMS_MISMATCH',
    `${at}.on.warm.guard`,
    /params/,
  ],
  [
    'params for a guard without',
    empty({ on: { warm: { target: 'Gone', guard: { type: 'hasWater', params: { litres: 1 } } } } }),
    'PARAMS_MISMATCH',
    `${at}.on.warm.guard.params`,
    /'hasWater'/,
  ],
  [
    'params for a fact',
    empty({ on: { warm: { target: 'Gone', guard: { type: 'cold', params: { by: 1 } } } } }),
    'PARAMS_MISMATCH',
    `${at}.on.warm.guard.params`,
    /'cold'/,
  ],
  [
    'not without a guard',
    empty({ on: { warm: { target: 'Gone', guard: 'not' } } }),
    'PARAMS_MISMATCH',
    `${at}.on.warm.guard`,
    /params: \{ guard/,
  ],
  [
    'not with an unknown guard',
    empty({ on: { warm: { target: 'Gone', guard: { type: 'not', params: { guard: 'clod' } } } } }),
    'UNKNOWN_NAME',
    `${at}.on.warm.guard.params.guard`,
    /write cold/,
  ],
  [
    'not with a guard without its params',
    empty({ on: { warm: { target: 'Gone', guard: { type: 'not', params: { guard: 'isAbove' } } } } }),
    'PARAMS_MISMATCH',
    `${at}.on.warm.guard.params.guard`,
    /params/,
  ],
  ['ensure params missing', empty({ entry: 'rows' }), 'PARAMS_MISMATCH', `${at}.entry`, /params/],
  ['delete params missing', configWith({ Full: { ...steady, entry: 'row' } }), 'PARAMS_MISMATCH', 'Greenhouse.states.Full.entry', /params/],
  ['remember params missing', empty({ on: { retry: { actions: 'attemptsSet' } } }), 'PARAMS_MISMATCH', `${at}.on.retry.actions`, /params/],
];

const shapes: readonly Row[] = [
  ['no config', undefined, 'WRONG_SHAPE', 'Greenhouse', /meta/],
  ['a state that is no object', configWith({ Full: 'Gone' }), 'WRONG_SHAPE', 'Greenhouse.states.Full', /meta/],
  ['a state in lower case', configWith({ full: steady }), 'INVALID_NAME', 'Greenhouse.states.full', /Full/],
  ['a state with a dot', configWith({ 'Full.Half': steady }), 'INVALID_NAME', 'Greenhouse.states.Full.Half', /FullHalf/],
  ['no initial', configWith({}, { initial: undefined }), 'NO_INITIAL', 'Greenhouse.initial', /'Empty'/],
  ['an unknown initial', configWith({}, { initial: 'Emty' }), 'NO_INITIAL', 'Greenhouse.initial', /write Empty/],
  [
    'an initial that is not its own',
    configWith({ Full: { initial: 'Empty', states: { A: steady } } }),
    'NO_INITIAL',
    'Greenhouse.states.Full.initial',
    /A/,
  ],
  ['no nested initial', configWith({ Full: { states: { A: steady } } }), 'NO_INITIAL', 'Greenhouse.states.Full.initial', /'A'/],
  ['no states', { initial: 'Empty' }, 'WRONG_SHAPE', 'Greenhouse.states', /Pending/],
  ['a leaf without kstatus', configWith({ Full: { on: { warm: 'Empty' } } }), 'NO_KSTATUS', 'Greenhouse.states.Full.meta', /InProgress/],
  [
    'an unknown kstatus',
    configWith({ Full: { meta: { kstatus: 'Curent' }, on: { warm: 'Empty' } } }),
    'WRONG_SHAPE',
    'Greenhouse.states.Full.meta.kstatus',
    /write Current/,
  ],
  [
    'deletes in the initial state',
    empty({ entry: ['plants', 'weeds'] }),
    'DESTRUCTIVE_START',
    `${at}.entry[1]`,
    /a phase that an edge leads to/,
  ],
  ['deletes of the root', configWith({}, { entry: 'weeds' }), 'DESTRUCTIVE_START', 'Greenhouse.entry', /a phase that an edge leads to/],
  [
    'a leaf without an edge out',
    configWith({ Full: steady }, { on: { warm: '.Full' } }),
    'DEAD_END',
    'Greenhouse.states.Full',
    /fact, a timeout or a command/,
  ],
  [
    'a failed leaf that only deletion ends',
    configWith({ Full: { meta: { kstatus: 'Failed' } } }),
    'DEAD_END',
    'Greenhouse.states.Full',
    /fact, a timeout or a command/,
  ],
  [
    'a leaf that leads only to itself',
    configWith({ Full: { meta: { kstatus: 'InProgress' }, on: { warm: { target: 'Full', actions: 'accept' } } } }),
    'DEAD_END',
    'Greenhouse.states.Full',
    /fact, a timeout or a command/,
  ],
];

const targets: readonly Row[] = [
  ['an unknown sibling', empty({ on: { warm: 'Gonne' } }), 'UNKNOWN_TARGET', `${at}.on.warm`, /write Gone$/],
  [
    'an unknown target in a list',
    empty({ on: { warm: [{ target: 'Gonne' }] } }),
    'UNKNOWN_TARGET',
    `${at}.on.warm[0].target`,
    /write Gone$/,
  ],
  ['an empty target', empty({ on: { warm: '' } }), 'UNKNOWN_TARGET', `${at}.on.warm`, /one of/],
  ['a root target without a dot', configWith({}, { on: { warm: 'Gone' } }), 'UNKNOWN_TARGET', 'Greenhouse.on.warm', /write \.Gone$/],
  ['another kind', empty({ on: { warm: '#Garage.Gone' } }), 'UNKNOWN_TARGET', `${at}.on.warm`, /write Gone$/],
  ['the root itself', empty({ on: { warm: '#Greenhouse' } }), 'UNKNOWN_TARGET', `${at}.on.warm`, /one of|write/],
  ['a child of a leaf', empty({ on: { warm: '.Gone' } }), 'UNKNOWN_TARGET', `${at}.on.warm`, /write Gone$/],
  [
    'a phase from a nested state',
    configWith({ Full: { initial: 'A', states: { A: { ...steady, on: { warm: 'Empty' } } } } }),
    'UNKNOWN_TARGET',
    'Greenhouse.states.Full.states.A.on.warm',
    /write #Greenhouse\.Empty$/,
  ],
  [
    'a nested state by its name alone',
    configWith({ Full: { initial: 'A', states: { A: steady } } }, { on: { deleted: '.Gone', cold: '.A' } }),
    'UNKNOWN_TARGET',
    'Greenhouse.on.cold',
    /write \.Full\.A$/,
  ],
];

describe.each([
  ['constructs', constructs],
  ['edges', edges],
  ['names', names],
  ['shapes', shapes],
  ['targets', targets],
] as const)('a config with a fault in its %s', (_, rows) => {
  it.each(rows)('is refused for %s', (_title, config, code, place, advice) => {
    expect(faultsOf(config)).toEqual([
      { code, place, reason: expect.stringMatching(/\w+ \w+/) as unknown, instead: expect.stringMatching(advice) as unknown },
    ]);
  });
});
