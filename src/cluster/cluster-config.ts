import type { Credentials } from './credentials.ts';

/** What TLS needs, as PEM. */
export interface TlsMaterial {
  /** Undefined: the roots that Node brings. */
  readonly ca?: string | Buffer | undefined;
  readonly cert?: string | Buffer | undefined;
  readonly key?: string | Buffer | undefined;
  /** Accept any server certificate. Default false. */
  readonly insecure?: boolean | undefined;
  /** Name to ask for and to check instead of the server's host. */
  readonly serverName?: string | undefined;
}

/** One API server and who we are there. */
export interface ClusterConfig {
  /** `https://host:port`, with a path where the API lies below one; `http://` is accepted. */
  readonly server: string;
  /** Read again for each new connection, so that rotated files are seen. */
  readonly tls?: (() => TlsMaterial | Promise<TlsMaterial>) | undefined;
  readonly credentials: Credentials;
  /** Where this came from, in words for a person: `kubeconfig /home/me/.kube/config, context dev`. */
  readonly source: string;
  /** Namespace of the context; undefined where it names none. */
  readonly namespace?: string | undefined;
  /** Sent with each request: impersonation. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>> | undefined;
}
