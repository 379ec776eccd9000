/** How often one desired state of one dependent was applied. */
export interface Applied {
  readonly digest: string;
  /** Applies of this digest after the first. */
  readonly corrections: number;
  readonly atMs: number;
  /** The server stores it differently: it is not applied again. */
  readonly notCanonical: boolean;
}

/** A spec that was parsed, and the version it was parsed from. */
export interface ParsedSpec {
  readonly resourceVersion: string;
  readonly spec: Readonly<Record<string, unknown>>;
  readonly invalid: string | undefined;
}

/**
 * What the engine remembers of one object between two reconciles. Nothing here decides a phase: after a restart it is empty, and
 * the first reconcile fills it again.
 */
export class ObjectMemory {
  readonly uid: string;
  /** Value of the owner label of its dependents. */
  readonly ownerLabel: string;
  /** Our last view was found stale: the next reconcile reads the object live. */
  behind = false;
  /** An ensure of the current phase failed permanently: its message. */
  refused: string | undefined;
  /** The last failure that was shown, so that a retry does not show it again. */
  shownFailure: string | undefined;
  /** The object's conditions show that failure; false when they could not be written yet. */
  isFailureStored = false;
  parsed: ParsedSpec | undefined;
  /** We saw it before it had any dependents: every one that exists went through our caches. */
  sawBeginning = false;
  // Most objects never need them, and there are as many memories as objects.
  #taken: Set<string> | undefined;
  #applied: Map<string, Applied> | undefined;

  constructor(uid: string, ownerLabel: string) {
    this.uid = uid;
    this.ownerLabel = ownerLabel;
  }

  applied(dependent: string): Applied | undefined {
    return this.#applied?.get(dependent);
  }

  noteApplied(dependent: string, applied: Applied): void {
    this.#applied ??= new Map();
    this.#applied.set(dependent, applied);
  }

  forgetApplied(dependent: string): void {
    this.#applied?.delete(dependent);
  }

  /** Whether this dependent's name was found to be taken: it is read before it is written again. */
  isTaken(dependent: string): boolean {
    return this.#taken?.has(dependent) === true;
  }

  noteTaken(dependent: string, taken: boolean): void {
    if (!taken) this.#taken?.delete(dependent);
    else (this.#taken ??= new Set()).add(dependent);
  }
}
