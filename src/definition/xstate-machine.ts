import { type AnyStateMachine, type StateNode, setup } from 'xstate';
import type { MachineConfig } from './machine-config.ts';
import type { MachineContext } from './machine-context.ts';
import { acceptAction, builtInFacts, notGuard } from './reserved-names.ts';

/** A machine as XState makes it. This file is the only one of the room that imports XState. */
export type XStateMachine = AnyStateMachine;

type Section = Readonly<Record<string, unknown>>;

/** The part of a vocabulary that XState needs: names. */
interface Names {
  readonly kind: string;
  readonly machineVersion: string;
  readonly facts: Section;
  readonly guards: Section;
  readonly timeouts: Section;
  readonly ensure: Section;
  readonly deletes: Section;
  readonly announce: Section;
  readonly remembers: Section;
}

/** What XState made of one `on` or `after` list: the path of each edge's target, in order. */
export interface ResolvedState {
  readonly path: string;
  /** By XState's event type; timeouts are `xstate.after.<timeout>.<id of the state>`. */
  readonly targets: ReadonlyMap<string, readonly (string | undefined)[]>;
}

/**
 * A genuine XState machine: every guard asks the context's `judge`, every action does nothing (effects are data), every delay is 1
 * (time is ours). Its id is the kind, its version the machine's version.
 */
export function createXStateMachine(vocabulary: Names, config: MachineConfig): XStateMachine {
  const context: MachineContext & Record<string, unknown> = { judge: () => false };
  const build = setup({
    types: {
      // A cast carries the type only, as XState asks for it; the value is never read.
      context: {} as MachineContext & Record<string, unknown>,
      // A cast, as above.
      events: {} as { type: string },
    },
    guards: Object.fromEntries(guardNames(vocabulary).map((name) => [name, judged(name)])),
    actions: Object.fromEntries(actionNames(vocabulary).map((name) => [name, () => {}])),
    delays: Object.fromEntries(Object.keys(vocabulary.timeouts).map((name) => [name, 1])),
  });
  const machine: unknown = build.createMachine({
    // XState's types want every name as a literal; ours were checked against the vocabulary before.
    ...(config as object),
    id: vocabulary.kind,
    version: vocabulary.machineVersion,
    context,
  });
  // XState's own type has fourteen parameters, none of which says more here.
  return machine as XStateMachine;
}

/** Where each edge of each state leads, as XState resolved it, in document order. */
export function resolveStates(machine: XStateMachine): readonly ResolvedState[] {
  const states: ResolvedState[] = [];
  const visit = (node: StateNode): void => {
    const targets = new Map<string, readonly (string | undefined)[]>();
    for (const [event, edges] of node.transitions)
      targets.set(
        event,
        edges.map((edge) => edge.target?.[0]?.path.join('.')),
      );
    states.push({ path: node.path.join('.'), targets });
    for (const child of Object.values(node.states)) visit(child);
  };
  // XState types the root of any machine with `any`.
  visit(machine.root as StateNode);
  return states;
}

/** The event by which XState knows a timeout of a state. */
export function timeoutEvent(kind: string, path: string, timeout: string): string {
  return `xstate.after.${timeout}.${path === '' ? kind : `${kind}.${path}`}`;
}

function judged(name: string) {
  return ({ context }: { context: MachineContext }, params: unknown): boolean =>
    // Params are JSON objects: the config was checked.
    context.judge({ name, params: (params ?? {}) as Readonly<Record<string, unknown>> });
}

function guardNames(vocabulary: Names): readonly string[] {
  return [...Object.keys(vocabulary.guards), ...Object.keys(vocabulary.facts), ...builtInFacts, notGuard];
}

function actionNames({ ensure, deletes, announce, remembers }: Names): readonly string[] {
  return [ensure, deletes, announce, remembers].flatMap((section) => Object.keys(section)).concat(acceptAction);
}
