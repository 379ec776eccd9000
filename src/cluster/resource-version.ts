/**
 * Orders two resource versions of one kind: negative when `left` is older. They are decimal numbers of any length; `''` stands
 * for none and is older than all.
 */
export function compareResourceVersions(left: string, right: string): number {
  if (left.length !== right.length) return left.length - right.length;
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
