import { Batch } from "../../shared/batch.ts";
import { noticeNewDevice } from "../accounts/new-device.ts";
import type { NoticeDeps } from "../accounts/notice.ts";
import { logEvent } from "../audit/log-event.ts";
import { unixNow } from "../db/time.ts";
import { failure } from "../errors.ts";
import { addSession, type IssueDeps } from "../tokens/issue-session.ts";
import type { TokenResponse } from "../tokens/wire.ts";
import { PasskeyFault } from "./fault.ts";
import { isAdvanced, type KnownPasskey, type PasskeyUse, usePasskeyStatement } from "./store.ts";
import { type CredentialDeps, verifyCredential } from "./verify-credential.ts";
import type { PasskeySignIn } from "./wire.ts";

type SignInDeps = IssueDeps & NoticeDeps & CredentialDeps;

/**
 * Signs in with a passkey, in the browser that `headers` are of. An attempt with a known passkey uses its challenge up. All
 * refusals are the same; the log has the reason.
 * @throws SigninError `passkey_rejected`, `account_disabled`
 */
export async function signInWithPasskey(
  deps: SignInDeps,
  { credential, native = false }: PasskeySignIn,
  headers: Headers,
): Promise<TokenResponse> {
  let found: KnownPasskey | undefined;
  const onFound = (passkey: KnownPasskey) => {
    found = passkey;
  };
  try {
    const { passkey, use } = await verifyCredential(deps, { credential, headers, onFound });
    if (passkey.isDisabled) throw failure("account_disabled");
    return await beginSession(deps, passkey, use, native ? "native" : "browser");
  } catch (error) {
    if (!(error instanceof PasskeyFault)) throw error;
    recordRefusal(deps, error, found);
    throw failure("passkey_rejected", error.message);
  }
}

/** One batch: the session begins where the counter advances, and nothing else can advance it meanwhile. */
async function beginSession(
  deps: SignInDeps,
  { id, userId }: KnownPasskey,
  use: PasskeyUse,
  kind: "browser" | "native",
): Promise<TokenResponse> {
  const batch = new Batch();
  const input = { userId, kind, passkeyId: id };
  const session = addSession(deps, batch, input, isAdvanced(id, use));
  batch.add(usePasskeyStatement(id, use, unixNow(deps.clock)));
  await batch.run(deps.db);
  if (!session.isInserted()) throw new PasskeyFault("counter", "it has not advanced");
  const answer = session.toTokenResponse();
  const detail = { method: "passkey" };
  deps.record({ type: "login.success", outcome: "success", userId, detail });
  noticeNewDevice(deps, { userId, sessionId: session.id });
  return answer;
}

/**
 * A counter that falls back may mean that two devices hold the key, so it has an event of its own. What names no passkey of an
 * account is in the log alone.
 */
function recordRefusal(
  { record, log, client }: SignInDeps,
  { rule: reason }: PasskeyFault,
  passkey: KnownPasskey | undefined,
): void {
  const detail = { method: "passkey", reason };
  const refusal = { type: "login.failure", outcome: "failure", detail } as const;
  if (!passkey) {
    logEvent(log, { ...refusal, client });
    return;
  }
  const { userId } = passkey;
  if (reason === "counter") record({ type: "passkey.counter", outcome: "failure", userId });
  record({ ...refusal, userId });
}
