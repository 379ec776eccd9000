import { expect, it, onTestFinished } from 'vitest';

import { eventually } from './eventually.ts';
import { FaultProxy } from './fault-proxy.ts';
import { PlainClient, type PlainWatch } from './plain-client.ts';
import { type ControlPlaneContext, describeControlPlane } from './suite.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';

interface Observer {
  readonly proxy: FaultProxy;
  readonly client: PlainClient;
  /** Sets a ConfigMap's colour, past the proxy. */
  paint(name: string, colour: string): Promise<void>;
  remove(name: string): Promise<void>;
  colourOf(name: string): Promise<string | undefined>;
}

async function observerOf({ controlPlane }: ControlPlaneContext): Promise<Observer> {
  await controlPlane.grant('operator', [{ apiGroups: [''], resources: ['configmaps'], verbs: ['*'] }]);
  const proxy = await FaultProxy.start(controlPlane);
  onTestFinished(() => proxy.stop());
  const client = new PlainClient({ origin: proxy.origin, caPem: controlPlane.caPem }, controlPlane.tokenOf('operator'));
  onTestFinished(() => client.close());
  return {
    proxy,
    client,
    paint: async (name, colour) => {
      const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { colour } };
      const path = `${configMaps}/${name}?fieldManager=test&force=true`;
      const answer = await controlPlane.call({ method: 'PATCH', path, contentType: 'application/apply-patch+yaml', body });
      expect(answer.status).toBeLessThan(300);
    },
    remove: async (name) => {
      expect(await controlPlane.call({ method: 'DELETE', path: `${configMaps}/${name}` })).toMatchObject({ status: 200 });
    },
    colourOf: async (name) => {
      const { status, text } = await client.call({ path: `${configMaps}/${name}` });
      return status === 200 ? JSON.parse(text).data.colour : undefined;
    },
  };
}

const saw = (watch: PlainWatch, type: string, name: string): boolean =>
  watch.events.some((event) => event.type === type && event.object.metadata.name === name);

describeControlPlane('a frozen view', {}, (context) => {
  it('keeps the lines of an open watch in order until the thaw, while reads are fresh', async () => {
    const { proxy, client, paint, remove, colourOf } = await observerOf(context);
    await paint('stale', 'red');
    const watch = client.watch(`${configMaps}?watch=true&resourceVersion=${await context.controlPlane.currentVersion()}`);
    await eventually(() => proxy.counters().liveWatches[configMaps], { what: 'the watch' });
    const view = await proxy.freezeView();
    await paint('stale', 'green');
    expect(await colourOf('stale')).toBe('green');
    await remove('stale');
    const truth = client.watch(`${configMaps}?watch=true`);
    await eventually(() => view.hits >= 1, { what: 'a held line' });
    expect(watch.text).toBe('');
    expect(truth.text).toBe('');
    view.remove();
    await eventually(() => saw(watch, 'DELETED', 'stale'), { what: 'the last line' });
    const ours = watch.events.filter(({ object }) => object.metadata.name === 'stale').map(({ type }) => type);
    expect(ours).toEqual(['MODIFIED', 'DELETED']);
  });

  it('holds reads until the thaw where asked', async () => {
    const { proxy, client, paint } = await observerOf(context);
    await paint('held', 'red');
    const view = await proxy.freezeView({ reads: 'held' });
    let isAnswered = false;
    const read = client.call({ path: `${configMaps}/held` }).then((answer) => {
      isAnswered = true;
      return answer;
    });
    await eventually(() => view.hits === 1, { what: 'the read to be held' });
    expect(isAnswered).toBe(false);
    view.remove();
    expect(await read).toMatchObject({ status: 200 });
  });

  it('shows what was there when it froze, to gets, lists and new watches alike', async () => {
    const { proxy, client, paint, remove, colourOf } = await observerOf(context);
    await paint('changed', 'red');
    await paint('removed', 'red');
    const view = await proxy.freezeView({ reads: 'old', when: ({ isWrite }) => !isWrite });
    await paint('changed', 'green');
    await remove('removed');
    await paint('added', 'green');

    expect(await colourOf('changed')).toBe('red');
    expect(await colourOf('removed')).toBe('red');
    expect(await client.call({ path: `${configMaps}/added` })).toMatchObject({ status: 404 });
    const listed = JSON.parse((await client.call({ path: configMaps })).text);
    const names: string[] = listed.items.map((item: { metadata: { name: string } }) => item.metadata.name);
    expect(names).toEqual(expect.arrayContaining(['changed', 'removed']));
    expect(names).not.toContain('added');

    const listing = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
    const watch = client.watch(`${configMaps}?watch=true&${listing}`);
    const bookmark = await eventually(() => watch.events.find(({ type }) => type === 'BOOKMARK'), {
      what: 'the end of the initial events',
    });
    expect(bookmark).toMatchObject({
      object: {
        kind: 'ConfigMap',
        metadata: { resourceVersion: listed.metadata.resourceVersion, annotations: { 'k8s.io/initial-events-end': 'true' } },
      },
    });
    expect(watch.events.find(({ object }) => object.metadata.name === 'changed')).toMatchObject({
      type: 'ADDED',
      object: { kind: 'ConfigMap', apiVersion: 'v1', data: { colour: 'red' } },
    });
    expect(saw(watch, 'ADDED', 'added')).toBe(false);

    view.remove();
    await eventually(() => saw(watch, 'ADDED', 'added'), { what: 'the lines after the thaw' });
    expect(saw(watch, 'MODIFIED', 'changed')).toBe(true);
    expect(saw(watch, 'DELETED', 'removed')).toBe(true);
    expect(await colourOf('changed')).toBe('green');
  });

  it('serves a list in pages from the old point', async () => {
    const { proxy, client, paint } = await observerOf(context);
    for (const name of ['page-a', 'page-b', 'page-c']) await paint(name, 'red');
    await proxy.freezeView({ reads: 'old' });
    await paint('page-d', 'red');
    const names: string[] = [];
    let continuation = '';
    do {
      const page = JSON.parse((await client.call({ path: `${configMaps}?limit=2${continuation}` })).text);
      names.push(...page.items.map((item: { metadata: { name: string } }) => item.metadata.name));
      continuation = page.metadata.continue ? `&continue=${encodeURIComponent(page.metadata.continue)}` : '';
    } while (continuation !== '');
    expect(names.filter((name) => name.startsWith('page-'))).toEqual(['page-a', 'page-b', 'page-c']);
  });
});
