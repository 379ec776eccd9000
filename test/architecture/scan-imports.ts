/** One import, re-export or dynamic import of a source file. */
export interface ImportFound {
  /** What stands between the quotes; undefined for a dynamic import of something computed. */
  readonly specifier: string | undefined;
  /** `type` only where the whole statement is erased; `dynamic` also for `import('…')` in a type. */
  readonly how: 'import' | 'export' | 'type' | 'dynamic';
  /** From 1. */
  readonly line: number;
}

interface Token {
  readonly kind: 'word' | 'text' | 'sign';
  readonly value: string;
  readonly line: number;
}

const pattern = new RegExp(
  [
    String.raw`(?<gap>\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/)`,
    String.raw`(?<text>'(?:[^'\\\n]|\\[\s\S])*'|"(?:[^"\\\n]|\\[\s\S])*")`,
    String.raw`(?<word>[\p{ID_Start}$_#][\p{ID_Continue}$]*)`,
    String.raw`(?<number>\d[\w.]*)`,
    String.raw`(?<sign>[\s\S])`,
  ].join('|'),
  'uy',
);
const regularExpression = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/uy;
/** Words after which a slash starts a regular expression and does not divide. */
const beforeOperand = new Set(['return', 'typeof', 'case', 'in', 'of', 'do', 'else', 'void', 'delete', 'throw', 'new', 'await', 'yield']);

/**
 * Every import of a TypeScript source, without a compiler: TypeScript 7 offers no API to JavaScript, and other scanners do not read
 * types. Comments, strings, templates and regular expressions that contain the word `import` are told apart from imports.
 */
export function scanImports(source: string): readonly ImportFound[] {
  const tokens = tokenize(source);
  const found: ImportFound[] = [];
  for (const [index, token] of tokens.entries()) {
    if (token.kind !== 'word' || isSign(tokens[index - 1], '.')) continue;
    if (token.value === 'import') found.push(...readImport(tokens, index));
    if (token.value === 'export') found.push(...readExport(tokens, index));
    if (token.value === 'require' && isSign(tokens[index + 1], '(')) found.push(dynamic(tokens, index));
  }
  return found;
}

function readImport(tokens: readonly Token[], index: number): readonly ImportFound[] {
  const next = tokens[index + 1];
  const line = tokens[index]?.line ?? 0;
  if (next?.kind === 'text') return [{ specifier: next.value, how: 'import', line }];
  if (isSign(next, '(')) return [dynamic(tokens, index)];
  if (isSign(next, '.') || isSign(next, ':')) return [];
  const isType = next?.value === 'type' && tokens[index + 2]?.value !== 'from' && !isSign(tokens[index + 2], ',');
  const specifier = textAfterFrom(tokens, index + 1);
  return specifier === undefined ? [] : [{ specifier, how: isType ? 'type' : 'import', line }];
}

function readExport(tokens: readonly Token[], index: number): readonly ImportFound[] {
  const isType = tokens[index + 1]?.value === 'type';
  const start = index + (isType ? 2 : 1);
  // `export const`, `export type X =` and their like import nothing.
  if (!isSign(tokens[start], '{') && !isSign(tokens[start], '*')) return [];
  const close = isSign(tokens[start], '*') ? start : tokens.findIndex((token, at) => at > start && isSign(token, '}'));
  const from = tokens.findIndex((token, at) => at > close && token.value === 'from');
  const isNear = from >= 0 && from - close <= (close === start ? 3 : 1);
  const specifier = isNear ? tokens[from + 1] : undefined;
  if (specifier?.kind !== 'text') return [];
  return [{ specifier: specifier.value, how: isType ? 'type' : 'export', line: tokens[index]?.line ?? 0 }];
}

function dynamic(tokens: readonly Token[], index: number): ImportFound {
  const argument = tokens[index + 2];
  const line = tokens[index]?.line ?? 0;
  const isWhole = isSign(tokens[index + 3], ')') || isSign(tokens[index + 3], ',');
  return { specifier: argument?.kind === 'text' && isWhole ? argument.value : undefined, how: 'dynamic', line };
}

/** The text after the first `from` that a text follows, before the statement can have ended. */
function textAfterFrom(tokens: readonly Token[], start: number): string | undefined {
  for (let at = start; at < tokens.length; at++) {
    const token = tokens[at];
    if (isSign(token, ';') || isSign(token, '=')) return undefined;
    const next = tokens[at + 1];
    if (token?.value === 'from' && next?.kind === 'text') return next.value;
  }
  return undefined;
}

function isSign(token: Token | undefined, sign: string): boolean {
  return token?.kind === 'sign' && token.value === sign;
}

function tokenize(source: string): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  let line = 1;
  /** Braces open inside each `${` of a template; empty outside templates. */
  const templates: number[] = [];
  const push = (kind: Token['kind'], value: string) => tokens.push({ kind, value, line });
  const advance = (to: number) => {
    for (; at < to; at++) if (source[at] === '\n') line++;
  };
  const skipTemplate = () => {
    const end = endOfTemplateText(source, at);
    if (source[end] === '$') templates.push(0);
    advance(end + (source[end] === '$' ? 2 : 1));
  };
  while (at < source.length) {
    const depth = templates.at(-1);
    if (source[at] === '`') {
      push('sign', '`');
      at++;
      skipTemplate();
    } else if (source[at] === '}' && depth === 0) {
      templates.pop();
      at++;
      skipTemplate();
    } else {
      pattern.lastIndex = at;
      regularExpression.lastIndex = at;
      const match = pattern.exec(source);
      const expression =
        source[at] === '/' && match?.groups?.['gap'] === undefined && startsOperand(tokens.at(-1)) && regularExpression.exec(source);
      const { text, word, number, sign } = match?.groups ?? {};
      if (expression) push('sign', 'regular expression');
      else if (text !== undefined) push('text', text.slice(1, -1));
      else if (word !== undefined) push('word', word);
      else if (number !== undefined) push('sign', 'number');
      else if (sign !== undefined) push('sign', sign);
      if (depth !== undefined && sign === '{') templates[templates.length - 1] = depth + 1;
      if (depth !== undefined && sign === '}') templates[templates.length - 1] = depth - 1;
      advance(at + (expression ? expression[0].length : (match?.[0].length ?? 1)));
    }
  }
  return tokens;
}

/** Where a template's text ends: at its closing backtick or at the `$` of the next `${`. */
function endOfTemplateText(source: string, start: number): number {
  for (let at = start; at < source.length; at++) {
    if (source[at] === '\\') at++;
    else if (source[at] === '`' || (source[at] === '$' && source[at + 1] === '{')) return at;
  }
  return source.length;
}

/** Whether a value may start after this token, so that a slash opens a regular expression. */
function startsOperand(token: Token | undefined): boolean {
  if (token === undefined) return true;
  if (token.kind === 'word') return beforeOperand.has(token.value);
  return token.kind === 'sign' && ![')', ']', '}', '`', 'number', 'regular expression'].includes(token.value);
}
