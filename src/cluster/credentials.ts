/** Who we are to the API server, as a header. A client certificate speaks for itself and needs none. */
export interface Credentials {
  /** The `authorization` header to send now; undefined when there is none. */
  authorization(): string | undefined | Promise<string | undefined>;
  /**
   * The server answered 401: look for something newer at once.
   *
   * @param rejected the header that was refused
   * @returns whether `authorization` now gives another one
   */
  renew(rejected: string | undefined): Promise<boolean>;
}
