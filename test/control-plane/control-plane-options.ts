import type { WantedComponents } from './binaries.ts';

/** Somebody who has a token. */
export interface ControlPlaneUser {
  readonly name: string;
  /** Default: none but the one every user with a token has, `system:authenticated`. */
  readonly groups?: readonly string[];
}

/**
 * What runs and how. etcd and the API server always run.
 *
 * - `controllers`: kube-controller-manager (garbage collection, StatefulSets, namespaces, …).
 * - `kwok`: Node objects turn Ready and stay so, pods run, as if kubelets were there.
 */
export interface ControlPlaneOptions extends WantedComponents {
  /** Whether the API server writes an audit log. Default true. */
  readonly audit?: boolean;
  /** Users whose writes are recorded with their bodies. Default: `operator`. */
  readonly auditBodiesOf?: readonly string[];
  /** Whether etcd waits for the disk. Default false: only a crash of the machine would show the difference. */
  readonly fsync?: boolean;
  /** Beyond `admin` (every right), `operator` (none, until the test grants some) and `mallory` (reads all, writes every `/status`). */
  readonly users?: readonly ControlPlaneUser[];
  /** Further flags, such as `--etcd-compaction-interval=2s`. */
  readonly apiServerArgs?: readonly string[];
}
