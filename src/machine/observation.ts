import type { AnyView } from '../definition/view.ts';
import type { CommandRequest } from './command-request.ts';

/** What is seen of one object at one instant. */
export interface Observation {
  readonly view: AnyView;
  /** The server's time, milliseconds since 1970. */
  readonly nowMs: number;
  /** `metadata.generation` of the spec in the view. */
  readonly generation: number;
  /** Kind and name for messages: `NodePool demo`. */
  readonly name: string;
  /** Why an ensure failed for good; makes the fact `refused` true. */
  readonly refused?: string;
  readonly command?: CommandRequest;
}
