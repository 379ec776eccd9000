import type { KubernetesObject } from '../resource/kubernetes-object.ts';
import type { LegalMove } from './legal-move.ts';
import type { NextStep } from './next-step.ts';

/** What the definition says about an object and its dependents as they are now. */
export interface Insight {
  readonly explained: readonly NextStep[] | undefined;
  readonly dependents: readonly KubernetesObject[];
}

/** What is known of a kind's machine: from the definition in the working folder, else from the CRD. */
export interface Knowledge {
  readonly moves: readonly LegalMove[];
  /** Reads the dependents of all objects, or of one, once. What it returns is undefined where the definition or the rights are not at hand. */
  readonly observe: (of?: KubernetesObject) => Promise<(object: KubernetesObject) => Insight | undefined>;
}
