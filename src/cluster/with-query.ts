/** A path with the parameters that have a value, encoded. */
export function withQuery(path: string, parameters: Readonly<Record<string, string | number | undefined>>): string {
  let query = '';
  for (const name in parameters) {
    const value = parameters[name];
    if (value === undefined) continue;
    query += `${query === '' ? '?' : '&'}${name}=${encodeURIComponent(value)}`;
  }
  return path + query;
}
