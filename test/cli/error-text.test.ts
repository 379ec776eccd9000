import { describe, expect, it } from 'vitest';
import { CommandError } from '../../src/cli/command-error.ts';
import { errorText } from '../../src/cli/error-text.ts';
import { exitCodeOf } from '../../src/cli/exit-code-of.ts';
import { UsageError } from '../../src/cli/usage-error.ts';
import { ApiError } from '../../src/cluster/api-error.ts';
import { ConnectionError } from '../../src/cluster/connection-error.ts';
import { KubeconfigError } from '../../src/cluster/kubeconfig-error.ts';
import { PhasekeeperError } from '../../src/failure/phasekeeper-error.ts';

const plain = { paint: (_: unknown, text: string) => text, debug: false };

describe('an error', () => {
  it('says what, the facts indented, and the command to type', () => {
    const error = new UsageError('no such thing', { facts: ['looked in a'], hint: 'ls' });
    expect(errorText(error, plain)).toBe('error: no such thing\n  looked in a\nhint: ls');
  });

  it('shows further lines of a message as facts', () => {
    const error = new PhasekeeperError('not sound\n  DEAD_END: A', { code: 'UNSOUND_MACHINE', disposition: 'fatal' });
    expect(errorText(error, plain)).toBe('error: not sound\n  DEAD_END: A');
  });

  it('shows its code, its stack and its causes with --debug only', () => {
    const error = new UsageError('outer', { cause: new Error('inner') });
    expect(errorText(error, plain)).not.toContain('inner');
    expect(errorText(error, { ...plain, debug: true })).toMatch(
      /code USAGE, fatal[\s\S]*outer[\s\S]*caused by\nError: inner[\s\S]*\n +at /,
    );
  });

  it('is shown also when it is none of ours', () => {
    expect(errorText('thrown text', plain)).toBe('error: thrown text');
  });
});

describe('the exit code', () => {
  it.each([
    ['the error’s own', new CommandError('x', { exitCode: 4, code: 'X' }), 4],
    ['2 for a usage error', new UsageError('x'), 2],
    ['2 for a machine that is not sound', new PhasekeeperError('x', { code: 'UNSOUND_MACHINE', disposition: 'fatal' }), 2],
    ['3 for a broken kubeconfig', new KubeconfigError('x', { code: 'KUBECONFIG_INVALID', source: 's', hint: 'h' }), 3],
    ['3 without a server', new ConnectionError('x', { code: 'CONNECTION_REFUSED' }), 3],
    ['4 for an answer that does not come', new ConnectionError('x', { code: 'CONNECTION_TIMEOUT' }), 4],
    ['3 for missing rights', new ApiError({ what: 'GET /x', status: 403 }), 3],
    ['1 for what the server refuses', new ApiError({ what: 'PATCH /x', status: 422 }), 1],
    ['3 for what nobody foresaw', new TypeError('x'), 3],
  ])('is %s', (_, error, code) => {
    expect(exitCodeOf(error)).toBe(code);
  });
});
