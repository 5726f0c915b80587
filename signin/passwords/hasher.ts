/** Hashes passwords with a slow function; see scrypt-hasher.ts. */
export interface PasswordHasher {
  /** `network` is the client's: networks share the line fairly. @throws HasherBusy where too many wait already. */
  hash(password: string, network?: string): Promise<string>;
  /**
   * Compares in constant time. `outdated`: the hash has other parameters; hash the password again while it is known.
   * @throws HasherBusy where too many wait already.
   */
  verify(
    password: string,
    stored: string,
    network?: string,
  ): Promise<{ matches: boolean; outdated: boolean }>;
}

/** Too many hashes are running or waiting. The client should retry later. */
export class HasherBusy extends Error {
  override name = "HasherBusy";
}
