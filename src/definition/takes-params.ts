/**
 * Whether a function takes a parameter at a position, as far as its text tells: `maybe` where defaults, rest parameters or
 * `arguments` hide it.
 */
export function takesParams(value: unknown, position: number): 'yes' | 'no' | 'maybe' {
  if (typeof value !== 'function' || value.length > position) return typeof value === 'function' ? 'yes' : 'maybe';
  const text = Function.prototype.toString.call(value);
  const head = text.slice(0, text.indexOf('=>') > 0 ? text.indexOf('=>') : text.indexOf('{', text.indexOf(')')));
  return /=|\.\.\./.test(head) || /\barguments\b|\[native code\]/.test(text) ? 'maybe' : 'no';
}
