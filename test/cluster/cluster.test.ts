import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../src/clock/manual-clock.ts';
import { ServerTime } from '../../src/clock/server-time.ts';
import { Cluster } from '../../src/cluster/cluster.ts';
import type { ApiRequest, ApiResponse, Transport } from '../../src/cluster/transport.ts';
import { defineKindOf } from '../../src/resource/kind.ts';
import type { KubernetesObject } from '../../src/resource/kubernetes-object.ts';
import { configMap, status } from './fake-api.ts';

const node = defineKindOf<KubernetesObject>({ apiVersion: 'v1', kind: 'Node', scope: 'Cluster' });
const pool = defineKindOf<KubernetesObject>({ apiVersion: 'ack.alibabacloud.com/v1', kind: 'NodePool', scope: 'Cluster' });

function object(metadata: Readonly<Record<string, unknown>> = {}): KubernetesObject {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'a', namespace: 'default', uid: 'u1', resourceVersion: '5', ...metadata },
  };
}

/** Answers in order, the last one for ever. */
class ScriptedTransport implements Transport {
  readonly requests: ApiRequest[] = [];
  readonly #answers: readonly Partial<ApiResponse>[];

  constructor(answers: readonly Partial<ApiResponse>[]) {
    this.#answers = answers;
  }

  request(request: ApiRequest): Promise<ApiResponse> {
    const answer = this.#answers[Math.min(this.requests.length, this.#answers.length - 1)];
    this.requests.push(request);
    return Promise.resolve({ status: 200, headers: {}, body: '', ...answer });
  }

  watch(): Promise<ApiResponse> {
    return Promise.resolve({ status: 200, headers: {}, body: '' });
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

const json = (body: unknown, code = 200): Partial<ApiResponse> => ({ status: code, body: JSON.stringify(body) });

function clusterWith(...answers: readonly Partial<ApiResponse>[]) {
  const clock = new ManualClock();
  const transport = new ScriptedTransport(answers);
  const time = new ServerTime(clock);
  return { cluster: new Cluster({ transport, clock, time, random: () => 0 }), transport, time, clock };
}

describe('the cluster', () => {
  it('reads an object live', async () => {
    const { cluster, transport } = clusterWith(json(object()));
    expect(await cluster.get(configMap, 'default/a')).toEqual(object());
    expect(transport.requests).toMatchObject([{ method: 'GET', path: '/api/v1/namespaces/default/configmaps/a' }]);
  });

  it('reads nothing where there is nothing', async () => {
    const { cluster } = clusterWith(json(status(404, 'NotFound', { details: { name: 'a', kind: 'configmaps' } }), 404));
    expect(await cluster.get(configMap, 'default/a')).toBeUndefined();
  });

  it('does not take a kind that is not served for an object that is not there', async () => {
    const { cluster } = clusterWith({ status: 404, body: '404 page not found\n' });
    await expect(cluster.get(pool, 'a')).rejects.toMatchObject({
      name: 'ApiError',
      code: 'API_Http404',
      disposition: 'terminal',
      message: 'GET /apis/ack.alibabacloud.com/v1/nodepools/a: 404 page not found',
      hint: expect.stringContaining('CRD'),
    });
  });

  it('lists in pages of 500 and names the kind of each item', async () => {
    const items = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => ({ metadata: { name: `n${from + i}` } }));
    const { cluster, transport } = clusterWith(
      json({ metadata: { resourceVersion: '9', continue: 'next' }, items: items(0, 500) }),
      json({ metadata: { resourceVersion: '9', continue: '' }, items: items(500, 700) }),
    );
    const list = await cluster.list(node, { labelSelector: 'a=b', fieldSelector: 'metadata.name!=x' });
    expect(list.items).toHaveLength(700);
    expect(list.resourceVersion).toBe('9');
    expect(list.items[699]).toMatchObject({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'n699' } });
    expect(transport.requests.map((request) => request.path)).toEqual([
      '/api/v1/nodes?labelSelector=a%3Db&fieldSelector=metadata.name!%3Dx&limit=500',
      '/api/v1/nodes?labelSelector=a%3Db&fieldSelector=metadata.name!%3Dx&limit=500&continue=next',
    ]);
  });

  it('lists no more than asked for', async () => {
    const { cluster, transport } = clusterWith(json({ metadata: { resourceVersion: '9', continue: 'more' }, items: [object()] }));
    expect((await cluster.list(configMap, { limit: 1, namespace: 'default' })).items).toHaveLength(1);
    expect(transport.requests.map((request) => request.path)).toEqual(['/api/v1/namespaces/default/configmaps?limit=1']);
  });

  it('asks for everything at once when continue tokens expire again and again', async () => {
    const page = json({ metadata: { resourceVersion: '9', continue: 'next' }, items: [object()] });
    const expired = json(status(410, 'Expired'), 410);
    const whole = json({ metadata: { resourceVersion: '10' }, items: [object(), object({ name: 'b' })] });
    const { cluster, transport } = clusterWith(page, expired, page, expired, page, expired, whole);
    expect(await cluster.list(configMap)).toMatchObject({ resourceVersion: '10', items: [{}, {}] });
    expect(transport.requests.at(-1)?.path).toBe('/api/v1/configmaps');
  });

  it('takes an empty list that is null', async () => {
    const { cluster } = clusterWith(json({ metadata: { resourceVersion: '9' }, items: null }));
    expect(await cluster.list(configMap)).toEqual({ items: [], resourceVersion: '9' });
  });

  it('creates in the namespace of the object', async () => {
    const { cluster, transport } = clusterWith(json(object(), 201));
    await cluster.create(configMap, object(), { fieldManager: 'phasekeeper/Pool', dryRun: true });
    await cluster.create(node, { metadata: { name: 'n' } });
    expect(transport.requests).toMatchObject([
      { method: 'POST', path: '/api/v1/namespaces/default/configmaps?fieldManager=phasekeeper%2FPool&dryRun=All' },
      { method: 'POST', path: '/api/v1/nodes', body: '{"metadata":{"name":"n"}}' },
    ]);
  });

  it('patches the status with a precondition', async () => {
    const { cluster, transport } = clusterWith(json(object({ resourceVersion: '6' })));
    const body = { metadata: { resourceVersion: '5' }, status: { phase: 'Running' } };
    const answer = await cluster.patch(pool, 'a', body, { fieldManager: 'm', subresource: 'status' });
    expect(answer.metadata.resourceVersion).toBe('6');
    expect(transport.requests).toMatchObject([
      {
        method: 'PATCH',
        path: '/apis/ack.alibabacloud.com/v1/nodepools/a/status?fieldManager=m',
        contentType: 'application/merge-patch+json',
        body: JSON.stringify(body),
      },
    ]);
  });

  it('applies with and without force', async () => {
    const { cluster, transport } = clusterWith(json(object()));
    await cluster.apply(configMap, 'default/a', { a: 1 }, { fieldManager: 'm' });
    await cluster.apply(configMap, 'default/a', { a: 1 }, { fieldManager: 'm', force: true, dryRun: true });
    expect(transport.requests).toMatchObject([
      { path: '/api/v1/namespaces/default/configmaps/a?fieldManager=m', contentType: 'application/apply-patch+yaml' },
      { path: '/api/v1/namespaces/default/configmaps/a?fieldManager=m&force=true&dryRun=All' },
    ]);
  });

  it.each<[string, Partial<ApiResponse>, 'gone' | 'deleting']>([
    ['a Status', json({ kind: 'Status', status: 'Success', details: { uid: 'u1' } }), 'gone'],
    ['nothing there', json(status(404, 'NotFound'), 404), 'gone'],
    ['the last object, without a mark', json(object()), 'gone'],
    ['the last object, without grace', json(object({ deletionTimestamp: 't', deletionGracePeriodSeconds: 0 })), 'gone'],
    ['an object with a finalizer', json(object({ deletionTimestamp: 't', finalizers: ['x'], deletionGracePeriodSeconds: 0 })), 'deleting'],
    ['an object with a grace period', json(object({ deletionTimestamp: 't', deletionGracePeriodSeconds: 30 })), 'deleting'],
  ])('calls a delete answered by %s by its name', async (_, answer, type) => {
    const { cluster, transport } = clusterWith(answer);
    const options = { uid: 'u1', resourceVersion: '5', propagationPolicy: 'Foreground' } as const;
    expect(await cluster.delete(configMap, 'default/a', options)).toMatchObject({ type });
    expect(JSON.parse(transport.requests[0]?.body ?? '')).toEqual({
      kind: 'DeleteOptions',
      apiVersion: 'v1',
      preconditions: { uid: 'u1', resourceVersion: '5' },
      propagationPolicy: 'Foreground',
    });
  });

  it('does not call another object of the same name gone', async () => {
    const { cluster } = clusterWith(json(status(409, 'Conflict'), 409));
    await expect(cluster.delete(configMap, 'default/a', { uid: 'old' })).rejects.toMatchObject({
      code: 'API_Conflict',
      disposition: 'retry',
    });
  });

  it.each<[string, readonly Partial<ApiResponse>[], string]>([
    ['accepted', [json({ kind: 'Status', status: 'Success' }, 201)], 'evicted'],
    ['not there', [json(status(404, 'NotFound'), 404)], 'gone'],
    ['protected', [json(status(429, 'TooManyRequests', { details: { causes: [{ reason: 'DisruptionBudget' }] } }), 429)], 'blocked'],
    ['another one by now', [json(status(409, 'Conflict'), 409), json(object({ uid: 'u2' }))], 'gone'],
  ])('evicts a pod that is %s', async (_, answers, result) => {
    const { cluster, transport } = clusterWith(...answers);
    expect(await cluster.evict(object())).toBe(result);
    expect(transport.requests[0]?.path).toBe('/api/v1/namespaces/default/pods/a/eviction');
    expect(JSON.parse(transport.requests[0]?.body ?? '')).toMatchObject({
      kind: 'Eviction',
      deleteOptions: { preconditions: { uid: 'u1' } },
    });
  });

  it('does not take an overloaded server for a PodDisruptionBudget', async () => {
    const { cluster } = clusterWith({ ...json(status(429, 'TooManyRequests'), 429), headers: { 'retry-after': '3' } });
    await expect(cluster.evict(object())).rejects.toMatchObject({ code: 'API_TooManyRequests', disposition: 'retry', retryAfterMs: 3_000 });
  });

  it.each<[number, string]>([
    [400, 'terminal'],
    [401, 'retry'],
    [403, 'terminal'],
    [404, 'terminal'],
    [408, 'retry'],
    [409, 'retry'],
    [410, 'retry'],
    [413, 'terminal'],
    [415, 'terminal'],
    [422, 'terminal'],
    [429, 'retry'],
    [500, 'retry'],
    [503, 'retry'],
  ])('says what to do about a %i: %s', async (code, disposition) => {
    const { cluster } = clusterWith(json(status(code, 'Reason', { message: 'why' }), code));
    await expect(cluster.create(configMap, object())).rejects.toMatchObject({
      code: 'API_Reason',
      status: code,
      disposition,
      message: 'POST /api/v1/namespaces/default/configmaps: why',
    });
  });

  it('takes the wait from the Status where no header says it', async () => {
    const { cluster } = clusterWith(json(status(500, 'ServerTimeout', { details: { retryAfterSeconds: 2 } }), 500));
    await expect(cluster.create(configMap, object())).rejects.toMatchObject({ retryAfterMs: 2_000 });
  });

  it('takes an answer that is not JSON for one that was garbled on its way', async () => {
    const { cluster } = clusterWith({ status: 200, body: '<html>proxy</html>' });
    await expect(cluster.get(configMap, 'default/a')).rejects.toMatchObject({ code: 'CONNECTION_GARBLED', disposition: 'retry' });
  });

  it('learns the server time from each answer', async () => {
    const { cluster, time, clock } = clusterWith({ ...json(object()), headers: { date: 'Thu, 01 Jan 2026 05:00:00 GMT' } });
    expect(time.known).toBe(false);
    await cluster.get(configMap, 'default/a');
    expect(time.nowMs() - clock.nowMs()).toBeGreaterThanOrEqual(5 * 3_600_000);
    expect(time.nowMs() - clock.nowMs()).toBeLessThan(5 * 3_600_000 + 1_000);
  });
});
