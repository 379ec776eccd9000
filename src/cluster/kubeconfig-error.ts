import { PhasekeeperError } from '../failure/phasekeeper-error.ts';

/** What is wrong with the way to the cluster. */
export type KubeconfigFault =
  | 'KUBECONFIG_MISSING'
  | 'KUBECONFIG_UNREADABLE'
  | 'KUBECONFIG_INVALID'
  | 'KUBECONFIG_CONTEXT_UNKNOWN'
  | 'KUBECONFIG_CERTIFICATE_INVALID'
  | 'KUBECONFIG_CERTIFICATE_EXPIRED'
  | 'KUBECONFIG_UNSUPPORTED';

export interface KubeconfigErrorOptions {
  readonly code: KubeconfigFault;
  /** Where the configuration came from, in words. */
  readonly source: string;
  readonly hint: string;
  readonly data?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/** There is no usable configuration for a cluster. The message names the source that was used. */
export class KubeconfigError extends PhasekeeperError {
  override readonly name = 'KubeconfigError';

  constructor(message: string, options: KubeconfigErrorOptions) {
    const { code, source, hint, data, cause } = options;
    super(`${source}: ${message}`, { code, disposition: 'fatal', data: { source, ...data }, hint, cause });
  }
}
