import { describe, expect, it } from 'vitest';
import { conditionsOf, heldConditions } from '../../src/engine/conditions.ts';
import type { Problem } from '../../src/engine/problem.ts';
import type { Position } from '../../src/machine/position.ts';
import { restore } from '../../src/machine/restore.ts';
import type { Condition } from '../../src/resource/condition.ts';
import { defineGadget } from './lifecycles/gadget.ts';

const lifecycle = defineGadget();
const spec = { size: 1, color: 'red' };
const problems: readonly (Problem | undefined)[] = [
  undefined,
  { severity: 'waiting', reason: 'Waits', message: 'it waits' },
  { severity: 'stalled', reason: 'Stands', message: 'it stands' },
];

function positionIn(state: string, accepted: Readonly<Record<string, unknown>> | undefined = spec): Position {
  const { position } = restore(lifecycle, undefined) as { readonly position: Position };
  return { ...position, state, accepted: accepted === undefined ? undefined : { generation: 1, spec: accepted } };
}

function conditions(
  state: string,
  more: {
    readonly problem?: Problem | undefined;
    readonly asked?: object;
    readonly stored?: readonly Condition[];
    readonly now?: string;
  } = {},
) {
  return conditionsOf({
    lifecycle,
    position: positionIn(state),
    spec: { ...(more.asked ?? spec) },
    generation: 2,
    cause: 'a cause',
    problem: more.problem,
    reported: [],
    stored: more.stored ?? [],
    now: more.now ?? '2026-01-01T00:00:00Z',
  });
}

const truth = (list: readonly Condition[]) => list.filter(({ status }) => status === 'True').map(({ type, reason }) => `${type}/${reason}`);

describe('conditions', () => {
  it.each(lifecycle.chart.leaves.flatMap((state) => problems.map((problem) => ({ state, problem }))))(
    'hold exactly one of the three in $state with $problem.severity problem',
    ({ state, problem }) => {
      const list = conditions(state, { problem });
      expect(list.map(({ type }) => type)).toEqual(['Ready', 'Reconciling', 'Stalled']);
      expect(truth(list)).toHaveLength(1);
      expect(new Set(list.map(({ reason }) => reason)).size).toBe(1);
      if (truth(list)[0]?.startsWith('Ready')) expect([state, problem]).toEqual(['Running', undefined]);
    },
  );

  it.each([
    ['Running', 'Ready/Running'],
    ['Building', 'Reconciling/Building'],
    ['Deleting', 'Reconciling/Deleting'],
    ['Failed', 'Stalled/Failed'],
  ])('say what %s means', (state, expected) => {
    expect(truth(conditions(state))).toEqual([expected]);
  });

  it('are not Ready for a spec that was not accepted, and name the guard', () => {
    const list = conditions('Running', { asked: { size: 2, color: 'red' } });
    expect(truth(list)).toEqual(['Reconciling/SpecNotAccepted']);
    expect(list[0]?.message).toContain('held back by mayAccept');
  });

  it('keep the time of what did not change, and others alone', () => {
    const foreign: Condition = {
      type: 'Backup',
      status: 'True',
      reason: 'Theirs',
      message: '',
      lastTransitionTime: '2020-01-01T00:00:00Z',
    };
    const before = conditions('Building', { stored: [foreign] });
    const after = conditions('Running', { stored: before, now: '2026-02-02T00:00:00Z' });
    const times = Object.fromEntries(after.map(({ type, lastTransitionTime }) => [type, lastTransitionTime.slice(0, 10)]));
    expect(times).toEqual({ Backup: '2020-01-01', Ready: '2026-02-02', Reconciling: '2026-02-02', Stalled: '2026-01-01' });
    expect(after[0]).toEqual(foreign);
  });

  it('of an object that is held say nothing about its phase', () => {
    const into = { generation: 3, stored: conditions('Running'), now: '2026-02-02T00:00:00Z' };
    expect(truth(heldConditions({ severity: 'stalled', reason: 'Quarantined', message: '' }, into))).toEqual(['Stalled/Quarantined']);
    expect(truth(heldConditions({ severity: 'waiting', reason: 'Waits', message: '' }, into))).toEqual(['Reconciling/Waits']);
  });
});
