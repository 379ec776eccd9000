import type { KubernetesObject } from '../resource/kubernetes-object.ts';
import { keyOf, type ObjectKey } from '../resource/object-key.ts';
import type { WatchLine } from './watch-line.ts';

/** What a watch tells before its initial-events-end bookmark: held back, so that it can replace the cache's content as one. */
export class InitialEvents<O extends KubernetesObject> {
  readonly #objects = new Map<ObjectKey, O>();
  readonly #prepare: (object: O) => O;

  /** @param prepare what is held in place of an object */
  constructor(prepare: (object: O) => O) {
    this.#prepare = prepare;
  }

  add(line: Extract<WatchLine<O>, { readonly object: O }>): void {
    const key = keyOf(line.object.metadata);
    if (line.type === 'DELETED') this.#objects.delete(key);
    else this.#objects.set(key, this.#prepare(line.object));
  }

  objects(): O[] {
    return [...this.#objects.values()];
  }
}
