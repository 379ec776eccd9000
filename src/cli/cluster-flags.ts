/** Which cluster, and as whom: the same words as kubectl's. */
export interface ClusterFlags {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly cluster?: string;
  readonly user?: string;
  readonly namespace?: string;
  /** Milliseconds in which the whole question must be answered; undefined: no limit but the transport's. */
  readonly requestTimeout?: number;
}
