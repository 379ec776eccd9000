import { z } from 'zod';
import type { Cluster } from '../cluster/cluster.ts';
import type { Kind } from '../resource/kind.ts';
import { groupOf } from '../resource/kind.ts';
import { type LegalMove, parseMoves } from './legal-move.ts';

const crdKind: Kind = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  scope: 'Cluster',
};

const phaseSchema = z.object({
  properties: z.object({ status: z.object({ properties: z.object({ phase: z.object({ description: z.string() }) }) }) }),
});
const crdSchema = z.object({
  spec: z.object({ versions: z.array(z.object({ name: z.string(), schema: z.object({ openAPIV3Schema: z.unknown() }).optional() })) }),
});

/** The legal moves that a kind's CRD describes. None where we may not read it, or where it is somebody else's. */
export async function readMoves(cluster: Cluster, kind: Kind): Promise<readonly LegalMove[]> {
  try {
    const crd = crdSchema.safeParse(await cluster.get(crdKind, `${kind.plural}.${groupOf(kind)}`));
    const version = kind.apiVersion.slice(kind.apiVersion.indexOf('/') + 1);
    const schema = crd.data?.spec.versions.find(({ name }) => name === version)?.schema?.openAPIV3Schema;
    const phase = phaseSchema.safeParse(schema);
    return phase.success ? parseMoves(phase.data.properties.status.properties.phase.description) : [];
  } catch {
    // What it would add is words: the question itself is answered without them.
    return [];
  }
}
