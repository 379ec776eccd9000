import { describe, expect, it } from 'vitest';

import { describeRequest, type ProxiedRequest } from './proxied-request.ts';

function described(method: string, url: string, bodyText = ''): ProxiedRequest {
  return describeRequest({ number: 1, method, url, bodyText, user: 'operator' }, () => undefined);
}

const pools = '/apis/ack.alibabacloud.com/v1/nodepools';

describe('the meaning of a request', () => {
  it.each([
    ['GET', '/api/v1/nodes', { verb: 'list', group: '', resource: 'nodes', name: undefined, namespace: undefined }],
    ['GET', '/api/v1/nodes?watch=1', { verb: 'watch', isWatch: true, isWrite: false }],
    ['GET', '/api/v1/nodes?watch=true', { verb: 'watch', isWatch: true }],
    ['GET', '/api/v1/nodes?watch=false', { verb: 'list', isWatch: false }],
    ['GET', '/api/v1/namespaces/a/pods/p', { verb: 'get', resource: 'pods', namespace: 'a', name: 'p' }],
    ['GET', '/api/v1/namespaces/a', { verb: 'get', resource: 'namespaces', namespace: undefined, name: 'a' }],
    ['PUT', '/api/v1/namespaces/a/finalize', { verb: 'update', resource: 'namespaces', name: 'a', subresource: 'finalize' }],
    [
      'POST',
      '/api/v1/namespaces/a/pods/p/eviction',
      { verb: 'create', resource: 'pods', name: 'p', subresource: 'eviction', isWrite: true },
    ],
    [
      'PATCH',
      `${pools}/demo/status`,
      { verb: 'patch', group: 'ack.alibabacloud.com', resource: 'nodepools', name: 'demo', subresource: 'status' },
    ],
    ['DELETE', `${pools}/demo`, { verb: 'delete', isWrite: true }],
    ['DELETE', pools, { verb: 'deletecollection', isWrite: true }],
    ['POST', `${pools}?dryRun=All`, { verb: 'create', isWrite: false }],
    ['POST', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', { verb: 'create', isWrite: false }],
    ['GET', '/readyz', { verb: 'other', resource: undefined, isWrite: false }],
    ['GET', '/apis/ack.alibabacloud.com/v1', { verb: 'other', resource: undefined }],
  ] as const)('%s %s', (method, url, expected) => {
    expect(described(method, url)).toMatchObject(expected);
  });

  it('has the body as JSON where it is JSON, else as text', () => {
    expect(described('PATCH', pools, '{"a":1}').body).toEqual({ a: 1 });
    expect(described('PATCH', pools, 'a: 1').body).toBe('a: 1');
    expect(described('GET', pools).body).toBeUndefined();
  });
});
