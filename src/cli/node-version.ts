/** Type stripping, HTTP/2 fixes and `util.styleText` as they are used here begin with this version. */
const oldest = [22, 19] as const;

/** What to tell the user of a Node that is too old; undefined for one that will do. @param version as in `process.versions.node` */
export function nodeComplaint(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > oldest[0] || (major === oldest[0] && minor >= oldest[1])) return undefined;
  return `error: phasekeeper needs Node ${oldest.join('.')} or newer, this is ${version}\nhint: install Node 24, or run: npx -p node@24 phasekeeper`;
}
