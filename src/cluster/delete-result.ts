import type { KubernetesObject } from '../resource/kubernetes-object.ts';

/** What a delete led to. `gone`: the object is not stored any more. `deleting`: it stays until finalizers or a grace period end. */
export type DeleteResult = { readonly type: 'gone' } | { readonly type: 'deleting'; readonly object: KubernetesObject };
