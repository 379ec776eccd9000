import { Duration } from 'luxon';
import { defineLifecycle, type DesiredObject, Node, type NodeObject, Pod } from 'phasekeeper';
import { z } from 'zod';

/** Carries the category of a node's system disk. */
const diskLabel = 'ack.alibabacloud.com/system-disk-category';

const spec = z
  .object({
    minSize: z.int().min(0).describe('How many nodes the pool keeps.'),
    maxSize: z.int().min(0).describe('How many nodes of the pool may exist at any time.'),
    systemDiskCategory: z
      .enum(['cloud_essd', 'cloud_ssd', 'cloud_efficiency', 'cloud', 'cloud_auto', 'cloud_essd_entry'])
      .describe('Category of the system disk of each node.'),
  })
  .refine(({ minSize, maxSize }) => minSize <= maxSize, { message: 'minSize must not exceed maxSize', path: ['minSize'] })
  // What zod checks in code, the API server checks by this rule.
  .meta({ 'x-kubernetes-validations': [{ rule: 'self.minSize <= self.maxSize', message: 'minSize must not exceed maxSize' }] });

type NodePoolSpec = z.output<typeof spec>;

interface Pool {
  readonly object: { readonly name: string };
  readonly accepted: NodePoolSpec;
  readonly dependents: { readonly nodes: readonly NodeObject[] };
}

/** How long a phase may take before the pool counts as failed. */
export interface NodePoolTimeouts {
  /** From the first node created to the last one Ready. Default 15 minutes. */
  readonly scaleUp: Duration;
  /** From the first node cordoned to the last one gone. Default 10 minutes. */
  readonly scaleDown: Duration;
}

export const nodePoolTimeouts: NodePoolTimeouts = Object.freeze({
  scaleUp: Duration.fromObject({ minutes: 15 }),
  scaleDown: Duration.fromObject({ minutes: 10 }),
});

/**
 * A pool of Nodes named `<pool>-0`, `<pool>-1`, … The target is the accepted minSize; maxSize bounds what exists at any time.
 *
 * Running accepts a new size where it can be seen what it leads to; the phases under way accept by way of ScalingUp, which compares
 * what exists with the new target and goes on from there. So a spec that changes half way is never lost and never waits.
 */
export function defineNodePool(timeouts: NodePoolTimeouts = nodePoolTimeouts) {
  return defineLifecycle({
    group: 'ack.alibabacloud.com',
    version: 'v1',
    kind: 'NodePool',
    shortNames: ['np'],
    scope: 'Cluster',
    machineVersion: '1.0.0',
    spec,
    status: z.object({ actualReplicas: z.int().min(0).default(0).describe('How many nodes of the pool are Ready.') }),
    memory: z.object({ attempts: z.int().min(0).default(0).describe('Retries since the pool was last Running.') }),
    dependents: { nodes: Node },
    watches: {
      // A pod that leaves a node lets its drain go on.
      pods: { kind: Pod, of: (pod) => /^(.+)-\d+$/.exec(pod.spec?.nodeName ?? '')?.[1] },
    },
    facts: {
      sizeKnown: { when: () => true, says: (view) => `${view.accepted.minSize} nodes are wanted` },
      nodesReady: { when: (view) => readyCount(view) === view.accepted.minSize && surplusOf(view).length === 0, says: readiness },
      belowTarget: { when: (view) => readyCount(view) < view.accepted.minSize, says: readiness },
      aboveTarget: {
        when: (view) => surplusOf(view).length > 0,
        says: (view) => `${view.dependents.nodes.length} nodes, ${view.accepted.minSize} wanted`,
      },
      askedSmaller: {
        when: ({ spec, accepted }) => spec.minSize < accepted.minSize,
        says: ({ spec, accepted }) => `minSize ${spec.minSize} asked, ${accepted.minSize} accepted`,
      },
      askedLarger: {
        when: ({ spec, accepted }) => spec.minSize > accepted.minSize,
        says: ({ spec, accepted }) => `minSize ${spec.minSize} asked, ${accepted.minSize} accepted`,
      },
      askedOther: {
        when: ({ spec, accepted }) =>
          spec.minSize === accepted.minSize &&
          (spec.maxSize !== accepted.maxSize || spec.systemDiskCategory !== accepted.systemDiskCategory),
        says: ({ spec }) => `maxSize ${spec.maxSize} and disks of ${spec.systemDiskCategory} asked`,
      },
    },
    commands: { retry: { says: 'try again to reach the size of the spec' } },
    guards: {
      // The policy for giving up nodes of a running pool: those that stay are Ready. While they are not, belowTarget leads to
      // ScalingUp, which takes the new size as the target of the repair. Budgets are kept by the drain itself, node by node.
      canShrink: (view) => {
        const nodes = byOrdinal(view);
        return ordinals(Math.min(view.spec.minSize, view.accepted.minSize)).every((ordinal) => isReady(nodes.get(ordinal)));
      },
    },
    timeouts: { scaleUp: timeouts.scaleUp, scaleDown: timeouts.scaleDown },
    remembers: {
      attempt: ({ memory }) => ({ attempts: memory.attempts + 1 }),
      attemptsReset: () => ({ attempts: 0 }),
    },
    ensure: {
      nodes: (view) => [...standing(view), ...missing(view)].map((ordinal) => nodeOf(view, ordinal, 'open')),
      shrinkingNodes: (view) =>
        standing(view).map((ordinal) => nodeOf(view, ordinal, ordinal < view.accepted.minSize ? 'open' : 'cordoned')),
      leavingNodes: (view) => standing(view).map((ordinal) => nodeOf(view, ordinal, 'cordoned')),
    },
    deletes: {
      surplus: {
        from: 'nodes',
        how: 'drain',
        oneAtATime: true,
        // A size that is asked for and not yet accepted already protects its nodes.
        only: (live, view) => (ordinalOf(view, live) ?? -1) >= Math.max(view.accepted.minSize, view.spec.minSize),
      },
      all: { from: 'nodes', how: 'drain', oneAtATime: true, only: () => true },
    },
    announce: {
      scaleUpTimedOut: { type: 'Warning', reason: 'ScaleUpTimeout', message: (view) => `ran out of time: ${readiness(view)}` },
      scaleDownTimedOut: {
        type: 'Warning',
        reason: 'ScaleDownTimeout',
        message: (view) => `ran out of time: ${surplusOf(view).length} nodes still to be drained and removed`,
      },
      nodesRefused: { type: 'Warning', reason: 'NodesRefused', message: (view) => `the API server refused a node: ${readiness(view)}` },
    },
    report: (view) => ({ status: { actualReplicas: view.dependents.nodes.filter(isReady).length } }),
    adopt: (view) => {
      const kept = [...byOrdinal(view)].filter(([, node]) => node.metadata.deletionTimestamp === undefined);
      const categories = new Set(kept.map(([, node]) => spec.shape.systemDiskCategory.safeParse(node.metadata.labels?.[diskLabel]).data));
      // Labels are mixed while a new category is on its way: then it is the asked one.
      const category = categories.size === 1 ? [...categories][0] : view.spec.systemDiskCategory;
      if (category === undefined || !categories.has(category)) return 'unknown';
      // Up to the highest one: a node missing in between is to be replaced, not the reason to remove another.
      const minSize = Math.max(...kept.map(([ordinal]) => ordinal)) + 1;
      return { minSize, maxSize: Math.max(view.spec.maxSize, minSize), systemDiskCategory: category };
    },
    invariants: {
      replicasWithinBounds: ({ accepted, transition }) =>
        transition.to !== 'Running' ||
        (transition.after.actualReplicas >= accepted.minSize && transition.after.actualReplicas <= accepted.maxSize),
    },
    columns: [{ name: 'Replicas', type: 'integer', jsonPath: '.status.actualReplicas' }],
  }).createMachine({
    initial: 'Pending',
    on: { deleted: '.Deleting' },
    states: {
      Pending: {
        description: 'Nothing was done yet, or it is to be tried again.',
        meta: { kstatus: 'InProgress' },
        on: {
          unaccepted: { target: 'ScalingUp', actions: 'accept' },
          // Adopted, retried, or accepted on the way here.
          sizeKnown: 'ScalingUp',
        },
      },
      ScalingUp: {
        description: 'Nodes are created until as many are Ready as were accepted.',
        meta: { kstatus: 'InProgress' },
        entry: 'nodes',
        on: {
          nodesReady: { target: 'Running', actions: 'attemptsReset' },
          specChanged: { target: 'ScalingUp', reenter: true, actions: 'accept' },
          aboveTarget: 'ScalingDown',
          refused: { target: 'Failed', actions: 'nodesRefused' },
        },
        after: {
          scaleUp: { target: 'Failed', guard: { type: 'not', params: { guard: 'nodesReady' } }, actions: 'scaleUpTimedOut' },
        },
      },
      Running: {
        description: 'Every accepted node is Ready.',
        meta: { kstatus: 'Current' },
        entry: 'nodes',
        on: {
          askedSmaller: { target: 'ScalingDown', guard: 'canShrink', actions: 'accept' },
          askedLarger: { target: 'ScalingUp', actions: 'accept' },
          // Ready first: a status that is Running must not say less replicas than accepted.
          askedOther: { target: 'Running', guard: 'nodesReady', actions: 'accept' },
          belowTarget: 'ScalingUp',
          aboveTarget: { target: 'ScalingDown', guard: 'canShrink' },
        },
      },
      ScalingDown: {
        description: 'Nodes beyond the accepted size are cordoned, drained and removed, one at a time.',
        meta: { kstatus: 'InProgress' },
        entry: ['shrinkingNodes', 'surplus'],
        on: {
          nodesReady: { target: 'Running', actions: 'attemptsReset' },
          specChanged: { target: 'ScalingUp', actions: 'accept' },
          // A node was lost on the way: replaced when the surplus is gone.
          belowTarget: { target: 'ScalingUp', guard: { type: 'not', params: { guard: 'aboveTarget' } } },
        },
        after: {
          scaleDown: { target: 'Failed', guard: { type: 'not', params: { guard: 'nodesReady' } }, actions: 'scaleDownTimedOut' },
        },
      },
      Failed: {
        description: 'The size could not be reached in time. Nodes are still kept as accepted, so that it ends when its cause does.',
        meta: { kstatus: 'Failed' },
        entry: 'nodes',
        on: {
          specChanged: { target: 'Pending', actions: ['accept', 'attemptsReset'] },
          nodesReady: { target: 'Running', actions: 'attemptsReset' },
          retry: { target: 'Pending', actions: 'attempt' },
        },
      },
      Deleting: {
        description: 'Every node is cordoned, drained and removed, one at a time.',
        meta: { kstatus: 'Terminating' },
        entry: ['leavingNodes', 'all'],
      },
    },
  });
}

export const nodePool = defineNodePool();

/** The ordinal in `<pool>-<ordinal>`; undefined for any other name. */
function ordinalOf(view: Pick<Pool, 'object'>, node: NodeObject): number | undefined {
  const [, pool, ordinal] = /^(.+)-(0|[1-9]\d*)$/.exec(node.metadata.name) ?? [];
  return pool === view.object.name && ordinal !== undefined ? Number(ordinal) : undefined;
}

function ordinals(count: number): readonly number[] {
  return Array.from({ length: count }, (_, ordinal) => ordinal);
}

/** The pool's nodes by their ordinal, in the order of their names. */
function byOrdinal(view: Pick<Pool, 'object' | 'dependents'>): ReadonlyMap<number, NodeObject> {
  const nodes = new Map<number, NodeObject>();
  for (const node of view.dependents.nodes) {
    const ordinal = ordinalOf(view, node);
    if (ordinal !== undefined) nodes.set(ordinal, node);
  }
  return nodes;
}

function isReady(node: NodeObject | undefined): boolean {
  if (node === undefined || node.metadata.deletionTimestamp !== undefined) return false;
  return node.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false;
}

/** How many wanted nodes are what they should be: Ready, open for pods, with the accepted disk. */
function readyCount(view: Pool): number {
  const nodes = byOrdinal(view);
  const asWanted = (node: NodeObject | undefined) =>
    isReady(node) && node?.spec?.unschedulable !== true && node?.metadata.labels?.[diskLabel] === view.accepted.systemDiskCategory;
  return ordinals(view.accepted.minSize).filter((ordinal) => asWanted(nodes.get(ordinal))).length;
}

function readiness(view: Pool): string {
  return `${readyCount(view)} of ${view.accepted.minSize} nodes ready`;
}

/** Ordinals beyond the target, those of nodes on their way out included. */
function surplusOf(view: Pool): readonly number[] {
  return [...byOrdinal(view).keys()].filter((ordinal) => ordinal >= view.accepted.minSize);
}

/** Ordinals of the nodes that exist and stay until someone removes them. */
function standing(view: Pool): readonly number[] {
  return [...byOrdinal(view)].filter(([, node]) => node.metadata.deletionTimestamp === undefined).map(([ordinal]) => ordinal);
}

/** Ordinals of the nodes to create: as many as maxSize leaves room for beside all that exist. */
function missing(view: Pool): readonly number[] {
  const room = Math.max(0, view.accepted.maxSize - view.dependents.nodes.length);
  const nodes = byOrdinal(view);
  return ordinals(view.accepted.minSize)
    .filter((ordinal) => !nodes.has(ordinal))
    .slice(0, room);
}

/** An open node has no `spec`: the server does not store `unschedulable: false`. */
function nodeOf(view: Pool, ordinal: number, pods: 'open' | 'cordoned'): DesiredObject {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: `${view.object.name}-${ordinal}`, labels: { [diskLabel]: view.accepted.systemDiskCategory } },
    ...(pods === 'cordoned' && { spec: { unschedulable: true } }),
  };
}
