import type { Lifecycle } from '../definition/lifecycle.ts';
import { messageOf } from '../failure/message-of.ts';
import type { Kind } from '../resource/kind.ts';
import { groupOf } from '../resource/kind.ts';
import { projectDefinitions } from './find-definitions.ts';
import { loadLifecycles } from './load-lifecycles.ts';
import type { Terminal } from './terminal.ts';

/** The definition of a kind, where the working folder has it. One that does not load is said and done without. */
export async function projectLifecycle(kind: Kind, { cwd, say }: Terminal): Promise<Lifecycle | undefined> {
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
