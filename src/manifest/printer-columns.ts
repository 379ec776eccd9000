import type { Lifecycle } from '../definition/lifecycle.ts';
import type { PrinterColumn } from './custom-resource-definition.ts';

/**
 * The columns of `kubectl get`: Phase, Since, Ready, the author's, Age.
 *
 * Since is the instant of the last transition: the history's last entry, since `entered` is keyed by state, which a JSONPath
 * cannot look up, and a condition's lastTransitionTime stays when one moving phase follows another.
 */
export function printerColumns({ vocabulary }: Lifecycle): readonly PrinterColumn[] {
  return [
    { name: 'Phase', type: 'string', jsonPath: '.status.phase' },
    { name: 'Since', type: 'date', jsonPath: '.status.lifecycle.history[-1:].at', description: 'Time since the last transition.' },
    { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
    ...vocabulary.columns.map(({ name, type, jsonPath }) => ({ name, type, jsonPath })),
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ];
}
