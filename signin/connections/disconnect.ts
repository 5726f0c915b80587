import { type NoticeDeps, sendNotice } from "../accounts/notice.ts";
import { listUsableMethods, type MethodDeps } from "../accounts/usable-methods.ts";
import { API_KEY_PROVIDERS } from "../config/variables.ts";
import { unixNow } from "../db/time.ts";
import { failure, notFound } from "../errors.ts";
import type { AccessClaims } from "../http/access-claims.ts";
import { deleteApiKey, deleteIdentityUnlessLast, hasIdentity } from "./store.ts";

type DisconnectDeps = NoticeDeps & MethodDeps;

/**
 * Removes a connection. With an identity the sessions end that it began, but for the one of the request. It stays if it is the last way to sign in (Sign-in §3, disconnect rule).
 * @throws SigninError `not_found`, `last_sign_in_method`
 */
export async function disconnect(
  deps: DisconnectDeps,
  user: AccessClaims,
  provider: string,
): Promise<void> {
  const { userId, sessionId } = user;
  const isKey = API_KEY_PROVIDERS.some((slug) => slug === provider);
  if (isKey) {
    if (!(await deleteApiKey(deps.db, { userId, provider }))) throw notFound("Connection");
  } else {
    await deleteIdentity(deps, { ...user, provider });
  }
  const type = isKey ? "apikey.removed" : "identity.unlinked";
  const detail = { provider };
  deps.record({ type, outcome: "success", userId, sessionId, detail });
  sendNotice(deps, { userId, kind: isKey ? "api_key_removed" : "identity_removed", provider });
}

async function deleteIdentity(
  deps: DisconnectDeps,
  identity: AccessClaims & { provider: string },
): Promise<void> {
  const removal = { ...identity, now: unixNow(deps.clock) };
  if (await deleteIdentityUnlessLast(deps.db, removal, listUsableMethods(deps))) return;
  throw (await hasIdentity(deps.db, identity))
    ? failure("last_sign_in_method")
    : notFound("Connection");
}
