/** Hashes passwords slowly. The implementation belongs to the runtime; see `signin/node/`. */
export interface PasswordHasher {
  /** `network` is the client's; networks share the line fairly. @throws HasherBusy where too many wait already. */
  hash(password: string, network?: string): Promise<string>;
  /**
   * Compares in constant time. `outdated`: the hash was made with other parameters; hash anew while the password is known.
   * @throws HasherBusy where too many wait already.
   */
  verify(
    password: string,
    stored: string,
    network?: string,
  ): Promise<{ matches: boolean; outdated: boolean }>;
}

/** Too many hashes are under way; the client is to come back. */
export class HasherBusy extends Error {
  override name = "HasherBusy";
}
