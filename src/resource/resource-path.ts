import type { Kind } from './kind.ts';

export interface ResourceLocation {
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  /** `status`, `eviction`, `scale`. */
  readonly subresource?: string | undefined;
}

/** The URL path of a collection, an object or a subresource. */
export function resourcePath(kind: Kind, at: ResourceLocation = {}): string {
  const root = kind.apiVersion.includes('/') ? `/apis/${kind.apiVersion}` : `/api/${kind.apiVersion}`;
  const space = kind.scope === 'Namespaced' && at.namespace !== undefined ? `/namespaces/${encodeURIComponent(at.namespace)}` : '';
  const name = at.name === undefined ? '' : `/${encodeURIComponent(at.name)}`;
  const sub = at.subresource === undefined ? '' : `/${at.subresource}`;
  return `${root}${space}/${kind.plural}${name}${sub}`;
}
