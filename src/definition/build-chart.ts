import type { Chart, ChartEdge, ChartNode, NamedReference, TriggerType } from './chart.ts';
import type { AnyVocabulary } from './lifecycle.ts';
import type { EdgeConfig, MachineConfig, Many, Reference, StateConfig } from './machine-config.ts';
import { acceptAction } from './reserved-names.ts';
import { type ResolvedState, resolveStates, timeoutEvent, type XStateMachine } from './xstate-machine.ts';

interface Draft {
  readonly path: string;
  readonly parent: string | undefined;
  readonly config: StateConfig;
}

/** The machine as plain data: words from the config, targets as XState resolved them. */
export function buildChart(vocabulary: AnyVocabulary, config: MachineConfig, machine: XStateMachine): Chart {
  const resolved = new Map(resolveStates(machine).map((state) => [state.path, state]));
  const drafts = new Map(listStates(config, '', undefined).map((draft) => [draft.path, draft]));
  const initialLeaf = (path: string): string => {
    const initial = drafts.get(path)?.config.initial;
    return initial === undefined ? path : initialLeaf(join(path, initial));
  };
  const nodes = new Map<string, ChartNode>();
  for (const draft of drafts.values()) {
    const edges = listEdges(vocabulary, draft, resolved.get(draft.path)).map((edge) =>
      edge.target === undefined ? edge : { ...edge, leaf: initialLeaf(edge.target) },
    );
    nodes.set(draft.path, { ...describe(draft), initialLeaf: initialLeaf(draft.path), edges });
  }
  const leaves = [...nodes.values()].filter((node) => node.children.length === 0).map((node) => node.path);
  return Object.freeze({
    initial: initialLeaf(''),
    nodes,
    leaves,
    phases: Object.keys(config.states),
    accepts: [...nodes.values()].some((node) => node.edges.some((edge) => edge.accepts)),
    remembers: new Set(Object.keys(vocabulary.remembers)),
  });
}

/** A reference in its long form. */
function toNamed(reference: Reference): NamedReference {
  return typeof reference === 'string' ? { name: reference, params: {} } : { name: reference.type, params: reference.params ?? {} };
}

/** One value or a list of them, as a list. */
function toList<T>(many: Many<T> | undefined): readonly T[] {
  if (many === undefined) return [];
  // TypeScript's isArray does not narrow readonly arrays.
  return Array.isArray(many) ? (many as readonly T[]) : [many as T];
}

function listStates(config: StateConfig, path: string, parent: string | undefined): readonly Draft[] {
  const below = Object.entries(config.states ?? {}).flatMap(([name, child]) => listStates(child, join(path, name), path));
  return [{ path, parent, config }, ...below];
}

function describe({ path, parent, config }: Draft): Omit<ChartNode, 'initialLeaf' | 'edges'> {
  return {
    path,
    parent,
    children: Object.keys(config.states ?? {}).map((name) => join(path, name)),
    ...(config.states === undefined && config.meta?.kstatus !== undefined && { kstatus: config.meta.kstatus }),
    ...(config.meta?.message !== undefined && { message: config.meta.message }),
    ...(config.description !== undefined && { description: config.description }),
    entry: toList(config.entry).map(toNamed),
  };
}

function listEdges(vocabulary: AnyVocabulary, draft: Draft, resolved: ResolvedState | undefined): readonly ChartEdge[] {
  const lists = [
    ...Object.entries(draft.config.on ?? {}).map(([name, edges]) => ({
      type: Object.hasOwn(vocabulary.commands, name) ? ('command' as const) : ('fact' as const),
      name,
      event: name,
      edges,
    })),
    ...Object.entries(draft.config.after ?? {}).map(([name, edges]) => ({
      type: 'timeout' as const,
      name,
      event: timeoutEvent(vocabulary.kind, draft.path, name),
      edges,
    })),
  ];
  return lists.flatMap(({ type, name, event, edges }) =>
    toEdgeConfigs(edges).map((edge, order) =>
      toEdge(edge, { source: draft.path, type, name, order, target: resolved?.targets.get(event)?.[order] }),
    ),
  );
}

/** An `on` or `after` value in its long form. */
export function toEdgeConfigs(edges: string | Many<EdgeConfig>): readonly EdgeConfig[] {
  return typeof edges === 'string' ? [{ target: edges }] : toList(edges);
}

interface Position {
  readonly source: string;
  readonly type: TriggerType;
  readonly name: string;
  readonly order: number;
  readonly target: string | undefined;
}

function toEdge(edge: EdgeConfig, { source, type, name, order, target }: Position): ChartEdge {
  const actions = toList(edge.actions).map(toNamed);
  return {
    source,
    trigger: { type, name },
    order,
    ...(edge.guard !== undefined && { guard: toNamed(edge.guard) }),
    ...(target !== undefined && { target }),
    reenter: edge.reenter === true,
    actions,
    accepts: actions.some((action) => action.name === acceptAction),
    ...(edge.description !== undefined && { description: edge.description }),
  };
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}
