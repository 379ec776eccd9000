import { SchemaError } from './schema-error.ts';

/** What JavaScript's `\s` means inside a class; RE2's is ASCII without `\v`. */
const spaces = '\\t\\n\\v\\f\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}';
const lineEnds = '\\n\\r\\x{2028}\\x{2029}';

/** The largest number of repetitions that RE2 takes. */
const maxRepetitions = 1000;

const escapes: readonly (readonly [RegExp, (match: RegExpExecArray, inClass: boolean) => string | undefined])[] = [
  [/^\\(?:[1-9]\d*|k<[^>]*>)/, () => undefined],
  [/^\\0/, () => '\\x00'],
  [/^\\u\{([0-9a-fA-F]+)\}|^\\u([0-9a-fA-F]{4})/, (match) => `\\x{${match[1] ?? match[2] ?? ''}}`],
  [/^\\x[0-9a-fA-F]{2}/, ([text]) => text],
  [/^\\s/, (_, inClass) => (inClass ? spaces : `[${spaces}]`)],
  [/^\\S/, (_, inClass) => (inClass ? undefined : `[^${spaces}]`)],
  [/^\\b/, (_, inClass) => (inClass ? '\\x08' : '\\b')],
  [/^\\B/, (_, inClass) => (inClass ? undefined : '\\B')],
  [/^\\[dDwWtnvfr]/, ([text]) => text],
  [/^\\[pP]\{(?:L|M|N|P|S|Z|C)[a-z]?\}/, ([text]) => text],
  [/^\\[!-/:-@[-`{-~ ]/, ([text]) => (text === '\\/' ? '/' : text)],
];

/**
 * The same language as a JavaScript regular expression, in RE2's syntax.
 *
 * @throws SchemaError for what RE2 does not have (look-around, back-references, flags) or reads differently
 */
export function re2Pattern(regex: RegExp, path: string): string {
  const flags = regex.flags.replace('u', '');
  if (flags !== '')
    throw refused({ path, regex }, `the flag ${flags} would be dropped`, 'spell it out in the pattern, such as [a-zA-Z] for the flag i');
  let rest = regex.source;
  let written = '';
  let inClass = false;
  while (rest !== '') {
    const [taken, text] = token(rest, inClass, { path, regex });
    if (taken === '[' || taken === '[^') inClass = true;
    else if (inClass && taken === ']') inClass = false;
    written += text;
    rest = rest.slice(taken.length);
  }
  return written;
}

interface Place {
  readonly path: string;
  readonly regex: RegExp;
}

/** The next piece of the source, and how RE2 writes it. */
function token(rest: string, inClass: boolean, place: Place): readonly [string, string] {
  if (rest.startsWith('\\')) return escapeToken(rest, inClass, place);
  const sign = rest.slice(0, 1);
  if (inClass) return [sign, sign === '[' ? '\\[' : sign];
  if (sign === '[') return classStart(rest, place);
  if (sign === '(') return groupStart(rest, place);
  if (sign === '.') return [sign, `[^${lineEnds}]`];
  const counts = /^\{(\d+)(?:,(\d*))?\}/.exec(rest);
  if (counts === null) return [sign, sign];
  if (Math.max(Number(counts[1]), Number(counts[2] ?? 0)) > maxRepetitions) {
    throw refused(place, `RE2 counts to ${maxRepetitions} at most`, 'limit the length with .max() instead');
  }
  return [counts[0], counts[0]];
}

function escapeToken(rest: string, inClass: boolean, { path, regex }: Place): readonly [string, string] {
  for (const [form, write] of escapes) {
    const match = form.exec(rest);
    const text = match === null ? undefined : write(match, inClass);
    if (match !== null && text !== undefined) return [match[0], text];
  }
  const back = /^\\[1-9k]/.test(rest);
  const what = back
    ? 'the API server matches with RE2, which has no back-references'
    : `RE2 has no ${rest.slice(0, 2)} here, or reads it differently`;
  throw refused({ path, regex }, what, 'write it without, or as a CEL rule in .meta');
}

function classStart(rest: string, { path, regex }: Place): readonly [string, string] {
  const taken = rest.startsWith('[^') ? '[^' : '[';
  if (rest.startsWith(']', taken.length)) throw refused({ path, regex }, 'RE2 has no empty class', 'write the characters out');
  return [taken, taken];
}

function groupStart(rest: string, { path, regex }: Place): readonly [string, string] {
  if (/^\(\?(?:[=!]|<[=!])/.test(rest)) {
    throw refused(
      { path, regex },
      'the API server matches with RE2, which has no look-ahead or look-behind',
      'write it without, or as a CEL rule in .meta',
    );
  }
  const named = /^\(\?<[^>]+>/.exec(rest);
  if (named !== null) return [named[0], '(?:'];
  if (!rest.startsWith('(?')) return ['(', '('];
  if (rest.startsWith('(?:')) return ['(?:', '(?:'];
  throw refused({ path, regex }, 'its inline flags would be read differently', 'spell them out in the pattern');
}

function refused({ path, regex }: Place, reason: string, alternative: string): SchemaError {
  return new SchemaError(path, `pattern ${String(regex)}: ${reason}`, alternative);
}
