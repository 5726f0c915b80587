import { type NoticeDeps, sendNotice } from "../accounts/notice.ts";
import { API_KEY_PROVIDERS } from "../config/variables.ts";
import type { Scope } from "../deps.ts";
import { failure, notFound } from "../errors.ts";
import type { AccessClaims } from "../http/access-claims.ts";
import { deleteApiKey, deleteIdentityUnlessLast, hasIdentity } from "./store.ts";

type DisconnectDeps = NoticeDeps & Pick<Scope, "providers">;

/**
 * Removes a connection. An identity stays where it is the last way to sign in (Sign-in §3, disconnect rule). Identities of a
 * disabled provider do not count: they cannot sign in.
 * @throws SigninError `not_found`, `last_sign_in_method`
 */
export async function disconnect(
  deps: DisconnectDeps,
  { userId, sessionId }: AccessClaims,
  provider: string,
): Promise<void> {
  const isKey = API_KEY_PROVIDERS.some((slug) => slug === provider);
  if (isKey) {
    if (!(await deleteApiKey(deps.db, { userId, provider }))) throw notFound("Connection");
  } else {
    await deleteIdentity(deps, { userId, provider });
  }
  const type = isKey ? "apikey.removed" : "identity.unlinked";
  const detail = { provider };
  deps.record({ type, outcome: "success", userId, sessionId, detail });
  sendNotice(deps, { userId, kind: isKey ? "api_key_removed" : "identity_removed", provider });
}

async function deleteIdentity(
  { db, providers }: DisconnectDeps,
  { userId, provider }: { userId: string; provider: string },
): Promise<void> {
  const signInProviders = providers.list().map(({ slug }) => slug);
  if (await deleteIdentityUnlessLast(db, { userId, provider, signInProviders })) return;
  throw (await hasIdentity(db, { userId, provider }))
    ? failure("last_sign_in_method")
    : notFound("Connection");
}
