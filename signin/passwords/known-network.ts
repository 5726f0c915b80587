import { isStoredOf, toNetworkKey } from "../audit/address.ts";
import { unixNow } from "../db/time.ts";
import type { Scope } from "../deps.ts";
import type { EmailAddress } from "../mail/email-address.ts";
import { listLiveNetworks } from "./store.ts";

/**
 * Whether the account has a live session in the client's network. The owner is there and most strangers are not: limits that
 * strangers can use up exempt it.
 */
export async function isKnownNetwork(
  { db, clock, client }: Pick<Scope, "db" | "clock" | "client">,
  email: EmailAddress,
): Promise<boolean> {
  const network = toNetworkKey(client.address);
  const stored = await listLiveNetworks(db, { email, now: unixNow(clock) });
  return stored.some((each) => isStoredOf(network, each));
}
