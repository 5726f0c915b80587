import { toNetworkKey } from "../audit/address.ts";
import type { Scope } from "../deps.ts";
import { passwordRefused, rateLimited } from "../errors.ts";
import {
  HASHER_BUSY_RETRY_SEC,
  PASSWORD_CHARACTERS_MAX,
  PASSWORD_CHARACTERS_MIN,
} from "../limits.ts";
import { COMMON_PASSWORD_HASHES } from "./common-passwords.generated.ts";
import { HasherBusy } from "./hasher.ts";
import { findPasswordFault, type PasswordFault } from "./rules.ts";

const RULES: Readonly<Record<PasswordFault, string>> = {
  short: `must have at least ${PASSWORD_CHARACTERS_MIN} characters`,
  long: `must have at most ${PASSWORD_CHARACTERS_MAX} characters`,
  malformed: "must be valid text",
  blank_ends: "must neither begin nor end with white space",
  common: "must not be one of the most common ones",
};

/** @throws SigninError `invalid_request` if the password breaks a rule for new ones; it says which. */
export async function requireGoodPassword(password: string, field = "password"): Promise<void> {
  const fault = await findPasswordFault(password, COMMON_PASSWORD_HASHES);
  if (fault !== undefined) throw passwordRefused(RULES[fault], field);
}

/** @throws SigninError `rate_limited` if too many passwords are being checked already. */
export function hashPassword(
  { hasher, client }: Pick<Scope, "hasher" | "client">,
  password: string,
): Promise<string> {
  return hasher.hash(password, { network: toNetworkKey(client.address) }).catch(rethrowBusy);
}

/**
 * Without a `stored` hash it takes the same time and nothing matches: the client cannot learn whether the account exists.
 * `isKnown`: whether the account has a live session in the client's network.
 * @throws SigninError `rate_limited` if too many passwords are being checked already.
 */
export function verifyPassword(
  { hasher, client }: Pick<Scope, "hasher" | "client">,
  password: string,
  stored: string | null | undefined,
  isKnown = false,
): Promise<{ matches: boolean; outdated: boolean }> {
  const network = toNetworkKey(client.address);
  return hasher.verify(password, stored ?? "", { network, isKnown }).catch(rethrowBusy);
}

function rethrowBusy(error: unknown): never {
  if (error instanceof HasherBusy) throw rateLimited(HASHER_BUSY_RETRY_SEC);
  throw error;
}
