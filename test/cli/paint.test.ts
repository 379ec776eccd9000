import { describe, expect, it } from 'vitest';
import { paintFor } from '../../src/cli/paint.ts';
import { isUnicodeLocale } from '../../src/cli/terminal.ts';

const red = '\u001B[31mno\u001B[39m';

describe('colour', () => {
  it.each([
    ['a terminal has it', { when: 'auto', env: { TERM: 'xterm' }, isTerminal: true }, red],
    ['a pipe has none', { when: 'auto', env: { TERM: 'xterm' }, isTerminal: false }, 'no'],
    ['a dumb terminal has none', { when: 'auto', env: { TERM: 'dumb' }, isTerminal: true }, 'no'],
    ['CI has none', { when: 'auto', env: { CI: 'true' }, isTerminal: true }, 'no'],
    ['FORCE_COLOR gives it to a pipe', { when: 'auto', env: { FORCE_COLOR: '1' }, isTerminal: false }, red],
    ['FORCE_COLOR=0 takes it', { when: 'auto', env: { FORCE_COLOR: '0' }, isTerminal: true }, 'no'],
    ['NO_COLOR wins over FORCE_COLOR', { when: 'auto', env: { NO_COLOR: '1', FORCE_COLOR: '1' }, isTerminal: true }, 'no'],
    ['an empty NO_COLOR says nothing', { when: 'auto', env: { NO_COLOR: '' }, isTerminal: true }, red],
    ['--color=always wins over NO_COLOR', { when: 'always', env: { NO_COLOR: '1' }, isTerminal: false }, red],
    ['--color=never wins over FORCE_COLOR', { when: 'never', env: { FORCE_COLOR: '1' }, isTerminal: true }, 'no'],
  ] as const)('%s', (_, options, shown) => {
    expect(paintFor(options)('bad', 'no')).toBe(shown);
  });
});

describe('the locale', () => {
  it('allows more than ASCII only where it says UTF-8, LC_ALL first', () => {
    expect(isUnicodeLocale({ LANG: 'de_DE.UTF-8' })).toBe(true);
    expect(isUnicodeLocale({ LC_ALL: 'C', LANG: 'de_DE.UTF-8' })).toBe(false);
    expect(isUnicodeLocale({})).toBe(false);
  });
});
