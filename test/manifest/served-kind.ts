import type { Lifecycle } from '../../src/definition/lifecycle.ts';
import { crdOf } from '../../src/manifest/crd.ts';
import type { CrdOptions } from '../../src/manifest/crd.ts';
import type { ApiAnswer } from '../control-plane/api-client.ts';
import type { ControlPlane } from '../control-plane/control-plane.ts';
import { eventually } from '../control-plane/eventually.ts';

type Json = Readonly<Record<string, unknown>>;

/** A write through `/status`: how the patch is sent, and as what. */
export interface StatusWrite {
  readonly name: string;
  readonly version?: string;
  /** Default `application/merge-patch+json`. */
  readonly contentType?: string;
  /** Default PATCH. */
  readonly method?: 'PATCH' | 'PUT';
  readonly body: unknown;
  /** Whether it is stored. Default false: a dry run, judged like any other write. */
  readonly isStored?: boolean;
}

const namespace = 'default';

/** A lifecycle's kind as a control plane serves it, written to as its admin. */
export class ServedKind {
  readonly #plane: ControlPlane;
  readonly #lifecycle: Lifecycle;

  private constructor(plane: ControlPlane, lifecycle: Lifecycle) {
    this.#plane = plane;
    this.#lifecycle = lifecycle;
  }

  /** Applies the CRD and waits until every version is served. */
  static async install(plane: ControlPlane, lifecycle: Lifecycle, options: CrdOptions = {}): Promise<ServedKind> {
    const crd = crdOf(lifecycle, options);
    const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${crd.metadata.name}?fieldManager=test&force=true`;
    const answer = await plane.call({ method: 'PATCH', path, contentType: 'application/apply-patch+yaml', body: crd });
    if (answer.status >= 300) throw new Error(`the CRD is refused: ${messageOf(answer)}`);
    const served = new ServedKind(plane, lifecycle);
    for (const { name } of crd.spec.versions) {
      await eventually(async () => (await plane.call({ path: served.#path({ version: name }) })).status === 200, {
        what: `${name} to be served`,
      });
    }
    return served;
  }

  async create(name: string, spec: Json, { isStored = true }: { readonly isStored?: boolean } = {}): Promise<ApiAnswer> {
    const { group, version, kind } = this.#lifecycle.vocabulary;
    const body = { apiVersion: `${group}/${version}`, kind, metadata: { name }, spec };
    return await this.#plane.call({ method: 'POST', path: `${this.#path({})}${isStored ? '' : '?dryRun=All'}`, body });
  }

  async mustCreate(name: string, spec: Json): Promise<void> {
    const answer = await this.create(name, spec);
    if (answer.status !== 201) throw new Error(`${name} is refused: ${messageOf(answer)}`);
  }

  async get(name: string, version?: string): Promise<Json> {
    return (await this.#plane.call({ path: this.#path({ name, ...(version === undefined ? {} : { version }) }) })).body as Json;
  }

  async patchSpec(name: string, spec: Json): Promise<void> {
    const answer = await this.#plane.call({
      method: 'PATCH',
      path: this.#path({ name }),
      contentType: 'application/merge-patch+json',
      body: { spec },
    });
    if (answer.status !== 200) throw new Error(`the spec of ${name} is refused: ${messageOf(answer)}`);
  }

  async writeStatus({ name, version, contentType, method, body, isStored = false }: StatusWrite): Promise<ApiAnswer> {
    const path = `${this.#path({ name, ...(version === undefined ? {} : { version }) })}/status?${isStored ? '' : 'dryRun=All&'}${contentType?.includes('apply') ? 'fieldManager=forger&force=true' : ''}`;
    const type = method === 'PUT' ? 'application/json' : (contentType ?? 'application/merge-patch+json');
    return await this.#plane.call({ method: method ?? 'PATCH', path, contentType: type, body });
  }

  /** Stores a status by merge patch. @throws when it is refused */
  async mustStore(name: string, status: Json): Promise<void> {
    const answer = await this.writeStatus({ name, body: { status }, isStored: true });
    if (answer.status !== 200) throw new Error(`the status of ${name} is refused: ${messageOf(answer)}`);
  }

  /** Walks an object along states, from sequence 0, each step one stored write. */
  async walk(name: string, states: readonly string[]): Promise<void> {
    for (const [index, state] of states.entries()) await this.mustStore(name, move(state, index + 1));
  }

  #path({ name, version = this.#lifecycle.vocabulary.version }: { readonly name?: string; readonly version?: string }): string {
    const { group, plural, scope } = this.#lifecycle.vocabulary;
    const space = scope === 'Namespaced' ? `/namespaces/${namespace}` : '';
    return `/apis/${group}/${version}${space}/${plural}${name === undefined ? '' : `/${name}`}`;
  }
}

export const instant = '2026-01-01T00:00:00.000Z';

/** The status of a transition, as a merge patch. */
export function move(state: string, sequence: number | null) {
  return { phase: state.split('.')[0] ?? state, lifecycle: { state, sequence, entered: { [state]: instant } } };
}

/** What the API server said. */
export function messageOf(answer: ApiAnswer): string {
  const { message } = answer.body as { readonly message?: string };
  return `${answer.status} ${message ?? JSON.stringify(answer.body)}`;
}
