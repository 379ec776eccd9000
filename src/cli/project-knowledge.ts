import type { Cluster } from '../cluster/cluster.ts';
import type { Lifecycle } from '../definition/lifecycle.ts';
import { messageOf } from '../failure/message-of.ts';
import type { Kind } from '../resource/kind.ts';
import { groupOf } from '../resource/kind.ts';
import { projectDefinitions } from './find-definitions.ts';
import type { Knowledge } from './knowledge.ts';
import { loadLifecycles } from './load-lifecycles.ts';
import { dependentsOf, explainObject, movesOf, readDependents } from './observed-object.ts';
import type { Terminal } from './terminal.ts';

/** What the definition in the working folder says about a kind; undefined where none does. */
export async function projectKnowledge(cluster: Cluster, kind: Kind, terminal: Terminal): Promise<Knowledge | undefined> {
  const lifecycle = await projectLifecycle(kind, terminal);
  if (lifecycle === undefined) return undefined;
  return {
    moves: movesOf(lifecycle),
    observe: async (of) => {
      const dependents = await readDependents(cluster, lifecycle, of);
      if (dependents === undefined) return () => undefined;
      return (object) => ({
        explained: explainObject(lifecycle, object, { dependents, nowMs: cluster.time.nowMs() }),
        dependents: Object.values(dependentsOf(lifecycle, dependents, object)).flat(),
      });
    },
  };
}

/** One that does not load is said and done without. */
async function projectLifecycle(kind: Kind, { cwd, say }: Terminal): Promise<Lifecycle | undefined> {
  try {
    const loaded = await loadLifecycles(projectDefinitions(cwd), cwd);
    return loaded
      .map(({ lifecycle }) => lifecycle)
      .find(({ vocabulary }) => vocabulary.kind === kind.kind && vocabulary.group === groupOf(kind));
  } catch (error) {
    say(`warning: going on without the definitions in machines/: ${messageOf(error).split('\n')[0]}`);
    return undefined;
  }
}
