import { ConfigMap } from 'phasekeeper';
import { expect, it } from 'vitest';
import { names } from '../../src/definition/reserved-names.ts';
import { eventually } from '../control-plane/eventually.ts';
import type { ProxiedRequest } from '../control-plane/proxied-request.ts';
import { describeControlPlane } from '../control-plane/suite.ts';
import { brokenAnnotation, defineGadget, defineNextGadget, type GadgetHooks } from './lifecycles/gadget.ts';
import { defineParcel } from './lifecycles/parcel.ts';
import { wayOf, World } from './world.ts';

const other = 'someone.else/finalizer';

describeControlPlane('what the engine holds to', {}, (context) => {
  const open = (hooks: GadgetHooks = {}) => World.open(context.controlPlane, defineGadget(hooks));
  const command = (world: World, name: string, value: string) =>
    world.annotate(world.lifecycle.kind, name, { [names.commandAnnotation]: value });

  it('B26 writes the finalizer before the first external effect', async () => {
    const world = await open();
    await world.operator();
    await world.create('first', { size: 2 });
    await world.settles('first', 'Running');
    const [finalizer, ...later] = world.writes();
    expect(finalizer).toMatchObject({
      name: 'first',
      subresource: undefined,
      body: { metadata: { finalizers: [names.finalizer('gadgets')] } },
    });
    expect(later.map(({ resource }) => resource)).toEqual(['gadgets', 'configmaps', 'configmaps', 'gadgets']);
  });

  it('B26 writes no finalizer where nothing is to be cleaned up', async () => {
    const world = await World.open(
      context.controlPlane,
      defineParcel({ objects: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } }] }),
    );
    await world.operator();
    await world.create('box', {});
    expect((await world.settles('box', 'Packed')).metadata.finalizers).toBeUndefined();
    await world.remove(world.lifecycle.kind, 'box');
    await world.gone(world.lifecycle.kind, 'box');
  });

  it('B27 keeps the finalizer until a cleanup that failed succeeds, and leaves that of another controller', async () => {
    const world = await open();
    const { kind } = world.lifecycle;
    await world.operator();
    await world.create('shared', { size: 1 }, { finalizers: [other] });
    expect((await world.settles('shared', 'Running')).metadata.finalizers).toEqual([other, names.finalizer('gadgets')]);
    const refusal = world.proxy.answer(500, { when: ({ verb, resource }) => verb === 'delete' && resource === 'configmaps' });
    await world.remove(kind, 'shared');
    await world.shows('shared', 'Reconciling', 'DeleteFailed');
    await eventually(() => refusal.hits >= 2, { what: 'two attempts' });
    expect((await world.stored('shared')).metadata.finalizers).toEqual([other, names.finalizer('gadgets')]);
    refusal.remove();
    const left = await world.until('shared', 'to be let go', ({ metadata }) => !metadata.finalizers?.includes(names.finalizer('gadgets')));
    expect(left.metadata.finalizers).toEqual([other]);
    expect(await world.find(ConfigMap, 'shared-0')).toBeUndefined();
    const writes = world.writes().length;
    await world.patch(kind, 'shared', { metadata: { annotations: { poke: 'yes' }, finalizers: null } });
    await world.gone(kind, 'shared');
    expect(world.writes()).toHaveLength(writes);
  });

  it('B28 takes a status write to an object that is gone for no error', async () => {
    const world = await open();
    const operator = await world.operator();
    const hold = world.proxy.holdWrite(1, 'beforeSent', { counts: world.isStatusWrite });
    await world.create('gone', { size: 1 });
    await hold.reached;
    await world.erase(world.lifecycle.kind, 'gone');
    hold.release('forward');
    await eventually(() => context.controlPlane.audit({ user: 'operator', code: 404, namespace: world.namespace ?? '' }).length > 0, {
      what: 'the write to be refused',
    });
    await world.create('next', { size: 1 });
    await world.settles('next', 'Running');
    expect(operator.lines.filter(({ level }) => level !== 'info')).toEqual([]);
  });

  it('B36 runs a command once, whoever applies its annotation again', async () => {
    const world = await open();
    const first = await world.operator();
    await world.create('told', { size: 1 });
    await world.settles('told', 'Running');
    await world.annotate(world.lifecycle.kind, 'told', { [names.commandByAnnotation]: 'ann', [names.commandAnnotation]: 'rebuild/2/once' });
    const done = await world.until(
      'told',
      'to be rebuilt',
      ({ status }) => status.lifecycle.memory?.['attempts'] === 1 && status.phase === 'Running',
    );
    expect(done.status.lifecycle.lastCommand).toMatchObject({ token: 'once', name: 'rebuild', result: 'done', by: 'ann' });
    expect(done.status.lifecycle.history?.find(({ event }) => event === 'command rebuild')).toMatchObject({
      from: 'Running',
      to: 'Building',
      by: 'ann',
    });
    await world.annotate(world.lifecycle.kind, 'told', { [names.commandAnnotation]: null });
    await command(world, 'told', 'rebuild/2/once');
    await first.stop();
    await world.operator();
    // What comes after it shows that it was looked at.
    await world.spec('told', { color: 'blue' });
    const later = await world.until(
      'told',
      'to be blue',
      ({ status, metadata }) => status.phase === 'Running' && status.lifecycle.accepted?.generation === metadata.generation,
    );
    expect(later.status.lifecycle.memory).toEqual({ attempts: 1 });
    expect(wayOf(later)).toBe('Pending > Building > Running > Building > Running > Building > Running');
  });

  it.each([
    { what: 'unknown', value: 'explode/2/t1', says: /unknown/ },
    { what: 'illegal in its phase', value: 'retry/2/t2', says: /not accepted in Running; legal: rebuild/ },
    { what: 'meant for an older transition', value: 'rebuild/1/t3', says: /meant for transition 1, the object is at 2/ },
    { what: 'malformed', value: 'please rebuild', says: /cannot be read/ },
  ])('B36 refuses a command that is $what, with the reason, and records nothing else', async ({ value, says }) => {
    const world = await open();
    const operator = await world.operator();
    await world.create('told', { size: 1 });
    const before = await world.settles('told', 'Running');
    await command(world, 'told', value);
    const after = await world.until('told', 'to have refused', ({ status }) => status.lifecycle.lastCommand !== undefined);
    expect(after.status.lifecycle.lastCommand?.result).toMatch(/^refused: /);
    expect(after.status.lifecycle.lastCommand?.result).toMatch(says);
    const { lastCommand: _, ...rest } = after.status.lifecycle;
    expect(rest).toEqual(before.status.lifecycle);
    expect(after.status.conditions).toEqual(before.status.conditions);
    await operator.stop();
    expect((await world.events('told')).filter(({ reason }) => reason === 'CommandRefused')).toHaveLength(1);
  });

  it('B16 does nothing in a state that its machine does not know, says how to go on, and still lets the object be deleted', async () => {
    const { world, first } = await broken();
    await first.stop();
    await world.operator(defineNextGadget(false));
    const stalled = await world.shows('lost', 'Stalled', 'Quarantined');
    expect(stalled.message).toMatch(/Repairing.*2\.0\.0.*kubectl patch/);
    const writes = world.writes().length;
    await world.remove(ConfigMap, 'lost-0');
    await world.annotate(world.lifecycle.kind, 'lost', { poke: 'yes' });
    await world.create('fine', { size: 1 });
    await world.settles('fine', 'Running');
    expect(
      world
        .writes()
        .slice(writes)
        .filter(({ name }) => name?.startsWith('lost')),
    ).toEqual([]);
    expect((await world.stored('lost')).status.lifecycle).toMatchObject({ state: 'Repairing', sequence: 3 });
    await world.remove(world.lifecycle.kind, 'lost');
    await world.gone(world.lifecycle.kind, 'lost');
    expect(
      (await world.list(ConfigMap, `?labelSelector=${encodeURIComponent(names.ownerLabel)}`)).map(({ metadata }) => metadata.name),
    ).toEqual(['fine-0']);
  });

  it('B16 moves objects out of a state that is gone by the declared migration', async () => {
    const { world, first } = await broken();
    await first.stop();
    await world.annotate(ConfigMap, 'lost-0', { [brokenAnnotation]: null });
    await world.operator(defineNextGadget(true));
    const stored = await world.settles('lost', 'Running');
    expect(stored.status.lifecycle.history?.slice(-2)).toMatchObject([
      { from: 'Repairing', to: 'Building', event: 'migration', sequence: 4 },
      { from: 'Building', to: 'Running', sequence: 5 },
    ]);
    expect(stored.status.lifecycle.machineVersion).toBe('2.0.0');
  });

  it('refuses an edge whose invariant would be violated, shows it, and takes the edge when it holds', async () => {
    const hooks: GadgetHooks = { isAllowed: () => false, dataOf: (view) => ({ color: view.accepted.color, note: 'ours' }) };
    const world = await open(hooks);
    await world.operator();
    await world.create('held', { size: 1 });
    const stalled = await world.shows('held', 'Stalled', 'InvariantViolated');
    expect(stalled.message).toMatch(/Building -> Running is not taken: invariant runningIsAllowed/);
    expect((await world.stored('held')).status.phase).toBe('Building');
    // The phase that is not left still holds what it says.
    await world.patch(ConfigMap, 'held-0', { data: { note: 'edited' } });
    await eventually(async () => (await world.get(ConfigMap, 'held-0')).data?.['note'] === 'ours', { what: 'the field to be put back' });
    hooks.isAllowed = () => true;
    await world.annotate(ConfigMap, 'held-0', { poke: 'yes' });
    await world.shows('held', 'Ready', 'Running');
  });

  it.each([
    { what: 'fact', hook: 'onJudge', phase: 'Building', place: 'fact partsReady', reason: 'EvaluationFailed' },
    { what: 'guard', hook: 'onGuard', phase: 'Running', place: 'guard mayAccept', reason: 'EvaluationFailed' },
    { what: 'ensure', hook: 'onEnsure', phase: 'Building', place: 'ensure parts', reason: 'EvaluationFailed' },
    { what: 'report', hook: 'onReport', phase: 'Running', place: 'report', reason: 'ReportFailed' },
    { what: 'invariant', hook: 'isAllowed', phase: 'Building', place: 'invariant runningIsAllowed', reason: 'EvaluationFailed' },
  ] as const)(
    'shows a $what that throws and keeps the phase; it goes on when the cause is gone',
    async ({ what, hook, phase, place, reason }) => {
      const hooks: GadgetHooks = {};
      const world = await open(hooks);
      await world.operator();
      const fail = () => {
        throw new Error('the author erred');
      };
      if (what === 'guard') {
        await world.create('thrown', { size: 1 });
        await world.settles('thrown', 'Running');
        hooks[hook] = fail;
        await world.spec('thrown', { color: 'blue' });
      } else {
        hooks[hook] = fail;
        await world.create('thrown', { size: 1 });
      }
      const shown = await world.shows('thrown', 'Reconciling', reason);
      expect(shown.message).toContain('the author erred');
      if (place !== 'report') expect(shown.message).toContain(place);
      await world.reaches('thrown', phase);
      await world.shows('thrown', 'Reconciling', reason);
      delete hooks[hook];
      await world.annotate(world.lifecycle.kind, 'thrown', { poke: 'yes' });
      await world.shows('thrown', 'Ready', 'Running');
    },
  );

  it('does nothing for a spec that its schema refuses, and says so', async () => {
    const world = await open();
    const first = await world.operator();
    await world.create('large', { size: 9 });
    await world.settles('large', 'Running');
    await first.stop();
    await world.spec('large', { size: 10 });
    // The installed CRD allows what this release does not.
    await world.operator(defineNextGadget(false));
    expect((await world.shows('large', 'Stalled', 'SpecInvalid')).message).toMatch(/size/);
    expect(await world.find(ConfigMap, 'large-9')).toBeUndefined();
    await world.spec('large', { size: 4 });
    await world.until('large', 'to go on', ({ status }) => status.conditions?.every(({ reason }) => reason !== 'SpecInvalid'));
    await world.spec('large', { size: 10 });
    await world.shows('large', 'Stalled', 'SpecInvalid');
    await world.remove(world.lifecycle.kind, 'large');
    await world.gone(world.lifecycle.kind, 'large');
  });

  it('ends what had begun when it is stopped, and its Events with it', async () => {
    const world = await open();
    const operator = await world.operator();
    const hold = world.proxy.holdWrite(1, 'beforeSent', { counts: ({ resource }) => resource === 'configmaps' });
    await world.create('last', { size: 1 });
    await hold.reached;
    const stopped = operator.stop();
    hold.release('forward');
    await stopped;
    // The reconcile that was under way went to its end.
    expect((await world.stored('last')).status.phase).toBe('Running');
    expect((await world.events('last')).map(({ reason }) => reason)).toEqual(['Building', 'Running']);
    const requests = world.proxy.counters().requests;
    await world.spec('last', { size: 2 });
    expect(await world.find(ConfigMap, 'last-1')).toBeUndefined();
    expect(world.proxy.counters()).toMatchObject({ requests, openConnections: 0 });
  });

  it('lets no write run on beside a reconcile that failed', async () => {
    const world = await open();
    const operator = await world.operator();
    const isPart = (ordinal: number) => (request: ProxiedRequest) => request.verb === 'patch' && request.name === `both-${ordinal}`;
    const refusal = world.proxy.answer(500, { when: isPart(1), times: 1 });
    const slow = world.proxy.delay(300, { when: isPart(0), times: 1 });
    await world.create('both', { size: 2 });
    await eventually(() => refusal.hits > 0 && slow.hits > 0, { what: 'both writes', everyMs: 5 });
    await operator.stop();
    // What was under way when the other one failed has ended, too.
    expect(await world.find(ConfigMap, 'both-0')).toBeDefined();
  });

  /** A gadget that stands in Repairing. */
  async function broken() {
    const world = await open();
    const first = await world.operator();
    await world.create('lost', { size: 1 });
    await world.settles('lost', 'Running');
    await world.annotate(ConfigMap, 'lost-0', { [brokenAnnotation]: 'yes' });
    await world.reaches('lost', 'Repairing');
    return { world, first };
  }
});
