import { sendNotice } from "../accounts/notice.ts";
import { unixNow } from "../db/time.ts";
import type { Scope } from "../deps.ts";
import { failure } from "../errors.ts";
import type { AccessClaims } from "../http/access-claims.ts";
import { requireWithinLimit } from "../rate-limits/guard.ts";
import { upsertApiKey } from "./store.ts";
import type { ConnectApiKey, ConnectedApiKey } from "./wire.ts";

const SHOWN_CHARACTERS = 4;
// Four characters are too large a part of a shorter key.
const SHOWN_FROM_CHARACTERS = 16;

/** The context of a sealed key: moved to another row, it cannot be decrypted. */
export function apiKeyContext(userId: string, provider: string): string {
  return `signin|api_key|${userId}|${provider}`;
}

/** `****wxyz`: enough to identify a key among one's own. */
function maskApiKey(key: string): string {
  return `****${key.length >= SHOWN_FROM_CHARACTERS ? key.slice(-SHOWN_CHARACTERS) : ""}`;
}

/** Seals and stores a key; connecting again replaces it. @throws SigninError `rate_limited`, `session_expired` */
export async function connectApiKey(
  deps: Scope,
  { userId, sessionId }: AccessClaims,
  { provider_slug: provider, api_key: key }: ConnectApiKey,
): Promise<ConnectedApiKey> {
  await requireWithinLimit(deps, "apiKeyPerUser", userId);
  const box = await deps.keyring.box();
  const hint = maskApiKey(key);
  const row = {
    userId,
    provider,
    ciphertext: await box.seal(key, apiKeyContext(userId, provider)),
    keyId: box.keyId,
    hint,
    connectedAt: unixNow(deps.clock),
  };
  if (!(await upsertApiKey(deps.db, row, sessionId))) throw failure("session_expired");
  const event = { type: "apikey.connected", outcome: "success", detail: { provider } } as const;
  deps.record({ ...event, userId, sessionId });
  sendNotice(deps, { userId, kind: "api_key_connected", provider });
  return { provider_slug: provider, hint };
}
