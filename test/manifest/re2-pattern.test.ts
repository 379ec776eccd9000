import { describe, expect, it } from 'vitest';
import { re2Pattern } from '../../src/manifest/re2-pattern.ts';

const anyButLineEnd = String.raw`[^\n\r\x{2028}\x{2029}]`;

describe('a pattern for the API server', () => {
  it.each<[RegExp, string]>([
    [/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/, '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$'],
    [/^\d{3,5}\w\b$/, String.raw`^\d{3,5}\w\b$`],
    [/^a\/b$/, '^a/b$'],
    [/^.+?$/, `^${anyButLineEnd}+?$`],
    [/[.[\]]/, String.raw`[.\[\]]`],
    [/(?:a|(?<year>\d+))/, String.raw`(?:a|(?:\d+))`],
    [/\u00e9\x41\0/, String.raw`\x{00e9}\x41\x00`],
    [/\u{1F600}\p{L}/u, String.raw`\x{1F600}\p{L}`],
    [new RegExp(String.raw`\@\-`), String.raw`\@\-`],
  ])('writes %s as RE2 reads it', (regex, expected) => {
    expect(re2Pattern(regex, 'spec')).toBe(expected);
  });

  it("keeps what JavaScript's \\s means beyond ASCII", () => {
    expect(re2Pattern(/^\s$/, 'spec')).toContain(String.raw`\x{3000}`);
    expect(re2Pattern(/^\S$/, 'spec')).toMatch(/^\^\[\^/);
    expect(re2Pattern(/^[\s,]$/, 'spec')).toMatch(/^\^\[\\t.*,\]\$$/);
  });

  it.each<[RegExp, RegExp]>([
    [/[^\S]/, /RE2 has no \\S here/],
    [/a{1001}/, /counts to 1000/],
    [new RegExp('[]'), /empty class/],
    [/\p{Script=Greek}/u, /RE2 has no \\p/],
    [/\cA/, /RE2 has no \\c/],
  ])('refuses %s', (regex, reason) => {
    expect(() => re2Pattern(regex, 'spec')).toThrow(reason);
  });
});
