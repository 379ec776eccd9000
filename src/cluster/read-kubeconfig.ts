import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parse } from 'yaml';
import type * as z from 'zod';
import { messageOf } from '../failure/message-of.ts';
import { KubeconfigError } from './kubeconfig-error.ts';
import { type KubeconfigCluster, type KubeconfigContext, type KubeconfigUser, kubeconfigSchema } from './kubeconfig-schema.ts';

/** An entry and the folder that its relative paths start from. */
export interface Located<T> {
  readonly value: T;
  readonly file: string;
  readonly folder: string;
}

/** One or more kubeconfig files as one. The first file that names something wins, as with kubectl. */
export interface Kubeconfig {
  /** Those that exist. */
  readonly files: readonly string[];
  readonly clusters: ReadonlyMap<string, Located<KubeconfigCluster>>;
  readonly users: ReadonlyMap<string, Located<KubeconfigUser>>;
  readonly contexts: ReadonlyMap<string, Located<KubeconfigContext>>;
  readonly currentContext: string | undefined;
}

/** Reads and merges; a file that does not exist is skipped. */
export function readKubeconfig(files: readonly string[]): Kubeconfig {
  const found: string[] = [];
  const clusters = new Map<string, Located<KubeconfigCluster>>();
  const users = new Map<string, Located<KubeconfigUser>>();
  const contexts = new Map<string, Located<KubeconfigContext>>();
  let currentContext: string | undefined;
  for (const file of files) {
    const text = readText(file);
    if (text === undefined) continue;
    found.push(file);
    const content = parseFile(file, text);
    const locate = <T>(value: T): Located<T> => ({ value, file, folder: dirname(file) });
    for (const { name, cluster } of content.clusters ?? []) if (!clusters.has(name)) clusters.set(name, locate(cluster));
    for (const { name, user } of content.users ?? []) if (!users.has(name)) users.set(name, locate(user ?? {}));
    for (const { name, context } of content.contexts ?? []) if (!contexts.has(name)) contexts.set(name, locate(context));
    currentContext ??= content['current-context'] || undefined;
  }
  return { files: found, clusters, users, contexts, currentContext };
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw new KubeconfigError(`cannot be read: ${messageOf(error)}`, {
      code: 'KUBECONFIG_UNREADABLE',
      source: `kubeconfig ${file}`,
      hint: 'check that it is a file and that you may read it',
      cause: error,
    });
  }
}

function parseFile(file: string, text: string): z.infer<typeof kubeconfigSchema> {
  const source = `kubeconfig ${file}`;
  let content: unknown;
  try {
    content = parse(text) ?? {};
  } catch (error) {
    // The library's message goes on with a picture of the place; its first line says all.
    const [line] = messageOf(error).split('\n', 1);
    const hint = 'correct the YAML, or name another file with --kubeconfig';
    throw new KubeconfigError(`is not YAML: ${line}`, { code: 'KUBECONFIG_INVALID', source, hint, cause: error });
  }
  const parsed = kubeconfigSchema.safeParse(content);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'the file'}: ${issue.message}`);
  throw new KubeconfigError(`is not a kubeconfig: ${issues.join('; ')}`, {
    code: 'KUBECONFIG_INVALID',
    source,
    hint: 'compare with: kubectl config view',
    data: { issues },
  });
}
