/** Whose hash it is. */
export interface HashClient {
  /** No network can use all places. */
  network: string;
  /** Whether the account that signs in has a live session there: strangers leave these networks a third of the queue. */
  isKnown?: boolean;
}

/** Hashes passwords with a slow function; see scrypt-hasher.ts. */
export interface PasswordHasher {
  /** Networks share the queue fairly. @throws HasherBusy if too many wait already. */
  hash(password: string, client?: HashClient): Promise<string>;
  /**
   * Compares in constant time. `outdated`: the hash has other parameters; hash the password again while it is known.
   * @throws HasherBusy if too many wait already.
   */
  verify(
    password: string,
    stored: string,
    client?: HashClient,
  ): Promise<{ matches: boolean; outdated: boolean }>;
}

/** Too many hashes are running or waiting. The client should retry later. */
export class HasherBusy extends Error {
  override name = "HasherBusy";
}
