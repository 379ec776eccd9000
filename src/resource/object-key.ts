/** `namespace/name`, or `name` for a cluster-scoped object: unique within one kind. */
export type ObjectKey = string;

/** The key of an object within its kind. */
export function keyOf(meta: { readonly name: string; readonly namespace?: string | undefined }): ObjectKey {
  return meta.namespace === undefined ? meta.name : `${meta.namespace}/${meta.name}`;
}

/** Name and namespace behind a key. */
export function parseKey(key: ObjectKey): { readonly namespace?: string; readonly name: string } {
  const slash = key.indexOf('/');
  return slash < 0 ? { name: key } : { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}
