/** An instant as it is stored: RFC 3339 in UTC with milliseconds. */
export function instantText(ms: number): string {
  return new Date(ms).toISOString();
}
