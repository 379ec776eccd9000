import { Duration } from 'luxon';
import { expect, it } from 'vitest';
import { eventually } from '../control-plane/eventually.ts';
import { describeControlPlane } from '../control-plane/suite.ts';
import { defineOracle, type Outside } from './lifecycles/oracle.ts';
import { wayOf, World } from './world.ts';

describeControlPlane('facts about the outside', {}, (context) => {
  const open = (outside: Outside, maxAge?: Duration) => World.open(context.controlPlane, defineOracle(outside, maxAge));

  it('skips a fact whose answer is not there, and goes on when the answer comes, without another event', async () => {
    const answer = Promise.withResolvers<unknown>();
    const asked: string[] = [];
    const world = await open({
      ask: ({ item }) => {
        asked.push(item);
        return answer.promise;
      },
    });
    await world.operator();
    await world.create('waits', { item: 'bread' });
    await world.until('waits', 'to be looked at', ({ status }) => status.observedGeneration === 1);
    expect((await world.stored('waits')).status.phase).toBe('Watching');
    answer.resolve({ price: 3 });
    await world.reaches('waits', 'Bought');
    // Bought was entered after the question: its own facts have it asked anew.
    await eventually(() => asked.length > 1, { what: 'another question' });
    expect(new Set(asked)).toEqual(new Set(['bread']));
  });

  it('takes other facts while one is unknown, and asks again for another input', async () => {
    const world = await open({ ask: ({ item }) => (item === 'gold' ? new Promise(() => {}) : Promise.resolve({ price: 1 })) });
    await world.operator();
    await world.create('other', { item: 'gold' });
    await world.until('other', 'to be looked at', ({ status }) => status.observedGeneration === 1);
    await world.spec('other', { item: 'nothing' });
    await world.reaches('other', 'Idle');
    await world.create('bread', { item: 'gold' });
    await world.until('bread', 'to be looked at', ({ status }) => status.observedGeneration === 1);
    await world.spec('bread', { item: 'bread' });
    await world.reaches('bread', 'Bought');
  });

  it.each([
    { what: 'fails', ask: () => Promise.reject(new Error('no line')) },
    { what: 'does not fit its schema', ask: () => Promise.resolve({ price: 'many' }) },
    { what: 'does not come in time', ask: () => new Promise(() => {}) },
  ])('stays when the answer $what, says so in the log, and asks again later', async ({ ask }) => {
    let count = 0;
    const outside: Outside = { ask: () => (++count <= 2 ? ask() : Promise.resolve({ price: 1 })) };
    const world = await open(outside, Duration.fromObject({ milliseconds: 1_500 }));
    const operator = await world.operator();
    await world.create('fails', { item: 'bread' });
    await eventually(() => operator.said('probe failed').length > 0, { what: 'the failure in the log' });
    expect((await world.stored('fails')).status?.phase).toBe('Watching');
    // Nobody touches the object: the age of the answer wakes it.
    await world.reaches('fails', 'Bought');
  });

  it('asks again when an answer gets old, and follows what it hears', async () => {
    let price = 1;
    const world = await open({ ask: () => Promise.resolve({ price }) }, Duration.fromObject({ milliseconds: 300 }));
    await world.operator();
    await world.create('old', { item: 'bread' });
    await world.reaches('old', 'Bought');
    price = 20;
    expect(wayOf(await world.reaches('old', 'Watching'))).toBe('Watching > Bought > Watching');
  });
});
