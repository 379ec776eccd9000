import type { Cluster } from '../cluster/cluster.ts';
import type { Kind } from '../resource/kind.ts';
import { projectDefinitions } from './find-definitions.ts';
import type { Knowledge } from './knowledge.ts';
import { readMoves } from './read-moves.ts';
import type { Terminal } from './terminal.ts';

/** Gathers what is known; without rights and without a project it is little, but never an error. */
export async function gatherKnowledge(cluster: Cluster, kind: Kind, terminal: Terminal): Promise<Knowledge> {
  if (projectDefinitions(terminal.cwd).length > 0) {
    // The machine leg is loaded only where there is a machine.
    const { projectKnowledge } = await import('./project-knowledge.ts');
    const knowledge = await projectKnowledge(cluster, kind, terminal);
    if (knowledge !== undefined) return knowledge;
  }
  return { moves: await readMoves(cluster, kind), observe: async () => () => undefined };
}
