import { describe, expect, it } from 'vitest';
import { parseCommand } from '../../src/machine/parse-command.ts';
import { refuse } from '../../src/machine/refuse.ts';
import { database } from './database.ts';
import { commandFor, decided, followed, moved, outcome, standing, startMs } from './situation.ts';

const failed = standing(database, 'Failed');

describe('a command', () => {
  it('takes its edge, with the reason of its sender as the cause', () => {
    const move = moved(decided(database, failed, { command: commandFor(failed, 'retry', { reason: 'disk replaced', by: 'alice' }) }));
    expect(move).toMatchObject({ event: { type: 'command retry', payload: {} }, cause: 'disk replaced', memory: { attempts: 1 } });
    expect(moved(decided(database, failed, { command: commandFor(failed, 'retry') })).cause).toBe('try again');
  });

  it('may only act, without leaving its state', () => {
    const command = commandFor(failed, 'note');
    const move = moved(decided(database, failed, { command }));
    expect(move.edge.target).toBeUndefined();
    const after = followed(database, failed, { command });
    expect(after).toMatchObject({ state: 'Failed', sequence: 6, memory: { attempts: 1 }, enteredMs: failed.enteredMs });
  });

  it('is looked at only once, by its token', () => {
    const command = commandFor(failed, 'retry');
    const after = followed(database, failed, { command });
    expect(after.lastCommand).toMatchObject({ token: 't1', name: 'retry', result: 'done' });
    expect(outcome(decided(database, after, { command }))).toBe('stay');
    const refused = decided(database, failed, { command: commandFor(failed, 'rollBack') });
    if (refused.type !== 'refuse') throw new Error('expected a refusal');
    expect(outcome(decided(database, refuse(failed, refused, startMs), { command: refused.command }))).toBe('stay');
  });
});

describe('a refusal', () => {
  it.each([
    [
      'malformed',
      parseCommand('retry'),
      'Database demo got a command that cannot be read, retry: expected <command>/<sequence>/<token>, such as retry/7/abc',
    ],
    [
      'unknownCommand',
      commandFor(failed, 'explode'),
      'command explode to Database demo is unknown; Database demo has: retry, rollBack, restart, note',
    ],
    ['unknownCommand', commandFor(failed, 'constructor'), 'command constructor to Database demo is unknown'],
    [
      'outOfSequence',
      commandFor(failed, 'retry', { sequence: 4 }),
      'command retry to Database demo was meant for transition 4, the object is at 5',
    ],
    ['outOfSequence', commandFor(failed, 'retry', { sequence: 6 }), 'was meant for transition 6, the object is at 5'],
    ['noEdge', commandFor(failed, 'rollBack'), 'command rollBack to Database demo is not accepted in Failed; legal: retry, note'],
  ] as const)('says why and what would be legal: %s', (reason, command, message) => {
    const decision = decided(database, failed, { command });
    expect(decision).toMatchObject({ type: 'refuse', reason, command, guards: [], legal: ['retry', 'note'] });
    expect(decision).toHaveProperty('message', expect.stringContaining(message));
  });

  it('names the guards that are off', () => {
    const tired = standing(database, 'Failed', { memory: { attempts: 3, last: '' } });
    expect(decided(database, tired, { command: commandFor(tired, 'retry') })).toMatchObject({
      type: 'refuse',
      reason: 'guardedOff',
      guards: ['few(max=3)'],
      message: 'command retry to Database demo is held back by few(max=3)',
    });
  });

  it('records the command and nothing else', () => {
    const decision = decided(database, failed, { command: commandFor(failed, 'rollBack', { by: 'bob' }) });
    if (decision.type !== 'refuse') throw new Error('expected a refusal');
    const after = refuse(failed, decision, startMs);
    expect(after).toEqual({
      ...failed,
      lastCommand: {
        token: 't1',
        name: 'rollBack',
        result: 'refused: command rollBack to Database demo is not accepted in Failed; legal: retry, note',
        at: '2026-01-01T00:00:00.000Z',
        by: 'bob',
      },
    });
  });
});

describe('parseCommand', () => {
  it('reads command, sequence and token', () => {
    expect(parseCommand('retry/7/abc', { by: 'alice', reason: undefined })).toEqual({
      raw: 'retry/7/abc',
      name: 'retry',
      sequence: 7,
      token: 'abc',
      by: 'alice',
    });
  });

  it.each([
    '',
    'retry',
    'retry/7',
    'retry/7/',
    '/7/abc',
    'retry/-1/abc',
    'retry/7.5/abc',
    'retry/07/abc',
    'retry/1e3/abc',
    'retry/7/a/b',
    'retry/7/a b',
    're try/7/a',
    'retry/7/abc\n',
    `retry/${'9'.repeat(30)}/a`,
  ])('tells a malformed one, to be refused once: %j', (annotation) => {
    expect(parseCommand(annotation)).toMatchObject({ malformed: expect.any(String), token: annotation, name: '', sequence: -1 });
  });

  it('keeps no more of it than may be stored', () => {
    const long = parseCommand('x'.repeat(200_000), { by: 'y'.repeat(9_999), reason: 'z'.repeat(9_999) });
    for (const text of [long.raw, long.token, long.by, long.reason]) expect(text?.length).toBe(128);
  });
});
