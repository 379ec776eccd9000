import * as z from 'zod';

const text = z.string().optional();

const clusterSchema = z.looseObject({
  server: z.url({ protocol: /^https?$/, error: 'expected an http:// or https:// URL' }),
  'certificate-authority': text,
  'certificate-authority-data': text,
  'insecure-skip-tls-verify': z.boolean().optional(),
  'tls-server-name': text,
  'proxy-url': text,
});

const userSchema = z.looseObject({
  token: text,
  tokenFile: text,
  'client-certificate': text,
  'client-certificate-data': text,
  'client-key': text,
  'client-key-data': text,
  username: text,
  password: text,
  exec: z
    .looseObject({
      command: z.string(),
      apiVersion: text,
      env: z.array(z.looseObject({ name: z.string(), value: z.string() })).nullish(),
    })
    .optional(),
  'auth-provider': z.looseObject({ name: z.string() }).optional(),
  as: text,
  'as-uid': text,
  'as-groups': z.array(z.string()).optional(),
});

const contextSchema = z.looseObject({ cluster: z.string(), user: text, namespace: text });

/** A kubeconfig file as kubectl writes it; unknown fields are let through. Empty lists may be null. */
export const kubeconfigSchema = z.looseObject({
  clusters: z.array(z.looseObject({ name: z.string(), cluster: clusterSchema })).nullish(),
  users: z.array(z.looseObject({ name: z.string(), user: userSchema.nullish() })).nullish(),
  contexts: z.array(z.looseObject({ name: z.string(), context: contextSchema })).nullish(),
  'current-context': z.string().nullish(),
});

export type KubeconfigCluster = z.infer<typeof clusterSchema>;
export type KubeconfigUser = z.infer<typeof userSchema>;
export type KubeconfigContext = z.infer<typeof contextSchema>;
