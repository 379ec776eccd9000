import { describe, expect, it } from 'vitest';
import { needsConfirmation } from '../../src/cli/confirm-context.ts';
import { nodeComplaint } from '../../src/cli/node-version.ts';
import { parseDuration } from '../../src/cli/parse-duration.ts';
import { staleReason } from '../../src/cli/stale-reason.ts';

describe('the version of Node', () => {
  it('must be 22.19 or newer', () => {
    expect(nodeComplaint('22.19.0')).toBeUndefined();
    expect(nodeComplaint('24.0.0')).toBeUndefined();
    expect(nodeComplaint('22.18.0')).toContain('needs Node 22.19 or newer, this is 22.18.0');
    expect(nodeComplaint('20.20.2')).toContain('hint: ');
  });
});

describe('a duration', () => {
  it.each([
    ['300ms', 300],
    ['30', 30_000],
    ['1.5s', 1_500],
    ['2m', 120_000],
    ['1h30m', 5_400_000],
  ])('%s is %d ms', (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  it.each(['', 'm', '5 m', '-1s', '1y'])('%s is none', (text) => {
    expect(() => parseDuration(text)).toThrow('1h30m');
  });
});

describe('a context', () => {
  it('is asked about when it was chosen by name and is not a development one', () => {
    expect(needsConfirmation({ context: 'prod-eu', yes: false })).toBe(true);
    expect(needsConfirmation({ context: 'prod-eu', yes: true })).toBe(false);
    for (const context of [undefined, 'kind-a', 'k3d-a', 'minikube', 'phasekeeper-dev'])
      expect(needsConfirmation({ context, yes: false })).toBe(false);
  });
});

describe('a stale diagram', () => {
  it('is told by the first edge that came, went or changed', () => {
    expect(staleReason(undefined, 'x')).toBe('not there yet');
    expect(staleReason('  A --> B : x', '  A --> B : y')).toBe('edge A -> B changed');
    expect(staleReason('', '  A --> B : y')).toBe('edge A -> B is new');
    expect(staleReason('  A --> B : y', '')).toBe('edge A -> B is gone');
    expect(staleReason('title: 1', 'title: 2')).toBe('a state, its words or the version changed');
  });
});
