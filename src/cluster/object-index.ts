import type { KubernetesObject } from '../resource/kubernetes-object.ts';
import type { ObjectKey } from '../resource/object-key.ts';

const none: readonly never[] = Object.freeze([]);

/** Objects by a value that they carry: kept up to date one change at a time. */
export class ObjectIndex<O extends KubernetesObject> {
  readonly #valuesOf: (object: O) => readonly string[];
  readonly #objects = new Map<string, Map<ObjectKey, O>>();

  /** @param valuesOf pure: the same values for the same object */
  constructor(valuesOf: (object: O) => readonly string[]) {
    this.#valuesOf = valuesOf;
  }

  by(value: string): readonly O[] {
    const bucket = this.#objects.get(value);
    return bucket === undefined ? none : [...bucket.values()];
  }

  add(key: ObjectKey, object: O): void {
    for (const value of this.#valuesOf(object)) {
      const bucket = this.#objects.get(value);
      if (bucket === undefined) this.#objects.set(value, new Map([[key, object]]));
      else bucket.set(key, object);
    }
  }

  remove(key: ObjectKey, object: O): void {
    for (const value of this.#valuesOf(object)) {
      const bucket = this.#objects.get(value);
      if (bucket?.delete(key) && bucket.size === 0) this.#objects.delete(value);
    }
  }
}
