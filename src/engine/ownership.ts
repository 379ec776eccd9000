import type { KubernetesObject } from '../resource/kubernetes-object.ts';

/** Whose a labelled dependent is: ours, nobody's (it is adopted), or another object's. */
export type Ownership = 'ours' | 'unowned' | 'foreign';

/** Judges a dependent by its controller reference. */
export function ownershipOf(dependent: KubernetesObject, ownerUid: string): Ownership {
  const controller = dependent.metadata.ownerReferences?.find((reference) => reference.controller === true);
  if (controller === undefined) return 'unowned';
  return controller.uid === ownerUid ? 'ours' : 'foreign';
}
