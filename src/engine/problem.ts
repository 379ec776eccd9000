/**
 * Why an object does not go on as its phase says.
 *
 * - `stalled`: nothing changes by itself; someone has to act.
 * - `waiting`: tried again later.
 */
export interface Problem {
  readonly severity: 'stalled' | 'waiting';
  /** CamelCase reason of the condition. */
  readonly reason: string;
  readonly message: string;
}
