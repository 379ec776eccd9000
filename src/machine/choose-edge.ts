import type { AnyMachineSnapshot, AnyStateMachine, AnyTransitionDefinition } from 'xstate';
import { transition } from 'xstate';
import type { ChartEdge, NamedReference, Trigger } from '../definition/chart.ts';
import type { Lifecycle } from '../definition/lifecycle.ts';
import type { MachineContext } from '../definition/machine-context.ts';
import { timeoutEvent } from '../definition/xstate-machine.ts';
import { messageOf } from '../failure/message-of.ts';

/** What is put to XState. */
export interface Question {
  /** Path of the active leaf. */
  readonly state: string;
  readonly trigger: Trigger;
  /** Path of the level whose timeout it is. */
  readonly source: string;
  readonly payload: Readonly<Record<string, unknown>>;
  /** Must not throw: XState would wrap what is thrown. */
  readonly judge: (guard: NamedReference) => boolean;
}

/** Which edge XState takes. A mismatch means that the chart and XState read the config differently: a defect of ours. */
export type Choice =
  | { readonly type: 'edge'; readonly edge: ChartEdge }
  | { readonly type: 'none' }
  | { readonly type: 'mismatch'; readonly message: string };

interface Index {
  readonly snapshots: Map<string, AnyMachineSnapshot>;
  readonly edges: Map<AnyTransitionDefinition, ChartEdge>;
  /** Edges that were seen to lead from a leaf where the chart says. */
  readonly verified: Map<string, Set<ChartEdge>>;
}

const indexes = new WeakMap<Lifecycle, Index>();

/** Lets XState choose the edge for an event, guards judged, and checks that the chart knows that edge and its end. */
export function chooseEdge(lifecycle: Lifecycle, question: Question): Choice {
  try {
    return choose(lifecycle, question);
  } catch (thrown) {
    return { type: 'mismatch', message: messageOf(thrown) };
  }
}

function choose(lifecycle: Lifecycle, question: Question): Choice {
  const { machine } = lifecycle;
  const index = indexOf(lifecycle);
  const answers: boolean[] = [];
  const context: MachineContext = {
    judge: (guard) => {
      const answer = question.judge(guard);
      answers.push(answer);
      return answer;
    },
  };
  const event = { ...question.payload, type: eventType(machine.id, question.trigger, question.source) };
  const [chosen] = machine.getTransitionData({ ...snapshotAt(index, machine, question.state), context }, event);
  if (chosen === undefined) return { type: 'none' };
  const edge = index.edges.get(chosen);
  if (edge === undefined) return { type: 'mismatch', message: `XState takes an edge for ${event.type} that the chart does not have` };
  const problem = mismatch({ index, machine, edge, state: question.state, event, answers });
  return problem === undefined ? { type: 'edge', edge } : { type: 'mismatch', message: problem };
}

interface Taken {
  readonly index: Index;
  readonly machine: AnyStateMachine;
  readonly edge: ChartEdge;
  readonly state: string;
  readonly event: { readonly type: string };
  readonly answers: readonly boolean[];
}

/** Takes the edge with XState itself, once per leaf and edge: its end depends on nothing else. */
function mismatch({ index, machine, edge, state, event, answers }: Taken): string | undefined {
  const seen = index.verified.get(state) ?? new Set();
  if (seen.has(edge)) return undefined;
  let next = 0;
  const context: MachineContext = { judge: () => answers[next++] ?? false };
  const [after] = transition(machine, machine.resolveState({ value: valueOf(state), context }), event);
  // XState types the value of an untyped machine as any.
  const value: unknown = after.value;
  const leaf = leafOf(value);
  const expected = edge.leaf ?? state;
  if (leaf !== expected) return `${edge.trigger.type} ${edge.trigger.name} leads from ${state} to ${leaf}, by the chart to ${expected}`;
  index.verified.set(state, seen.add(edge));
  return undefined;
}

function snapshotAt(index: Index, machine: AnyStateMachine, state: string): AnyMachineSnapshot {
  let snapshot = index.snapshots.get(state);
  if (snapshot === undefined) index.snapshots.set(state, (snapshot = machine.resolveState({ value: valueOf(state), context: {} })));
  return snapshot;
}

function eventType(kind: string, trigger: Trigger, source: string): string {
  return trigger.type === 'timeout' ? timeoutEvent(kind, source, trigger.name) : trigger.name;
}

function indexOf(lifecycle: Lifecycle): Index {
  let index = indexes.get(lifecycle);
  if (index === undefined) indexes.set(lifecycle, (index = indexMachine(lifecycle)));
  return index;
}

function indexMachine({ chart, machine }: Lifecycle): Index {
  const edges = new Map<AnyTransitionDefinition, ChartEdge>();
  for (const node of chart.nodes.values()) {
    const stateNode = machine.getStateNodeById(node.path === '' ? machine.id : `${machine.id}.${node.path}`);
    for (const edge of node.edges) {
      const definition = stateNode.transitions.get(eventType(machine.id, edge.trigger, node.path))?.[edge.order];
      if (definition !== undefined) edges.set(definition, edge);
    }
  }
  return { snapshots: new Map(), edges, verified: new Map() };
}

type StateValue = string | { readonly [child: string]: StateValue };

/** `{ Upgrading: 'Draining' }` for `Upgrading.Draining`. */
function valueOf(leaf: string): StateValue {
  const dot = leaf.indexOf('.');
  return dot < 0 ? leaf : { [leaf.slice(0, dot)]: valueOf(leaf.slice(dot + 1)) };
}

function leafOf(value: unknown): string {
  if (typeof value === 'string') return value;
  const [child] = Object.entries(value ?? {});
  return child === undefined ? '' : `${child[0]}.${leafOf(child[1])}`;
}
