// failure/
export { PhasekeeperError } from './failure/phasekeeper-error.ts';
export type { Disposition, PhasekeeperErrorOptions } from './failure/phasekeeper-error.ts';

// resource/
export type { Condition } from './resource/condition.ts';
export { ConfigMap, Node, Pod } from './resource/core-kinds.ts';
export type { ConfigMapObject, NodeObject, PodObject } from './resource/core-kinds.ts';
export { defineKindOf, groupOf } from './resource/kind.ts';
export type { Kind, Scope } from './resource/kind.ts';
export type { DesiredObject, KubernetesObject, ObjectMeta, OwnerReference } from './resource/kubernetes-object.ts';
export { keyOf, parseKey } from './resource/object-key.ts';
export type { ObjectKey } from './resource/object-key.ts';

// definition/
export type { Chart, ChartEdge, ChartNode, NamedReference, Trigger, TriggerType } from './definition/chart.ts';
export { edgesFrom, levelsOf, nodeAt, phaseOf } from './definition/chart-walk.ts';
export { defineLifecycle } from './definition/define-lifecycle.ts';
export { DefinitionError } from './definition/definition-error.ts';
export type { DefinitionFault, DefinitionFaultCode } from './definition/definition-error.ts';
export type { AnyVocabulary, EventOf, Fired, Lifecycle, PhaseOf, Report, StateOf, Transition } from './definition/lifecycle.ts';
export { lifecycleRecordSchema } from './definition/lifecycle-record.ts';
export type { AcceptedSpec, LifecycleRecord, TransitionEntry } from './definition/lifecycle-record.ts';
export type { EdgeConfig, KStatus, MachineConfig, Many, Reference, StateConfig } from './definition/machine-config.ts';
export type { MachineContext } from './definition/machine-context.ts';
export type { AnyView, Kinds, ObjectsOf, View } from './definition/view.ts';
