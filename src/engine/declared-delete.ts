import type { NamedReference } from '../definition/chart.ts';
import type { AnyDelete } from '../definition/lifecycle.ts';
import { PhasekeeperError } from '../failure/phasekeeper-error.ts';
import type { KubernetesObject } from '../resource/kubernetes-object.ts';
import { evaluate } from './evaluate.ts';
import type { Run } from './run.ts';

/** The declaration behind an entry. @throws PhasekeeperError UNKNOWN_DELETE, fatal: the definition's checks rule it out */
export function declaredDelete(run: Run, entry: NamedReference): AnyDelete {
  const declared = run.scene.lifecycle.vocabulary.deletes[entry.name];
  if (declared !== undefined) return declared;
  throw new PhasekeeperError(`${run.name}: no delete is called ${entry.name}`, { code: 'UNKNOWN_DELETE', disposition: 'fatal' });
}

/** Whether the declaration lets this object go, as the object reads now. Unknown means no. */
export function mayDelete(run: Run, entry: NamedReference, object: KubernetesObject): boolean {
  const declared = declaredDelete(run, entry);
  const judged = evaluate({ place: `delete ${entry.name}`, object: run.name }, () => declared.only(object, run.view(), entry.params));
  return judged.type === 'value' && judged.value;
}

/** Dependents that are to go, the last by name first; those already being deleted are among them. */
export function deletableNow(run: Run, entry: NamedReference): readonly KubernetesObject[] {
  const declared = declaredDelete(run, entry);
  return run
    .owned(declared.from)
    .filter((dependent) => mayDelete(run, entry, dependent))
    .toReversed();
}
