import { type NoticeDeps, sendNotice } from "../accounts/notice.ts";
import { listUsableMethods, type MethodDeps } from "../accounts/usable-methods.ts";
import { unixNow } from "../db/time.ts";
import { consumeNonceStatement } from "../db/used-nonces.ts";
import type { Scope } from "../deps.ts";
import { failure, notFound, SigninError } from "../errors.ts";
import type { AccessClaims } from "../http/access-claims.ts";
import { verifyChallenge } from "./challenge.ts";
import { parseClientData } from "./client-data.ts";
import { PasskeyFault } from "./fault.ts";
import { deletePasskeyUnlessLast, hasPasskey, insertPasskey } from "./store.ts";
import { type NewCredential, verifyRegistration } from "./verify-registration.ts";
import { type AddPasskey, type Passkey, type RegistrationResponse, toPasskey } from "./wire.ts";

type AddDeps = NoticeDeps & Pick<Scope, "keyring" | "relyingParty">;

const DEFAULT_LABEL = "Passkey";

/**
 * Adds the passkey that an authenticator made for a challenge of this user. An attempt spends its challenge.
 * @throws SigninError `passkey_refused`, `passkey_in_use`, `too_many_passkeys`, `session_expired`
 */
export async function addPasskey(
  deps: AddDeps,
  user: AccessClaims,
  { credential, label }: AddPasskey,
): Promise<Passkey> {
  const { id: rpId } = deps.relyingParty();
  const verified = await verify(deps, user, credential);
  const row = {
    ...verified,
    id: crypto.randomUUID(),
    userId: user.userId,
    rpId,
    transportsJson: JSON.stringify(credential.response.transports ?? []),
    label: label ?? DEFAULT_LABEL,
    createdAt: unixNow(deps.clock),
  };
  const outcome = await insertPasskey(deps.db, row, user);
  switch (outcome) {
    case "in_use":
      throw failure("passkey_in_use");
    case "too_many":
      throw failure("too_many_passkeys");
    case "session_gone":
      throw failure("session_expired");
    case "inserted":
      deps.record({ type: "passkey.added", outcome: "success", ...user });
      sendNotice(deps, { userId: user.userId, kind: "passkey_added" });
      return toPasskey({ ...row, lastUsedAt: null });
  }
}

async function verify(
  deps: AddDeps,
  { userId }: AccessClaims,
  credential: RegistrationResponse,
): Promise<NewCredential> {
  try {
    const clientData = await parseClientData(credential.response.clientDataJSON);
    const nonce = await verifyChallenge(deps, clientData.challenge, { userId });
    const { rows } = await deps.db.$client.execute(consumeNonceStatement(nonce));
    if (rows.length === 0) throw new PasskeyFault("challenge", "it was answered before");
    return await verifyRegistration(credential, clientData, deps.relyingParty());
  } catch (error) {
    if (!(error instanceof PasskeyFault)) throw error;
    throw new SigninError("passkey_refused", { details: error.message, cause: error.message });
  }
}

/**
 * Removes a passkey, and ends the sessions that it began, but for the one of the request. It stays if it is the last way to sign in (Sign-in §3, disconnect rule).
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
