import type { Cluster } from '../cluster/cluster.ts';
import { groupOf } from '../resource/kind.ts';
import { CommandError } from './command-error.ts';
import { discoverKinds } from './discover-kinds.ts';
import { exitCode } from './exit-code.ts';
import { nearest } from './nearest.ts';
import { matchingKinds, namesOf, type ServedKind } from './served-kind.ts';
import { UsageError } from './usage-error.ts';

/** The one kind that a name stands for. @throws CommandError when the server knows none, UsageError when it knows several */
export async function findKind(cluster: Cluster, typed: string): Promise<ServedKind> {
  const served = await discoverKinds(cluster);
  const [found, ...others] = matchingKinds(served, typed);
  if (found === undefined) throw unknownKind(served, typed);
  if (others.length === 0) return found;
  const names = [found, ...others].map(({ kind }) => `${kind.plural}.${groupOf(kind)}`);
  throw new UsageError(`${typed} may be ${names.join(' or ')}`, { hint: `write the group too: ${names[0]}` });
}

function unknownKind(served: readonly ServedKind[], typed: string): CommandError {
  const near = nearest(typed.toLowerCase(), served.flatMap(namesOf));
  const hint =
    near === undefined ? 'kubectl api-resources   (its CRD comes from: phasekeeper crd | kubectl apply -f -)' : `did you mean ${near}?`;
  return new CommandError(`the API server knows no kind ${typed}`, { exitCode: exitCode.couldNotAsk, code: 'UNKNOWN_KIND', hint });
}
