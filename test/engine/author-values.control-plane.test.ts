import { expect, it } from 'vitest';
import { names } from '../../src/definition/reserved-names.ts';
import { eventually } from '../control-plane/eventually.ts';
import { describeControlPlane } from '../control-plane/suite.ts';
import { defineNotebook, type NotebookHooks, type NotebookStatus } from './lifecycles/notebook.ts';
import { World } from './world.ts';

describeControlPlane('what authors and users may write', { audit: false }, (context) => {
  const open = (hooks: NotebookHooks = {}) => World.open(context.controlPlane, defineNotebook(hooks));

  it('accepts a spec that holds null, remembers a null, and is quiet then', async () => {
    const world = await open();
    const operator = await world.operator();
    await world.create('nulls', { pages: 2, note: null });
    const { status } = await world.settles('nulls', 'Open');
    expect(status.lifecycle).toMatchObject({ sequence: 1, accepted: { spec: { pages: 2, note: null } }, memory: { mark: null } });
    await world.spec('nulls', { pages: 3 });
    const after = await world.until('nulls', 'the next edge', (stored) => stored.status.lifecycle.sequence === 2);
    expect(after.status.lifecycle.accepted?.spec).toEqual({ pages: 3, note: null });
    await operator.stop();
    expect(world.writes()).toHaveLength(2);
    expect(operator.said('reconcile failed')).toEqual([]);
  });

  it.each<{ readonly what: string; readonly status: NotebookStatus }>([
    { what: 'a null', status: { last: null } },
    { what: 'a field of a list item that is undefined', status: { lines: [{ name: 'a', text: undefined }] } },
    { what: 'minus zero in a list', status: { rest: [-0] } },
  ])('writes a report once that holds $what', async ({ status }) => {
    let reports = 0;
    const world = await open({ report: () => ({ status: (reports++, status) }) });
    const operator = await world.operator();
    await world.create('once', {});
    await world.settles('once', 'Open');
    const writes = world.writes().length;
    for (const round of ['one', 'two', 'three']) {
      const before = reports;
      await world.annotate(world.lifecycle.kind, 'once', { round });
      await eventually(() => reports > before, { what: `reconcile ${round}`, everyMs: 5 });
    }
    await operator.stop();
    expect(world.writes()).toHaveLength(writes);
  });

  it.each([
    {
      what: 'one of its own conditions',
      condition: { type: 'Ready', status: 'True', reason: 'Mine', message: '' },
      why: 'the engine keeps',
    },
    {
      what: 'a reason that is no word',
      condition: { type: 'Good', status: 'True', reason: 'not one', message: '' },
      why: 'one CamelCase word',
    },
  ] as const)('goes on where a report gives $what, and says why it is not shown', async ({ condition, why }) => {
    const world = await open({ report: () => ({ status: {}, conditions: [condition] }) });
    const operator = await world.operator();
    await world.create('judged', {});
    await world.reaches('judged', 'Open');
    expect((await world.shows('judged', 'Reconciling', 'ReportFailed')).message).toContain(why);
    await operator.stop();
    expect(operator.said('reconcile failed')).toEqual([]);
  });

  it('stores a condition whose message is longer than the API takes, and an error that is', async () => {
    const long = 'x'.repeat(100_000);
    const hooks: NotebookHooks = {
      report: () => ({ status: {}, conditions: [{ type: 'Long', status: 'True', reason: 'Long', message: long }] }),
    };
    const world = await open(hooks);
    await world.operator();
    await world.create('long', {});
    await world.settles('long', 'Open');
    hooks.ensure = () => {
      throw new Error(long);
    };
    await world.annotate(world.lifecycle.kind, 'long', { now: 'it throws' });
    expect((await world.shows('long', 'Reconciling', 'EvaluationFailed')).message).toMatch(/^Notebook .*long: ensure parts: x+\.\.\.$/);
  });

  it('shows a failure that could not be shown at once', async () => {
    const hooks: NotebookHooks = {};
    const world = await open(hooks);
    await world.operator();
    await world.create('late', {});
    await world.settles('late', 'Open');
    world.proxy.answer(409, { times: 1, when: world.isStatusWrite });
    hooks.ensure = () => {
      throw new Error('no parts');
    };
    await world.annotate(world.lifecycle.kind, 'late', { now: 'it throws' });
    await world.shows('late', 'Reconciling', 'EvaluationFailed');
    await eventually(async () => (await world.events('late')).some(({ reason }) => reason === 'EvaluationFailed'), { what: 'the event' });
    expect((await world.events('late')).filter(({ reason }) => reason === 'EvaluationFailed')).toHaveLength(1);
  });

  it('does not take an answer of 404 for the end of an object that is there', async () => {
    const world = await open();
    world.proxy.answer(404, { times: 1, when: world.isStatusWrite });
    await world.operator();
    await world.create('there', {});
    await world.settles('there', 'Open');
  });

  it('refuses a command that is cut within a surrogate pair once', async () => {
    let reports = 0;
    const world = await open({ report: () => ({ status: {}, ...(reports++, {}) }) });
    const operator = await world.operator();
    await world.create('emoji', {});
    await world.settles('emoji', 'Open');
    await world.annotate(world.lifecycle.kind, 'emoji', { [names.commandAnnotation]: `${'q'.repeat(124)}😀😀😀😀` });
    await world.until('emoji', 'the refusal', ({ status }) => status.lifecycle.lastCommand?.result.startsWith('refused') ?? false);
    const before = reports;
    await world.annotate(world.lifecycle.kind, 'emoji', { again: 'yes' });
    await eventually(() => reports > before, { what: 'another reconcile' });
    await operator.stop();
    expect(operator.said('command refused')).toHaveLength(1);
  });
});
