import type { KubernetesObject } from './kubernetes-object.ts';

/** Whether the objects of a kind live in a namespace. */
export type Scope = 'Cluster' | 'Namespaced';

/** A kind of object, as the API server serves it. `O` is the type of its objects. */
export interface Kind<O extends KubernetesObject = KubernetesObject> {
  /** `v1` or `group/version`. */
  readonly apiVersion: string;
  readonly kind: string;
  /** The resource's name in URLs, lower case. */
  readonly plural: string;
  readonly scope: Scope;
  /** Never set; carries the type. */
  readonly $object?: O;
}

/** Declares a kind. The plural defaults to the kind in lower case with an `s`. */
export function defineKindOf<O extends KubernetesObject>(
  kind: Omit<Kind<O>, 'plural' | '$object'> & { readonly plural?: string },
): Kind<O> {
  return Object.freeze({ ...kind, plural: kind.plural ?? `${kind.kind.toLowerCase()}s` });
}

/** `''` for the core group. */
export function groupOf(kind: Pick<Kind, 'apiVersion'>): string {
  const slash = kind.apiVersion.indexOf('/');
  return slash < 0 ? '' : kind.apiVersion.slice(0, slash);
}
