// resource/
export { ConfigMap, Node, Pod } from './resource/core-kinds.ts';
export type { ConfigMapObject, NodeObject, PodObject } from './resource/core-kinds.ts';
export { defineKindOf } from './resource/kind.ts';
export type { Kind, Scope } from './resource/kind.ts';
export type { DesiredObject, KubernetesObject, ObjectMeta } from './resource/kubernetes-object.ts';
// definition/
export { defineLifecycle } from './definition/define-lifecycle.ts';
