import { stringify } from 'yaml';
import type { KubernetesObject } from '../resource/kubernetes-object.ts';
import { qualifiedName, type ServedKind } from './served-kind.ts';

export interface ObjectsTextOptions {
  readonly output: 'json' | 'yaml' | 'name';
  readonly served: ServedKind;
  /** One document per object as it changes, instead of one for all. */
  readonly stream: boolean;
}

/** Objects for programs: as stored, without `managedFields`. Several are a List, in a stream one document each. */
export function objectsText(objects: readonly KubernetesObject[], { output, served, stream }: ObjectsTextOptions): string {
  if (output === 'name') return objects.map(({ metadata }) => `${qualifiedName(served)}/${metadata.name}\n`).join('');
  const shown = objects.map(withoutManagedFields);
  if (stream) return shown.map((object) => (output === 'json' ? `${JSON.stringify(object)}\n` : `---\n${stringify(object)}`)).join('');
  const one = shown.length === 1 ? shown[0] : { apiVersion: 'v1', kind: 'List', items: shown };
  return output === 'json' ? `${JSON.stringify(one, undefined, 2)}\n` : stringify(one);
}

function withoutManagedFields(object: KubernetesObject): object {
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}
