import { isStoredOf, toNetworkKey } from "../audit/address.ts";
import { NATIVE_CODE_LIFETIME_SEC, USER_AGENT_CHARACTERS_MAX } from "../limits.ts";
import { deliver, type NoticeDeps } from "./notice.ts";
import { findEarlierDevices } from "./store.ts";

/**
 * Mails the owner that a device signed in whose user agent and network no session of the account has had. A session that begins
 * with the account is none.
 */
export function noticeNewDevice(
  deps: NoticeDeps,
  session: { userId: string; sessionId: string },
): void {
  if (deps.config.mail.kind !== "none") deps.background(noticeUnlessKnown(deps, session));
}

async function noticeUnlessKnown(
  deps: NoticeDeps,
  { userId, sessionId }: { userId: string; sessionId: string },
): Promise<void> {
  const { db, client } = deps;
  const userAgent = client.userAgent.slice(0, USER_AGENT_CHARACTERS_MAX) || null;
  const found = await findEarlierDevices(db, { userId, sessionId, userAgent });
  // Another device may have deleted the account already.
  if (!found) return;
  const { networks, hadSessions, ageSec } = found;
  if (!hadSessions && ageSec <= NATIVE_CODE_LIFETIME_SEC) return;
  const network = toNetworkKey(client.address);
  if (networks.some((stored) => isStoredOf(network, stored))) return;
  await deliver(deps, { userId, kind: "new_device" });
}
