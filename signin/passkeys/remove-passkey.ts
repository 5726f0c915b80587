import { type NoticeDeps, sendNotice } from "../accounts/notice.ts";
import { listUsableMethods, type MethodDeps } from "../accounts/usable-methods.ts";
import { unixNow } from "../db/time.ts";
import { failure, notFound } from "../errors.ts";
import type { AccessClaims } from "../http/access-claims.ts";
import { deletePasskeyUnlessLast, hasPasskey } from "./store.ts";

/**
 * Removes a passkey, and ends the sessions that it began, but for the one of the request. It stays where it is the last way to sign in (Sign-in §3, disconnect rule).
 * @throws SigninError `not_found`, `last_sign_in_method`
 */
export async function removePasskey(
  deps: NoticeDeps & MethodDeps,
  user: AccessClaims,
  id: string,
): Promise<void> {
  const { userId } = user;
  const passkey = { ...user, id, now: unixNow(deps.clock) };
  if (!(await deletePasskeyUnlessLast(deps.db, passkey, listUsableMethods(deps)))) {
    throw (await hasPasskey(deps.db, passkey))
      ? failure("last_sign_in_method")
      : notFound("Passkey");
  }
  deps.record({ type: "passkey.removed", outcome: "success", ...user });
  sendNotice(deps, { userId, kind: "passkey_removed" });
}
