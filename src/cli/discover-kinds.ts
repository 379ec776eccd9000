import { z } from 'zod';
import { ApiError } from '../cluster/api-error.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { parseAnswer } from '../cluster/parse-answer.ts';
import type { ServedKind } from './served-kind.ts';

/** Every group with its resources in one answer. */
const discoverySchema = z.object({
  items: z.array(
    z.object({
      metadata: z.object({ name: z.string() }),
      versions: z.array(
        z.object({
          version: z.string(),
          resources: z
            .array(
              z.object({
                resource: z.string(),
                responseKind: z.object({ kind: z.string() }),
                scope: z.enum(['Cluster', 'Namespaced']),
                singularResource: z.string().default(''),
                shortNames: z.array(z.string()).default([]),
              }),
            )
            .default([]),
        }),
      ),
    }),
  ),
});

const crdListSchema = z.object({
  items: z.array(
    z.object({
      spec: z.object({
        group: z.string(),
        scope: z.enum(['Cluster', 'Namespaced']),
        names: z.object({
          kind: z.string(),
          plural: z.string(),
          singular: z.string().default(''),
          shortNames: z.array(z.string()).default([]),
        }),
        versions: z.array(z.object({ name: z.string(), served: z.boolean() })),
      }),
    }),
  ),
});

const aggregated = ['v2', 'v2beta1'].map((version) => `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`);
const crdPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** What the server serves outside the core group, each kind in its preferred version. Everybody may ask for it. */
export async function discoverKinds(cluster: Cluster): Promise<readonly ServedKind[]> {
  const parsed = discoverySchema.safeParse(await read(cluster, '/apis', aggregated.join(',')));
  if (!parsed.success) return kindsOfCrds(cluster);
  return parsed.data.items.flatMap(({ metadata: { name: group }, versions }) => {
    const seen = new Set<string>();
    // The preferred version comes first; a later one adds only what it alone serves.
    return versions.flatMap(({ version, resources }) =>
      resources
        .filter(({ resource }) => !seen.has(resource) && seen.add(resource))
        .map(({ resource, responseKind, scope, singularResource, shortNames }) => ({
          kind: { apiVersion: `${group}/${version}`, kind: responseKind.kind, plural: resource, scope },
          singular: singularResource,
          shortNames,
        })),
    );
  });
}

/** For servers that are too old to tell everything at once. */
async function kindsOfCrds(cluster: Cluster): Promise<readonly ServedKind[]> {
  const { items } = crdListSchema.parse(await read(cluster, crdPath, 'application/json'));
  return items.flatMap(({ spec: { group, scope, names, versions } }) => {
    const version = versions.find(({ served }) => served)?.name;
    if (version === undefined) return [];
    const { kind, plural, singular, shortNames } = names;
    return [{ kind: { apiVersion: `${group}/${version}`, kind, plural, scope }, singular, shortNames }];
  });
}

async function read(cluster: Cluster, path: string, accept: string): Promise<unknown> {
  const response = await cluster.send({ method: 'GET', path, accept });
  if (response.status !== 200) throw ApiError.of(`GET ${path}`, response);
  return parseAnswer<unknown>(`GET ${path}`, response.body);
}
