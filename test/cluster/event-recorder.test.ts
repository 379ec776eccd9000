import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../src/clock/manual-clock.ts';
import { ServerTime } from '../../src/clock/server-time.ts';
import { ApiError } from '../../src/cluster/api-error.ts';
import { Cluster } from '../../src/cluster/cluster.ts';
import { ConnectionError } from '../../src/cluster/connection-error.ts';
import { EventRecorder, type EventRecorderOptions } from '../../src/cluster/event-recorder.ts';
import type { ApiRequest, ApiResponse, Transport } from '../../src/cluster/transport.ts';
import type { KubernetesObject } from '../../src/resource/kubernetes-object.ts';
import { status } from './fake-api.ts';
import { until } from './until.ts';

const pool: KubernetesObject = {
  apiVersion: 'ack.alibabacloud.com/v1',
  kind: 'NodePool',
  metadata: { name: 'demo', uid: 'u1', resourceVersion: '5' },
};
const never = new AbortController().signal;

function recorderWith(answer: (request: ApiRequest) => Promise<ApiResponse> | ApiResponse, options: Partial<EventRecorderOptions> = {}) {
  const clock = new ManualClock();
  const bodies: Record<string, unknown>[] = [];
  const paths: string[] = [];
  let underWay = 0;
  const most = { underWay: 0 };
  const transport: Transport = {
    async request(request) {
      most.underWay = Math.max(most.underWay, ++underWay);
      paths.push(request.path);
      bodies.push(JSON.parse(request.body ?? '{}'));
      try {
        return await answer(request);
      } finally {
        underWay--;
      }
    },
    watch: () => Promise.resolve(created),
    close: () => Promise.resolve(),
  };
  const cluster = new Cluster({ transport, clock, time: new ServerTime(clock), random: () => 0.5 });
  const errors: unknown[] = [];
  const recorder = new EventRecorder({ cluster, random: () => 0.5, instance: 'pod-1', onError: (error) => errors.push(error), ...options });
  const record = (message: string) => recorder.record({ regarding: pool, type: 'Normal', reason: 'ScalingUp', message });
  return { recorder, record, bodies, paths, errors, clock, most };
}

const created: ApiResponse = { status: 201, headers: {}, body: '{}' };
const refused = (code: number, reason: string): ApiResponse => ({ status: code, headers: {}, body: JSON.stringify(status(code, reason)) });

describe('the event recorder', () => {
  it('writes what kubectl describe shows, for a cluster-scoped object in the namespace default', async () => {
    const { recorder, record, bodies, paths } = recorderWith(() => created);
    record('0 of 2 nodes ready');
    await recorder.flush(never);
    expect(paths).toEqual(['/api/v1/namespaces/default/events']);
    expect(bodies[0]).toEqual({
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'demo.8000000080000000', namespace: 'default' },
      involvedObject: { apiVersion: 'ack.alibabacloud.com/v1', kind: 'NodePool', name: 'demo', uid: 'u1', resourceVersion: '5' },
      type: 'Normal',
      reason: 'ScalingUp',
      message: '0 of 2 nodes ready',
      action: 'ScalingUp',
      count: 1,
      firstTimestamp: '2026-01-01T00:00:00Z',
      lastTimestamp: '2026-01-01T00:00:00Z',
      eventTime: '2026-01-01T00:00:00.000000Z',
      source: { component: 'phasekeeper' },
      reportingComponent: 'phasekeeper',
      reportingInstance: 'pod-1',
    });
  });

  it('writes beside a namespaced object and keeps names and messages within the limits', async () => {
    const { recorder, bodies } = recorderWith(() => created);
    const regarding = { ...pool, metadata: { ...pool.metadata, namespace: 'team', name: 'n'.repeat(253) } };
    recorder.record({ regarding, type: 'Warning', reason: 'R', message: 'm'.repeat(5_000), action: 'Scale' });
    await recorder.flush(never);
    const metadata = bodies[0]?.['metadata'] as { readonly name: string; readonly namespace: string };
    expect(metadata.namespace).toBe('team');
    expect(metadata.name).toHaveLength(253);
    expect(bodies[0]?.['message']).toHaveLength(1_024);
    expect(bodies[0]?.['action']).toBe('Scale');
  });

  it('writes one at a time, in order', async () => {
    const { recorder, record, bodies, most } = recorderWith(() => created);
    for (const message of ['a', 'b', 'c']) record(message);
    expect(recorder.pending).toBe(3);
    await recorder.flush(never);
    expect(bodies.map((body) => body['message'])).toEqual(['a', 'b', 'c']);
    expect(most.underWay).toBe(1);
    record('d');
    await recorder.flush(never);
    expect(bodies).toHaveLength(4);
  });

  it('drops the oldest when too many wait, and counts them', async () => {
    const { recorder, record, bodies } = recorderWith(() => created, { queueLimit: 2 });
    for (const message of ['a', 'b', 'c', 'd']) record(message);
    await recorder.flush(never);
    expect(bodies.map((body) => body['message'])).toEqual(['c', 'd']);
    expect(recorder.dropped).toBe(2);
  });

  it('tries again what may pass, and takes its own event for written when the answer was lost', async () => {
    let asked = 0;
    const { recorder, record, errors, clock } = recorderWith(() => {
      asked++;
      if (asked === 1) throw new ConnectionError('cut', { code: 'CONNECTION_CUT' });
      return refused(409, 'AlreadyExists');
    });
    record('a');
    await until(() => recorder.pending === 0 && asked === 2, { what: 'the second attempt', clock });
    await recorder.flush(never);
    expect(errors).toEqual([]);
    expect(recorder.dropped).toBe(0);
  });

  it('gives up what never passes, reports it and goes on with the next', async () => {
    const { recorder, record, errors, clock } = recorderWith(({ body }) => {
      if (body?.includes('forbidden')) return refused(403, 'Forbidden');
      if (body?.includes('broken')) return refused(500, 'InternalError');
      return created;
    });
    record('forbidden');
    record('broken');
    record('fine');
    let flushed = false;
    void recorder.flush(never).then(() => {
      flushed = true;
    });
    await until(() => flushed, { what: 'the queue to empty', clock, stepMs: 500 });
    expect(recorder.dropped).toBe(2);
    expect(errors.map((error) => error instanceof ApiError && error.reason)).toEqual(['Forbidden', 'InternalError']);
  });

  it('stops waiting when the signal comes', async () => {
    const { recorder, record } = recorderWith(() => new Promise<ApiResponse>(() => undefined));
    record('a');
    const stop = new AbortController();
    const flushed = recorder.flush(stop.signal);
    stop.abort();
    await flushed;
    expect(recorder.dropped).toBe(0);
  });
});
