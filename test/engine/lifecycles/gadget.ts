import { ConfigMap, type ConfigMapObject, defineLifecycle, type DesiredObject } from 'phasekeeper';
import { z } from 'zod';

/** A part with this annotation counts as broken; nobody but a test writes it. */
export const brokenAnnotation = 'gadget.test/broken';

interface Seen {
  readonly object: { readonly name: string };
  readonly accepted: { readonly size: number; readonly color: string };
  readonly dependents: { readonly parts: readonly ConfigMapObject[] };
}

/** What a test changes while the operator runs. */
export interface GadgetHooks {
  /** Whether the parts can be ready at all. Default true. */
  open?: boolean;
  /** Whether Running takes another spec. Default true. */
  mayAccept?: boolean;
  /** Called with each judgement of `partsReady`; what it throws, the fact throws. */
  onJudge?: () => void;
  onGuard?: () => void;
  onEnsure?: () => void;
  onReport?: () => void;
  /** Replaces the data of a part. */
  dataOf?: (view: Seen, ordinal: number) => Readonly<Record<string, string>>;
  /** Whether the edge into Running may be stored. Default true. */
  isAllowed?: () => boolean;
  adopts?: 'unknown';
}

/**
 * A kind whose parts are ConfigMaps `<gadget>-0`, `<gadget>-1`, …: they are there as soon as they are written, so that a whole life
 * takes milliseconds. It accepts its spec, shrinks part by part, repairs, fails, and cleans up behind itself.
 */
export function defineGadget(hooks: GadgetHooks = {}) {
  return gadgetVocabulary(hooks).createMachine({
    initial: 'Pending',
    on: { deleted: '.Deleting' },
    states: {
      Pending: {
        meta: { kstatus: 'InProgress' },
        on: {
          reset: { target: 'Building', actions: 'attempt' },
          unaccepted: { target: 'Building', actions: 'accept' },
          sizeKnown: 'Building',
        },
      },
      Building: {
        meta: { kstatus: 'InProgress' },
        entry: 'parts',
        on: {
          partsReady: 'Running',
          specChanged: { target: 'Building', reenter: true, actions: 'accept' },
          surplusParts: 'Shrinking',
          refused: 'Failed',
        },
      },
      Running: {
        meta: { kstatus: 'Current' },
        entry: 'parts',
        on: {
          rebuild: { target: 'Building', actions: 'attempt' },
          askedSmaller: { target: 'Shrinking', guard: 'mayAccept', actions: 'accept' },
          specChanged: { target: 'Building', guard: 'mayAccept', actions: 'accept' },
          partsBroken: 'Repairing',
          surplusParts: 'Shrinking',
        },
      },
      Repairing: {
        meta: { kstatus: 'InProgress' },
        entry: 'parts',
        on: { partsReady: 'Running', specChanged: { target: 'Building', actions: 'accept' } },
      },
      Shrinking: {
        meta: { kstatus: 'InProgress' },
        entry: ['parts', 'surplus'],
        on: { partsReady: 'Running', specChanged: { target: 'Building', actions: 'accept' } },
      },
      Failed: {
        meta: { kstatus: 'Failed' },
        on: {
          specChanged: { target: 'Pending', actions: 'accept' },
          partsReady: 'Running',
          retry: { target: 'Pending', actions: 'attempt' },
        },
      },
      Deleting: { meta: { kstatus: 'Terminating' }, entry: 'all' },
    },
  });
}

/** Gadget 2.0.0: at most five parts, and the machine has no phase Repairing any more. With `migrates` its objects go to Building. */
export function defineNextGadget(migrates: boolean) {
  return gadgetVocabulary({}, { machineVersion: '2.0.0', largest: 5, migrations: migrates ? { Repairing: 'Building' } : {} }).createMachine(
    {
      initial: 'Pending',
      on: { deleted: '.Deleting' },
      states: {
        Pending: { meta: { kstatus: 'InProgress' }, on: { unaccepted: { target: 'Building', actions: 'accept' }, sizeKnown: 'Building' } },
        Building: { meta: { kstatus: 'InProgress' }, entry: 'parts', on: { partsReady: 'Running' } },
        Running: { meta: { kstatus: 'Current' }, entry: 'parts', on: { partsBroken: 'Building' } },
        Deleting: { meta: { kstatus: 'Terminating' }, entry: 'all' },
      },
    },
  );
}

interface Release {
  readonly machineVersion: string;
  readonly largest: number;
  readonly migrations: Readonly<Record<string, string>>;
}

function gadgetVocabulary(
  hooks: GadgetHooks,
  { machineVersion, largest, migrations }: Release = { machineVersion: '1.0.0', largest: 20, migrations: {} },
) {
  return defineLifecycle({
    group: 'gadget.test',
    version: 'v1',
    kind: 'Gadget',
    scope: 'Namespaced',
    machineVersion,
    spec: z.object({ size: z.int().min(0).max(largest), color: z.string().default('red') }),
    status: z.object({ parts: z.int().default(0) }),
    memory: z.object({ attempts: z.int().default(0) }),
    dependents: { parts: ConfigMap },
    facts: {
      sizeKnown: { when: () => true, says: 'the size is known' },
      partsReady: {
        when: (view) => {
          hooks.onJudge?.();
          return hooks.open !== false && readyCount(view) === view.accepted.size && surplus(view).length === 0;
        },
        says: (view) => `${readyCount(view)} of ${view.accepted.size} parts ready`,
      },
      partsBroken: { when: (view) => readyCount(view) < view.accepted.size, says: 'a part is missing or broken' },
      surplusParts: { when: (view) => surplus(view).length > 0, says: 'there are too many parts' },
      askedSmaller: { when: (view) => view.spec.size < view.accepted.size, says: 'fewer parts are asked for' },
    },
    commands: { retry: { says: 'try again' }, reset: {}, rebuild: { says: 'build once more' } },
    guards: {
      mayAccept: () => {
        hooks.onGuard?.();
        return hooks.mayAccept !== false;
      },
    },
    remembers: { attempt: ({ memory }) => ({ attempts: memory.attempts + 1 }) },
    ensure: {
      parts: (view) => {
        hooks.onEnsure?.();
        return Array.from({ length: view.accepted.size }, (_, ordinal) => partOf(view, ordinal, hooks));
      },
    },
    deletes: {
      surplus: { from: 'parts', oneAtATime: true, only: (live, view) => ordinalOf(view, live) >= view.accepted.size },
      all: { from: 'parts', only: () => true },
    },
    report: (view) => {
      hooks.onReport?.();
      return { status: { parts: view.dependents.parts.length } };
    },
    adopt: (view) => {
      const [first] = view.dependents.parts;
      if (hooks.adopts === 'unknown' || first === undefined) return 'unknown';
      return { size: view.dependents.parts.length, color: first.data?.['color'] ?? 'red' };
    },
    invariants: { runningIsAllowed: ({ transition }) => transition.to !== 'Running' || (hooks.isAllowed?.() ?? true) },
    migrations,
  });
}

function partOf(view: Seen, ordinal: number, hooks: GadgetHooks): DesiredObject {
  const data = hooks.dataOf?.(view, ordinal) ?? { color: view.accepted.color };
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `${view.object.name}-${ordinal}` }, data };
}

function ordinalOf(view: Seen, part: ConfigMapObject): number {
  return Number(part.metadata.name.slice(view.object.name.length + 1));
}

function isReady(view: Seen, part: ConfigMapObject): boolean {
  const { annotations, deletionTimestamp } = part.metadata;
  const inColor = part.data?.['color'] === view.accepted.color;
  return (
    inColor &&
    deletionTimestamp === undefined &&
    annotations?.[brokenAnnotation] === undefined &&
    ordinalOf(view, part) < view.accepted.size
  );
}

function readyCount(view: Seen): number {
  return view.dependents.parts.filter((part) => isReady(view, part)).length;
}

function surplus(view: Seen): readonly ConfigMapObject[] {
  return view.dependents.parts.filter((part) => ordinalOf(view, part) >= view.accepted.size);
}
