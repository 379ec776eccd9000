import type { AcceptedSpec } from '../definition/lifecycle-record.ts';
import { names } from '../definition/reserved-names.ts';
import type { AnyView } from '../definition/view.ts';
import { parseCommand } from '../machine/parse-command.ts';
import type { Observation } from '../machine/decide.ts';
import type { Position } from '../machine/position.ts';
import type { KubernetesObject } from '../resource/kubernetes-object.ts';
import { keyOf, type ObjectKey } from '../resource/object-key.ts';
import type { ObjectMemory } from './object-memory.ts';
import { ownershipOf } from './ownership.ts';
import type { Problem } from './problem.ts';
import { ownerIndex, type Scene } from './scene.ts';

type Json = Readonly<Record<string, unknown>>;
const byName = new Intl.Collator('en', { numeric: true });

/** One reconcile of one object: the object as we last saw it, its position, and views made from them. */
export class Run {
  readonly scene: Scene;
  readonly memory: ObjectMemory;
  readonly key: ObjectKey;
  object: KubernetesObject;
  position: Position;
  spec: Json;
  #view: AnyView | undefined;
  #stored: { readonly position: Position; readonly problem: Problem | undefined } | undefined;

  constructor(
    scene: Scene,
    memory: ObjectMemory,
    at: { readonly object: KubernetesObject; readonly position: Position; readonly spec: Json },
  ) {
    this.scene = scene;
    this.memory = memory;
    this.object = at.object;
    this.position = at.position;
    this.spec = at.spec;
    this.key = keyOf(at.object.metadata);
  }

  /** How messages name the object: `NodePool demo`. */
  get name(): string {
    return `${this.scene.lifecycle.kind.kind} ${this.key}`;
  }

  get generation(): number {
    return this.object.metadata.generation ?? 0;
  }

  get deleting(): boolean {
    return this.object.metadata.deletionTimestamp !== undefined;
  }

  get nowMs(): number {
    return this.scene.cluster.time.nowMs();
  }

  /** The same object at another position: what would be seen after an edge. */
  at(position: Position): Run {
    return position === this.position ? this : new Run(this.scene, this.memory, { object: this.object, position, spec: this.spec });
  }

  /** What is seen now; made anew after something changed. */
  view(): AnyView {
    this.#view ??= this.#look();
    return this.#view;
  }

  #look(): AnyView {
    const { position } = this;
    const { lifecycle, watches } = this.scene;
    return {
      object: this.object.metadata,
      spec: this.spec,
      accepted: position.accepted?.spec ?? this.spec,
      stable: position.stable?.spec,
      memory: position.memory,
      dependents: mapValues(lifecycle.vocabulary.dependents, (group) => this.owned(group)),
      watches: mapValues(watches, (group) => sorted(watches[group]?.by(group, this.key) ?? [])),
      probes: this.#probes(),
    };
  }

  observation(): Observation {
    const { metadata } = this.object;
    const annotation = metadata.annotations?.[names.commandAnnotation];
    const command =
      annotation === undefined
        ? undefined
        : parseCommand(annotation, {
            by: metadata.annotations?.[names.commandByAnnotation],
            reason: metadata.annotations?.[names.commandReasonAnnotation],
          });
    return {
      view: this.view(),
      nowMs: this.nowMs,
      generation: this.generation,
      name: this.name,
      ...(this.memory.refused === undefined ? {} : { refused: this.memory.refused }),
      ...(command === undefined ? {} : { command }),
    };
  }

  /** Dependents of a group that carry our label and nobody else controls, by name. */
  owned(group: string): readonly KubernetesObject[] {
    return sorted(this.labelled(group).filter((dependent) => ownershipOf(dependent, this.object.metadata.uid) !== 'foreign'));
  }

  /** Dependents of a group that carry our label, whoever controls them. */
  labelled(group: string): readonly KubernetesObject[] {
    return this.scene.dependents[group]?.by(ownerIndex, this.memory.ownerLabel) ?? [];
  }

  /** What the current spec would be stored as when accepted. */
  asked(): AcceptedSpec {
    return { generation: this.generation, spec: { ...this.spec } };
  }

  /** Something we wrote changed what is seen. */
  changed(): void {
    this.#view = undefined;
    this.#stored = undefined;
  }

  moveTo(position: Position): void {
    this.position = position;
    this.changed();
  }

  /** What is stored is the position with this problem, and nothing changed since. */
  noteStored(problem: Problem | undefined): void {
    this.#stored = { position: this.position, problem };
  }

  /** Whether storing this would write nothing: the last write said it, and nothing of ours changed since. */
  isStored(position: Position, problem: Problem | undefined): boolean {
    return this.#stored !== undefined && this.#stored.position === position && this.#stored.problem === problem;
  }

  #probes(): Json {
    const { vocabulary } = this.scene.lifecycle;
    const probes: Record<string, unknown> = {};
    for (const [name, probe] of Object.entries(vocabulary.probes)) {
      const read = (): unknown =>
        this.scene.probes.read({
          key: this.key,
          uid: this.object.metadata.uid,
          name,
          probe,
          input: probe.input(this.view()),
          enteredMs: this.position.enteredMs[this.position.state] ?? 0,
        });
      Object.defineProperty(probes, name, { enumerable: true, get: read });
    }
    return probes;
  }
}

function sorted(objects: readonly KubernetesObject[]): readonly KubernetesObject[] {
  return objects.length < 2 ? objects : objects.toSorted((a, b) => byName.compare(a.metadata.name, b.metadata.name));
}

function mapValues<T>(record: Readonly<Record<string, unknown>>, map: (name: string) => T): Readonly<Record<string, T>> {
  const result: Record<string, T> = {};
  for (const name of Object.keys(record)) result[name] = map(name);
  return result;
}
