import type { ChartEdge } from '../definition/chart.ts';
import type { Fired, Lifecycle } from '../definition/lifecycle.ts';
import { UnknownSignal } from '../definition/unknown-signal.ts';
import type { AnyView } from '../definition/view.ts';
import { PhasekeeperError } from '../failure/phasekeeper-error.ts';
import { isPromise } from './is-promise.ts';
import type { Observation } from './observation.ts';
import type { Position } from './position.ts';

type Json = Readonly<Record<string, unknown>>;

/** The memory after an edge. */
export type Remembered =
  | { readonly type: 'memory'; readonly memory: Json }
  | { readonly type: 'unknown'; readonly what: string }
  | { readonly type: 'fault'; readonly place: string; readonly error: unknown };

/** What an edge is about to do. */
export interface Taking {
  readonly edge: ChartEdge;
  readonly fired: Fired;
}

/** Runs the remembers of an edge in their order, each on the memory that the one before left. It never throws. */
export function remember(
  lifecycle: Lifecycle,
  before: { readonly position: Position; readonly observation: Observation },
  taking: Taking,
): Remembered {
  const { remembers, memory: schema } = lifecycle.vocabulary;
  let memory: Json = before.position.memory;
  for (const { name, params } of taking.edge.actions) {
    const change = Object.hasOwn(remembers, name) ? remembers[name] : undefined;
    if (change === undefined) continue;
    const place = `remember ${name}`;
    try {
      const changed: unknown = change(asRemembered(before.observation.view, memory, taking.fired), params);
      const parsed = schema.safeParse({ ...memory, ...(isJson(changed) ? changed : {}) });
      if (!isJson(changed) || !parsed.success)
        return { type: 'fault', place, error: notMemory(place, parsed.error?.message ?? 'it is no object') };
      // The memory schema is an object's: the definition refuses any other.
      memory = parsed.data as Json;
    } catch (thrown) {
      if (thrown instanceof UnknownSignal) return { type: 'unknown', what: `${place} (${thrown.what})` };
      return { type: 'fault', place, error: thrown };
    }
  }
  return { type: 'memory', memory };
}

/** The view with the memory so far. Its parts are looked up when read: some of them are worked out then, or are not known. */
function asRemembered(view: AnyView, memory: Json, fired: Fired): AnyView & { readonly fired: Fired } {
  return {
    get object() {
      return view.object;
    },
    get spec() {
      return view.spec;
    },
    get accepted() {
      return view.accepted;
    },
    get stable() {
      return view.stable;
    },
    get dependents() {
      return view.dependents;
    },
    get watches() {
      return view.watches;
    },
    get probes() {
      return view.probes;
    },
    memory,
    fired,
  };
}

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isPromise(value);
}

function notMemory(place: string, problem: string): PhasekeeperError {
  return new PhasekeeperError(`${place} does not fit the memory: ${problem}`, {
    code: 'NOT_MEMORY',
    disposition: 'terminal',
    data: { place },
  });
}
