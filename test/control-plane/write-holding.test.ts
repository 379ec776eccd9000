import { spawn } from 'node:child_process';
import { expect, it, onTestFinished } from 'vitest';

import { eventually } from './eventually.ts';
import { FaultProxy } from './fault-proxy.ts';
import { PlainClient } from './plain-client.ts';
import { type ControlPlaneContext, describeControlPlane } from './suite.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const events = '/api/v1/namespaces/default/events';

interface Writers {
  readonly proxy: FaultProxy;
  readonly client: PlainClient;
  write(name: string): ReturnType<PlainClient['call']>;
  /** Names of the ConfigMaps with this prefix that the API server has. */
  stored(prefix: string): Promise<readonly string[]>;
}

async function writersOf({ controlPlane }: ControlPlaneContext): Promise<Writers> {
  await controlPlane.grant('operator', [{ apiGroups: [''], resources: ['configmaps', 'events'], verbs: ['*'] }]);
  const proxy = await FaultProxy.start(controlPlane);
  onTestFinished(() => proxy.stop());
  const client = new PlainClient({ origin: proxy.origin, caPem: controlPlane.caPem }, controlPlane.tokenOf('operator'));
  onTestFinished(() => client.close());
  return {
    proxy,
    client,
    write: (name) => client.call({ method: 'POST', path: configMaps, body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } } }),
    stored: async (prefix) => {
      const names = await controlPlane.mustKubectl(['get', 'configmaps', '-o', 'jsonpath={.items[*].metadata.name}']);
      return names.split(' ').filter((name) => name.startsWith(prefix));
    },
  };
}

/** What became of a promise, seen without waiting for it. */
function fateOf(promise: Promise<unknown>): { value: string } {
  const fate = { value: 'pending' };
  void promise.then(
    () => {
      fate.value = 'answered';
    },
    () => {
      fate.value = 'broken off';
    },
  );
  return fate;
}

describeControlPlane('holding the n-th write', {}, (context) => {
  it('before it is sent: the API server never has it, nor those behind it', async () => {
    const { proxy, write, stored } = await writersOf(context);
    const hold = proxy.holdWrite(2, 'beforeSent');
    expect(await write('unsent-1')).toMatchObject({ status: 201 });
    expect(hold.isReached).toBe(false);
    const second = fateOf(write('unsent-2'));
    expect(await hold.reached).toMatchObject({ verb: 'create', writeNumber: 2, body: { metadata: { name: 'unsent-2' } } });
    const third = fateOf(write('unsent-3'));
    await eventually(() => proxy.requests().length === 3, { what: 'the third write' });
    expect([second.value, third.value]).toEqual(['pending', 'pending']);
    hold.release();
    await eventually(() => second.value === 'broken off' && third.value === 'broken off', { what: 'the writes to be cut' });
    expect(await stored('unsent')).toEqual(['unsent-1']);
    expect(await write('unsent-4')).toMatchObject({ status: 201 });
  });

  it('applied and the answer lost: the API server has it, its caller knows nothing', async () => {
    const { proxy, write, stored } = await writersOf(context);
    const hold = proxy.holdWrite(1, 'appliedResponseLost');
    const first = fateOf(write('lost-1'));
    await hold.reached;
    expect(await stored('lost')).toEqual(['lost-1']);
    expect(first.value).toBe('pending');
    const second = fateOf(write('lost-2'));
    await eventually(() => proxy.requests().length === 2, { what: 'the second write' });
    hold.release();
    await eventually(() => first.value === 'broken off' && second.value === 'broken off', { what: 'the writes to be cut' });
    expect(await stored('lost')).toEqual(['lost-1']);
  });

  it('after the answer: its caller has it, what it writes next is held', async () => {
    const { proxy, write, stored } = await writersOf(context);
    const hold = proxy.holdWrite(1, 'afterResponse');
    const first = fateOf(write('answered-1'));
    await hold.reached;
    expect(first.value).toBe('answered');
    const second = fateOf(write('answered-2'));
    await eventually(() => proxy.requests().length === 2, { what: 'the second write' });
    expect(second.value).toBe('pending');
    hold.release();
    await eventually(() => second.value === 'broken off', { what: 'the second write to be cut' });
    expect(await stored('answered')).toEqual(['answered-1']);
  });

  it('can send a held write late, after its caller has gone', async () => {
    const { proxy, client, write, stored } = await writersOf(context);
    const hold = proxy.holdWrite(1, 'beforeSent');
    const first = fateOf(write('late-1'));
    await hold.reached;
    client.close();
    await eventually(() => first.value === 'broken off', { what: 'the caller to be gone' });
    expect(await stored('late')).toEqual([]);
    hold.release('forward');
    await eventually(async () => (await stored('late')).length === 1, { what: 'the late write to arrive' });
  });

  it('does not count Events, dry runs, reads, nor the writes of others', async () => {
    const { proxy, client, write } = await writersOf(context);
    const hold = proxy.holdWrite(1, 'beforeSent');
    const event = {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'e' },
      involvedObject: { kind: 'Pod', namespace: 'default', name: 'p' },
    };
    expect(await client.call({ method: 'POST', path: events, body: event })).toMatchObject({ status: 201 });
    const dry = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'dry' } };
    expect(await client.call({ method: 'POST', path: `${configMaps}?dryRun=All`, body: dry })).toMatchObject({ status: 201 });
    expect(await client.call({ path: configMaps })).toMatchObject({ status: 200 });
    await context.controlPlane.mustKubectl(['create', 'configmap', 'of-another'], { kubeconfig: proxy.kubeconfig('admin') });
    expect(hold.isReached).toBe(false);
    const counted = fateOf(write('counted'));
    expect(await hold.reached).toMatchObject({ writeNumber: 1 });
    hold.release();
    await eventually(() => counted.value === 'broken off', { what: 'the write to be cut' });
  });

  it.each(['beforeSent', 'appliedResponseLost', 'afterResponse'] as const)(
    'stops a process that is killed in the moment: %s',
    async (moment) => {
      const { proxy, stored } = await writersOf(context);
      const prefix = `killed-${moment.toLowerCase()}`;
      const hold = proxy.holdWrite(2, moment);
      const writer = spawn(process.execPath, ['--input-type=module', '--eval', writerScript(proxy, context, prefix)], { stdio: 'inherit' });
      await hold.reached;
      const ended = new Promise((resolve) => writer.once('exit', (_, signal) => resolve(signal)));
      writer.kill('SIGKILL');
      expect(await ended).toBe('SIGKILL');
      hold.release();
      await eventually(() => proxy.counters().openConnections === 1 || proxy.counters().openConnections === 0, {
        what: 'its connection to end',
      });
      expect(await stored(prefix)).toEqual(moment === 'beforeSent' ? [`${prefix}-1`] : [`${prefix}-1`, `${prefix}-2`]);
    },
  );
});

/** A program that makes ConfigMaps one after the other without end, as an operator's process would write. */
function writerScript(proxy: FaultProxy, { controlPlane }: ControlPlaneContext, prefix: string): string {
  const module = new URL('plain-client.ts', import.meta.url).href;
  const server = JSON.stringify({ origin: proxy.origin, caPem: controlPlane.caPem });
  return `
    const { PlainClient } = await import(${JSON.stringify(module)});
    const client = new PlainClient(${server}, ${JSON.stringify(controlPlane.tokenOf('operator'))});
    for (let n = 1; ; n++) {
      const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: '${prefix}-' + n } };
      await client.call({ method: 'POST', path: '${configMaps}', body });
    }
  `;
}
