import type { Cluster } from '../cluster/cluster.ts';
import type { Lifecycle } from '../definition/lifecycle.ts';
import type { Kind } from '../resource/kind.ts';
import type { KubernetesObject } from '../resource/kubernetes-object.ts';
import { type LegalMove, movesOf } from './legal-move.ts';
import { type Dependents, explainObject, readDependents } from './observed-object.ts';
import { projectLifecycle } from './project-lifecycle.ts';
import { readMoves } from './read-moves.ts';
import type { Terminal } from './terminal.ts';
import type { WaysOut } from './waiting-for.ts';

/** What is known of a kind's machine: from the definition in the working folder, else from the CRD. */
export interface Knowledge {
  readonly moves: readonly LegalMove[];
  readonly lifecycle: Lifecycle | undefined;
}

/** Gathers what is known; without rights and without a project it is little, but never an error. */
export async function knowledgeOf(cluster: Cluster, kind: Kind, terminal: Terminal): Promise<Knowledge> {
  const lifecycle = await projectLifecycle(kind, terminal);
  return { lifecycle, moves: lifecycle === undefined ? await readMoves(cluster, kind) : movesOf(lifecycle) };
}

/** The ways out of an object's state; with what is seen where the definition and the dependents are at hand. */
export async function waysOutReader(
  cluster: Cluster,
  knowledge: Knowledge,
  of?: KubernetesObject,
): Promise<(object: KubernetesObject) => WaysOut> {
  const { lifecycle, moves } = knowledge;
  const dependents: Dependents | undefined = lifecycle === undefined ? undefined : await readDependents(cluster, lifecycle, of);
  return (object) => ({
    moves,
    explanations:
      lifecycle === undefined || dependents === undefined
        ? undefined
        : explainObject(lifecycle, object, { dependents, nowMs: cluster.time.nowMs() }),
  });
}
