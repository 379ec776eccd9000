import { describe, expect, it } from 'vitest';
import { CommandError } from '../../src/cli/command-error.ts';
import { refusedByCluster } from '../../src/cli/refused-by-cluster.ts';
import { ApiError } from '../../src/cluster/api-error.ts';

const asked = { server: 'https://s:1', source: 'kubeconfig k, context c', crdHint: (path: string) => `crd for ${path}` };

function shown(error: ApiError): {
  readonly message: string;
  readonly facts: readonly string[];
  readonly hint: string | undefined;
  readonly exitCode: number;
} {
  const result = refusedByCluster(error, asked);
  if (!(result instanceof CommandError)) throw new Error(`not explained: ${String(result)}`);
  const { message, facts, hint, exitCode } = result;
  return { message, facts, hint, exitCode };
}

describe('a refusal of the API server', () => {
  it('names the missing verb and resource, and how to check it', () => {
    const message =
      'nodepools.ack.alibabacloud.com is forbidden: User "op" cannot list resource "nodepools" in API group "ack.alibabacloud.com" at the cluster scope';
    const error = new ApiError({
      what: 'GET /apis/ack.alibabacloud.com/v1/nodepools',
      status: 403,
      body: { kind: 'Status', reason: 'Forbidden', message },
    });
    expect(shown(error)).toEqual({
      message: 'op may not list nodepools.ack.alibabacloud.com (403)',
      facts: ['server https://s:1', 'kubeconfig k, context c'],
      hint: 'kubectl auth can-i list nodepools.ack.alibabacloud.com   (a role needs the verb list on it)',
      exitCode: 3,
    });
  });

  it('names subresource and namespace where there are any', () => {
    const message = 'x: User "op" cannot create resource "pods/eviction" in API group "" in the namespace "a"';
    const error = new ApiError({ what: 'POST /api/v1/x', status: 403, body: { kind: 'Status', reason: 'Forbidden', message } });
    expect(shown(error)).toMatchObject({
      message: 'op may not create pods/eviction (403)',
      hint: 'kubectl auth can-i create pods --subresource=eviction -n a   (a role needs the verb create on it)',
    });
  });

  it('tells a missing CRD from a missing object', () => {
    const path = '/apis/ack.alibabacloud.com/v1/nodepools';
    const noCrd = new ApiError({ what: `GET ${path}?limit=1`, status: 404, text: '404 page not found' });
    expect(shown(noCrd)).toMatchObject({
      message: 'the API server does not know nodepools.ack.alibabacloud.com: its CRD is missing (404)',
      hint: `crd for ${path}`,
      exitCode: 3,
    });
    const noObject = new ApiError({
      what: `GET ${path}/a`,
      status: 404,
      body: { kind: 'Status', reason: 'NotFound', details: { name: 'a' } },
    });
    expect(refusedByCluster(noObject, asked)).toBe(noObject);
  });

  it('says that a token is not known', () => {
    expect(shown(new ApiError({ what: 'GET /x', status: 401 }))).toMatchObject({
      message: 'the API server does not know who you are (401)',
      exitCode: 3,
    });
  });

  it('leaves other errors as they are', () => {
    const error = new TypeError('x');
    expect(refusedByCluster(error, asked)).toBe(error);
  });
});
