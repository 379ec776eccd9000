import type { RequestOptions } from 'node:https';
import type { KubeConfig } from '@kubernetes/client-node';
import type { Clock } from '../clock/clock.ts';
import { messageOf } from '../failure/message-of.ts';
import { PhasekeeperError } from '../failure/phasekeeper-error.ts';
import type { Credentials } from './credentials.ts';

export interface PluginCredentialsOptions {
  /** A kubeconfig with one context, as text. */
  readonly kubeconfig: string;
  readonly source: string;
  readonly clock: Clock;
}

interface Answer {
  readonly header: string | undefined;
  readonly cert: string | undefined;
  readonly key: string | undefined;
}

/** The plugin knows when its token ends; asking it again is cheap until then, but not for each request. */
const askEveryMs = 30_000;

/**
 * Users of a kubeconfig who authenticate through a command (`exec`), OIDC or another provider. The Kubernetes client, which knows
 * how, is loaded when the first of them appears: it costs half a second and 60 MB.
 */
export class PluginCredentials implements Credentials {
  readonly #options: PluginCredentialsOptions;
  #config: KubeConfig | undefined;
  #answer: Answer | undefined;
  #askedMs = Number.NEGATIVE_INFINITY;
  #asking: Promise<Answer> | undefined;

  constructor(options: PluginCredentialsOptions) {
    this.#options = options;
  }

  authorization(): string | undefined | Promise<string | undefined> {
    const fresh = this.#options.clock.monotonicMs() - this.#askedMs < askEveryMs;
    if (fresh && this.#answer !== undefined) return this.#answer.header;
    return this.#ask().then((answer) => answer.header);
  }

  /** The client certificate that the plugin gave, if it did. */
  async certificate(): Promise<{ readonly cert?: string; readonly key?: string }> {
    const { cert, key } = await this.#ask();
    return { ...(cert === undefined ? {} : { cert }), ...(key === undefined ? {} : { key }) };
  }

  async renew(rejected: string | undefined): Promise<boolean> {
    // The client keeps what a plugin said until its end; only a new one asks again.
    this.#config = undefined;
    const { header } = await this.#ask();
    return header !== rejected;
  }

  #ask(): Promise<Answer> {
    this.#asking ??= this.#askPlugin().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  async #askPlugin(): Promise<Answer> {
    const { kubeconfig, source, clock } = this.#options;
    try {
      const client = await import('@kubernetes/client-node');
      if (this.#config === undefined) {
        this.#config = new client.KubeConfig();
        this.#config.loadFromString(kubeconfig);
      }
      const options: RequestOptions = {};
      await this.#config.applyToHTTPSOptions(options);
      const header: unknown = new Map(Object.entries(options.headers ?? {})).get('Authorization');
      this.#answer = { header: typeof header === 'string' ? header : undefined, cert: pem(options.cert), key: pem(options.key) };
      this.#askedMs = clock.monotonicMs();
      return this.#answer;
    } catch (error) {
      throw new PhasekeeperError(`${source}: the authentication plugin failed: ${messageOf(error).trim()}`, {
        code: 'AUTH_PLUGIN_FAILED',
        // What worked once may work again; a plugin that never did needs its user.
        disposition: this.#answer === undefined ? 'fatal' : 'retry',
        data: { source },
        hint: 'run the command under `users[].user.exec` by hand, or log in with it again',
        cause: error,
      });
    }
  }
}

function pem(value: RequestOptions['cert'] | RequestOptions['key']): string | undefined {
  return typeof value === 'string' || Buffer.isBuffer(value) ? value.toString() : undefined;
}
