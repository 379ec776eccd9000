/** What a person asks through the command annotation, once. */
export interface CommandRequest {
  /** The annotation as it stands, cut to a length that may be stored. */
  readonly raw: string;
  /** Empty when the annotation is malformed. */
  readonly name: string;
  /** The transition it was meant for; -1 when the annotation is malformed. */
  readonly sequence: number;
  /** Makes it once only. The annotation itself when that is malformed, so that it is refused once and not for ever. */
  readonly token: string;
  /** Who sent it, as the admission policy stamped it. */
  readonly by?: string;
  /** Why, in the sender's words. */
  readonly reason?: string;
  /** What is wrong with the annotation; then nothing of it is carried out. */
  readonly malformed?: string;
}
