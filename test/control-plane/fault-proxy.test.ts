import { request as httpsRequest } from 'node:https';
import { describe, expect, it, onTestFinished } from 'vitest';

import { eventually } from './eventually.ts';
import { FaultProxy } from './fault-proxy.ts';
import { PlainClient } from './plain-client.ts';
import { describeControlPlane, type ControlPlaneContext } from './suite.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const watchFromNow = `${configMaps}?watch=true`;

interface Bench {
  readonly proxy: FaultProxy;
  readonly client: PlainClient;
  /** Another client of the same user. */
  another(): PlainClient;
  /** Makes or changes a ConfigMap past the proxy. */
  touch(name: string): Promise<void>;
  write(name: string, client?: PlainClient): ReturnType<PlainClient['call']>;
  exists(name: string): Promise<boolean>;
}

let touches = 0;

async function benchOf({ controlPlane }: ControlPlaneContext): Promise<Bench> {
  await controlPlane.grant('operator', [{ apiGroups: [''], resources: ['configmaps', 'events'], verbs: ['*'] }]);
  const proxy = await FaultProxy.start(controlPlane);
  onTestFinished(() => proxy.stop());
  const another = (): PlainClient => {
    const made = new PlainClient({ origin: proxy.origin, caPem: controlPlane.caPem }, controlPlane.tokenOf('operator'));
    onTestFinished(() => made.close());
    return made;
  };
  const client = another();
  const configMap = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { touch: String(++touches) } });
  return {
    proxy,
    client,
    another,
    touch: async (name) => {
      const path = `${configMaps}/${name}?fieldManager=test&force=true`;
      const answer = await controlPlane.call({ method: 'PATCH', path, contentType: 'application/apply-patch+yaml', body: configMap(name) });
      expect(answer.status).toBeLessThan(300);
    },
    write: (name, by = client) => by.call({ method: 'POST', path: configMaps, body: configMap(name) }),
    exists: async (name) => (await controlPlane.call({ path: `${configMaps}/${name}` })).status === 200,
  };
}

describeControlPlane('a fault proxy', {}, (context) => {
  describe('without a fault', () => {
    it('passes requests, watches and the caller on, over HTTP/2', async () => {
      const { client, write, proxy, touch } = await benchOf(context);
      expect(await write('passed')).toMatchObject({ status: 201 });
      const watch = client.watch(watchFromNow);
      await eventually(() => watch.events.some(({ object }) => object.metadata.name === 'passed'), { what: 'the first lines' });
      await touch('passed-later');
      await eventually(() => watch.events.some(({ object }) => object.metadata.name === 'passed-later'), { what: 'a later line' });
      const entry = await eventually(() => context.controlPlane.audit({ user: 'operator', name: 'passed' })[0], { what: 'the audit line' });
      expect(entry).toMatchObject({ verb: 'create', code: 201 });
      expect(
        proxy.requests().map(({ verb, resource, user, isWrite, writeNumber }) => ({ verb, resource, user, isWrite, writeNumber })),
      ).toEqual([
        { verb: 'create', resource: 'configmaps', user: 'operator', isWrite: true, writeNumber: 1 },
        { verb: 'watch', resource: 'configmaps', user: 'operator', isWrite: false, writeNumber: undefined },
      ]);
    });

    it('serves kubectl, lists, writes, watches and refusals alike', async () => {
      const { proxy, touch } = await benchOf(context);
      const kubeconfig = proxy.kubeconfig('operator');
      const { controlPlane } = context;
      await controlPlane.mustKubectl(['create', 'configmap', 'by-kubectl', '--from-literal=a=b'], { kubeconfig });
      expect(await controlPlane.mustKubectl(['get', 'configmap', 'by-kubectl', '-o', 'jsonpath={.data.a}'], { kubeconfig })).toBe('b');
      await touch('waited-for');
      await controlPlane.mustKubectl(['wait', 'configmap/waited-for', '--for=jsonpath={.data.touch}', '--timeout=20s'], { kubeconfig });
      const refused = await controlPlane.kubectl(['get', 'secrets'], { kubeconfig });
      expect(refused.stderr).toContain('User "operator" cannot list resource "secrets"');
    });

    it('passes HTTP/1.1 on as well', async () => {
      const { proxy } = await benchOf(context);
      expect(await overHttp1(proxy)).toBe(200);
    });

    it('counts connections, live watches and requests', async () => {
      const { proxy, client, another } = await benchOf(context);
      const watch = client.watch(watchFromNow);
      const second = another();
      await second.call({ path: configMaps });
      const counted = await eventually(() => proxy.counters().liveWatches[configMaps] && proxy.counters(), { what: 'the watch' });
      expect(counted).toMatchObject({ requests: 2, writes: 0, openConnections: 2, connections: 2, liveWatches: { [configMaps]: 1 } });
      watch.close();
      second.close();
      await eventually(() => proxy.counters().openConnections === 1, { what: 'the second connection to be seen closed' });
      await eventually(() => proxy.counters().liveWatches[configMaps] === undefined, { what: 'the watch to be seen closed' });
      expect(proxy.counters()).toMatchObject({ peakOpenConnections: 2, peakLiveWatches: { [configMaps]: 1 } });
      expect(proxy.peakRequestsPerSecond()).toBeLessThanOrEqual(2);
    });

    it('resets its clients when the API server dies, and serves them again when it is back', async () => {
      const { client, another, proxy } = await benchOf(context);
      const watch = client.watch(watchFromNow);
      await eventually(() => proxy.counters().liveWatches[configMaps], { what: 'the watch' });
      await context.controlPlane.kill9('kube-apiserver');
      await client.over;
      expect(await watch.over).not.toBe('clean');
      await expect(another().call({ path: configMaps })).rejects.toThrow();
      await context.controlPlane.startComponent('kube-apiserver');
      expect(await another().call({ path: configMaps })).toMatchObject({ status: 200 });
    });
  });

  describe('answering itself', () => {
    it.each([
      [401, 'Unauthorized'],
      [403, 'Forbidden'],
      [404, 'NotFound'],
      [409, 'Conflict'],
      [410, 'Expired'],
      [429, 'TooManyRequests'],
      [500, 'InternalError'],
      [503, 'ServiceUnavailable'],
    ] as const)('refuses with %i as the API server would, and forwards nothing', async (status, reason) => {
      const { proxy, write, exists } = await benchOf(context);
      const fault = proxy.answer(status, { times: 1 });
      const answer = await write(`refused-${status}`);
      expect(answer.status).toBe(status);
      expect(answer.headers['content-type']).toBe('application/json');
      expect(answer.headers['retry-after']).toBe(status === 429 ? '1' : undefined);
      expect(JSON.parse(answer.text)).toMatchObject({ kind: 'Status', apiVersion: 'v1', status: 'Failure', reason, code: status });
      expect(await exists(`refused-${status}`)).toBe(false);
      expect(fault.hits).toBe(1);
      expect(await write(`refused-${status}`)).toMatchObject({ status: 201 });
    });

    it('is understood by kubectl', async () => {
      const { proxy } = await benchOf(context);
      proxy.answer(409, { when: ({ isWrite }) => isWrite });
      const result = await context.controlPlane.kubectl(['create', 'configmap', 'in-conflict'], {
        kubeconfig: proxy.kubeconfig('operator'),
      });
      expect(result.stderr).toContain('Operation cannot be fulfilled on configmaps');
    });

    it('strikes only the requests it is for', async () => {
      const { proxy, client, write } = await benchOf(context);
      proxy.answer(500, { when: ({ body }) => JSON.stringify(body)?.includes('"picked"') ?? false });
      expect(await write('picked')).toMatchObject({ status: 500 });
      expect(await write('not-picked')).toMatchObject({ status: 201 });
      expect(await client.call({ path: configMaps })).toMatchObject({ status: 200 });
    });
  });

  describe('breaking off', () => {
    it('delays a request and does not lose it', async () => {
      const { proxy, client } = await benchOf(context);
      const fault = proxy.delay(300);
      const startedMs = performance.now();
      expect(await client.call({ path: configMaps })).toMatchObject({ status: 200 });
      expect(performance.now() - startedMs).toBeGreaterThanOrEqual(299);
      expect(fault.hits).toBe(1);
    });

    it('cuts one request before it is forwarded, the others on the connection go on', async () => {
      const { proxy, client, write, exists } = await benchOf(context);
      proxy.cut({ when: ({ isWrite }) => isWrite });
      await expect(write('cut')).rejects.toThrow();
      expect(await exists('cut')).toBe(false);
      expect(await client.call({ path: configMaps })).toMatchObject({ status: 200 });
    });

    it('cuts the whole connection', async () => {
      const { proxy, client, write } = await benchOf(context);
      const watch = client.watch(watchFromNow);
      await eventually(() => proxy.counters().liveWatches[configMaps], { what: 'the watch' });
      proxy.cut({ scope: 'connection', when: ({ isWrite }) => isWrite });
      await expect(write('cut-off')).rejects.toThrow();
      expect(await client.over).toBe('ECONNRESET');
      expect(await watch.over).not.toBe('clean');
    });

    it('cuts the watches that are open', async () => {
      const { proxy, client } = await benchOf(context);
      const watch = client.watch(watchFromNow);
      await eventually(() => proxy.counters().liveWatches[configMaps], { what: 'the watch' });
      const fault = proxy.cut({ when: ({ isWatch }) => isWatch });
      expect(await watch.over).toBe('ERR_HTTP2_STREAM_ERROR');
      expect(fault.hits).toBe(1);
      fault.remove();
      expect(await client.call({ path: configMaps })).toMatchObject({ status: 200 });
    });

    it('cuts a watch in the middle of a line', async () => {
      const { proxy, client, touch } = await benchOf(context);
      const watch = client.watch(watchFromNow);
      await eventually(() => proxy.counters().liveWatches[configMaps], { what: 'the watch' });
      const fault = proxy.midLineCut({ times: 1 });
      await touch('half-a-line');
      expect(await watch.over).toBe('ERR_HTTP2_STREAM_ERROR');
      expect(watch.text).not.toBe('');
      expect(watch.text.endsWith('\n')).toBe(false);
      expect(fault.isActive).toBe(false);
    });

    it('forwards a write and loses the answer', async () => {
      const { proxy, write, exists } = await benchOf(context);
      proxy.lostResponse({ times: 1 });
      await expect(write('answer-lost')).rejects.toThrow();
      expect(await exists('answer-lost')).toBe(true);
      expect(await write('answer-lost')).toMatchObject({ status: 409 });
    });

    it('cuts the network until it is restored, and counts who tries', async () => {
      const { proxy, client, another } = await benchOf(context);
      await client.call({ path: configMaps });
      proxy.cutNetwork({ refuse: true });
      await client.over;
      await expect(another().call({ path: configMaps })).rejects.toThrow();
      expect(proxy.counters()).toMatchObject({ openConnections: 0, connections: 2 });
      expect(proxy.peakConnectionsPerSecond()).toBeGreaterThanOrEqual(1);
      proxy.restoreNetwork();
      expect(await another().call({ path: configMaps })).toMatchObject({ status: 200 });
    });
  });

  describe('falling silent', () => {
    it('takes a request and never answers, while the connection lives', async () => {
      const { proxy, client, write, exists } = await benchOf(context);
      const fault = proxy.halfOpen({ when: ({ isWrite }) => isWrite });
      const answers: string[] = [];
      void write('unanswered').then(
        () => answers.push('answered'),
        () => answers.push('broken off'),
      );
      await eventually(() => fault.hits === 1, { what: 'the request' });
      expect(await client.ping()).toBe(true);
      expect(await client.call({ path: configMaps })).toMatchObject({ status: 200 });
      expect(await exists('unanswered')).toBe(false);
      expect(answers).toEqual([]);
    });

    it('silences a watch that is open, for good', async () => {
      const { proxy, client, touch } = await benchOf(context);
      const watch = client.watch(watchFromNow);
      await eventually(() => proxy.counters().liveWatches[configMaps], { what: 'the watch' });
      await touch('seen');
      await eventually(() => watch.events.some(({ object }) => object.metadata.name === 'seen'), { what: 'the line' });
      proxy.halfOpen({ when: ({ isWatch }) => isWatch }).remove();
      await touch('never-seen');
      const second = client.watch(watchFromNow);
      await eventually(() => second.events.some(({ object }) => object.metadata.name === 'never-seen'), { what: 'the other watch' });
      expect(watch.events.some(({ object }) => object.metadata.name === 'never-seen')).toBe(false);
    });

    it('plays dead below HTTP: pings go unanswered, new connections work', async () => {
      const { proxy, client, another } = await benchOf(context);
      await client.call({ path: configMaps });
      proxy.goSilent();
      const pinged = client.ping();
      expect(await another().call({ path: configMaps })).toMatchObject({ status: 200 });
      client.close();
      expect(await pinged).toBe(false);
      await eventually(() => proxy.counters().openConnections === 1, { what: 'the dead connection to be seen closed' });
    });
  });

  describe('ending watches with an error event', () => {
    it('sends 410 in the stream to open watches and to new ones', async () => {
      const { proxy, client } = await benchOf(context);
      const open = client.watch(watchFromNow);
      await eventually(() => proxy.counters().liveWatches[configMaps], { what: 'the watch' });
      const fault = proxy.errorEvent({ when: ({ isWatch }) => isWatch });
      expect(await open.over).toBe('clean');
      expect(open.events.at(-1)).toMatchObject({ type: 'ERROR', object: { kind: 'Status', reason: 'Expired', code: 410 } });
      const fresh = client.watch(watchFromNow);
      expect(await fresh.over).toBe('clean');
      expect(fresh.events).toMatchObject([{ type: 'ERROR', object: { code: 410 } }]);
      expect(fault.hits).toBe(2);
    });
  });
});

function overHttp1(proxy: FaultProxy): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const request = httpsRequest(new URL('/version', proxy.origin), { rejectUnauthorized: false, agent: false }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode));
    });
    request.on('error', reject);
    request.end();
  });
}
