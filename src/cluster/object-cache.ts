import { messageOf } from '../failure/message-of.ts';
import { PhasekeeperError } from '../failure/phasekeeper-error.ts';
import type { Kind } from '../resource/kind.ts';
import type { KubernetesObject } from '../resource/kubernetes-object.ts';
import { keyOf, type ObjectKey } from '../resource/object-key.ts';
import { ObjectIndex } from './object-index.ts';
import { OwnVersions } from './own-versions.ts';
import { compareResourceVersions } from './resource-version.ts';
import { Tombstones } from './tombstones.ts';

/** One object as it changed. `deleted` carries its last known form. */
export interface CacheChange<O> {
  readonly type: 'added' | 'updated' | 'deleted';
  readonly object: O;
  /** What was stored before; absent on `added`. */
  readonly previous?: O;
  /** The answer to a write of this process, not news from the watch. */
  readonly own: boolean;
}

export interface ObjectCacheOptions<O extends KubernetesObject> {
  readonly kind: Kind<O>;
  /** What is stored in place of an object, to save memory: drop `managedFields` where nothing reads them. */
  readonly keep?: ((object: O) => O) | undefined;
  readonly indexes?: Readonly<Record<string, (object: O) => readonly string[]>> | undefined;
  /** Hears what a listener, `keep` or an index threw. Default: the `onError` of the reflector that fills it; before there is one it is thrown. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

const tombstoneLimit = 10_000;

/**
 * What is known of one kind's objects: the watch's news and our own writes' answers, whichever is newer.
 *
 * Guarantees: an object's version never goes back; a UID known to be deleted never returns; each deletion is told once; a listener
 * that throws hides nothing from the others.
 */
export class ObjectCache<O extends KubernetesObject> {
  readonly kind: Kind<O>;
  readonly #keep: ((object: O) => O) | undefined;
  readonly #objects = new Map<ObjectKey, O>();
  readonly #indexes = new Map<string, ObjectIndex<O>>();
  readonly #listeners = new Set<(change: CacheChange<O>) => void>();
  readonly #gone = new Tombstones(tombstoneLimit);
  readonly #own = new OwnVersions();
  #list: readonly O[] | undefined;
  #onError: ((error: unknown) => void) | undefined;
  #highest = '';
  #synced = false;

  constructor(options: ObjectCacheOptions<O>) {
    this.kind = options.kind;
    this.#keep = options.keep;
    this.#onError = options.onError;
    for (const [name, valuesOf] of Object.entries(options.indexes ?? {})) {
      this.#indexes.set(name, new ObjectIndex((object) => this.#guarded(() => valuesOf(object), [])));
    }
  }

  get size(): number {
    return this.#objects.size;
  }

  /** Whether it has held everything once. */
  get synced(): boolean {
    return this.#synced;
  }

  /** The highest version seen, of an object, a list or a bookmark; `''` before any. */
  get resourceVersion(): string {
    return this.#highest;
  }

  get(key: ObjectKey): O | undefined {
    return this.#objects.get(key);
  }

  /** In no particular order. The array is shared until the next change. */
  list(): readonly O[] {
    this.#list ??= [...this.#objects.values()];
    return this.#list;
  }

  /** Throws `CACHE_INDEX_UNKNOWN` for an index that was not declared. */
  by(index: string, value: string): readonly O[] {
    const found = this.#indexes.get(index);
    if (found !== undefined) return found.by(value);
    throw new PhasekeeperError(`the cache of ${this.kind.kind} has no index "${index}"`, {
      code: 'CACHE_INDEX_UNKNOWN',
      disposition: 'fatal',
      data: { index, known: [...this.#indexes.keys()] },
    });
  }

  /** @returns ends the subscription */
  subscribe(listener: (change: CacheChange<O>) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Puts our own write's answer in. An older version than the stored one, or a UID known to be deleted, is ignored. */
  observe(object: O): void {
    this.#own.add(object.metadata.resourceVersion);
    this.#store(this.prepare(object), true);
  }

  /** Our own delete was answered as gone. */
  forget(key: ObjectKey, uid: string): void {
    this.#gone.add(uid);
    const stored = this.#objects.get(key);
    if (stored?.metadata.uid === uid) this.#remove(key, stored, { object: stored, own: true });
  }

  /** For the reflector: an object as it is to be stored. */
  prepare(object: O): O {
    const keep = this.#keep;
    return keep === undefined ? object : this.#guarded(() => keep(object), object);
  }

  /** For the reflector: the version of a watch line that tells only of a write whose answer was observed; undefined for any other. */
  ownEcho(line: string): string | undefined {
    return this.#own.take(line);
  }

  /** An object as the watch or a live read tells it: others may have written it. Ignored unless it is newer than what is stored. */
  upsert(object: O): void {
    this.#store(this.prepare(object), false);
  }

  /** For the reflector: an object was deleted; `object` is its last form. */
  remove(object: O): void {
    const { uid, resourceVersion } = object.metadata;
    const key = keyOf(object.metadata);
    this.bookmark(resourceVersion);
    const stored = this.#objects.get(key);
    const isStored = stored?.metadata.uid === uid;
    if (isStored && compareResourceVersions(stored.metadata.resourceVersion, resourceVersion) > 0) return;
    this.#gone.add(uid, resourceVersion);
    if (isStored) this.#remove(key, stored, { object: this.prepare(object), own: false });
  }

  /**
   * For the reflector: everything there was at a version. What is stored and not in it is deleted, unless it was observed after
   * that version.
   *
   * @param objects as `prepare` returned them
   */
  replace(objects: readonly O[], resourceVersion: string): void {
    const listed = new Set<ObjectKey>();
    for (const object of objects) {
      listed.add(keyOf(object.metadata));
      this.#store(object, false);
    }
    for (const [key, stored] of this.#objects) {
      if (listed.has(key) || compareResourceVersions(stored.metadata.resourceVersion, resourceVersion) > 0) continue;
      this.#gone.add(stored.metadata.uid, resourceVersion);
      this.#remove(key, stored, { object: stored, own: false });
    }
    this.bookmark(resourceVersion);
    this.#synced = true;
  }

  /** For the reflector: the server has nothing older than this to tell. */
  bookmark(resourceVersion: string): void {
    if (compareResourceVersions(resourceVersion, this.#highest) > 0) this.#highest = resourceVersion;
  }

  /** For the reflector: hears errors when the cache's owner does not. */
  reportTo(onError: (error: unknown) => void): void {
    this.#onError ??= onError;
  }

  #store(object: O, own: boolean): void {
    const { uid, resourceVersion } = object.metadata;
    this.bookmark(resourceVersion);
    if (this.#gone.covers(uid, resourceVersion)) return;
    const key = keyOf(object.metadata);
    const stored = this.#objects.get(key);
    if (stored !== undefined && compareResourceVersions(resourceVersion, stored.metadata.resourceVersion) <= 0) return;
    if (stored !== undefined && stored.metadata.uid !== uid) {
      this.#gone.add(stored.metadata.uid);
      this.#remove(key, stored, { object: stored, own: false });
    }
    const previous = this.#objects.get(key);
    if (previous !== undefined) for (const index of this.#indexes.values()) index.remove(key, previous);
    this.#objects.set(key, object);
    this.#list = undefined;
    for (const index of this.#indexes.values()) index.add(key, object);
    this.#tell(previous === undefined ? { type: 'added', object, own } : { type: 'updated', object, previous, own });
  }

  #remove(key: ObjectKey, previous: O, change: { readonly object: O; readonly own: boolean }): void {
    this.#objects.delete(key);
    this.#list = undefined;
    for (const index of this.#indexes.values()) index.remove(key, previous);
    this.#tell({ type: 'deleted', object: change.object, previous, own: change.own });
  }

  #tell(change: CacheChange<O>): void {
    for (const listener of this.#listeners) this.#guarded(() => listener(change), undefined);
  }

  /** The result, or `otherwise` when it throws; the error is reported. */
  #guarded<T>(run: () => T, otherwise: T): T {
    try {
      return run();
    } catch (error) {
      this.#report(error);
      return otherwise;
    }
  }

  #report(error: unknown): void {
    const wrapped = new PhasekeeperError(`a handler of the cache of ${this.kind.kind} threw: ${messageOf(error)}`, {
      code: 'CACHE_HANDLER_FAILED',
      disposition: 'retry',
      data: { kind: this.kind.kind },
      cause: error,
    });
    if (this.#onError === undefined) throw wrapped;
    this.#onError(wrapped);
  }
}
