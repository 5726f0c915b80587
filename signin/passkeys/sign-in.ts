import { Batch } from "../../shared/batch.ts";
import { sha256, toBase64Url } from "../../shared/bytes.ts";
import { noticeNewDevice } from "../accounts/new-device.ts";
import type { NoticeDeps } from "../accounts/notice.ts";
import { unixNow } from "../db/time.ts";
import type { Scope } from "../deps.ts";
import { failure } from "../errors.ts";
import { readPasskeyBinding } from "../http/cookies.ts";
import { addSession, type IssueDeps } from "../tokens/issue-session.ts";
import type { TokenAnswer } from "../tokens/wire.ts";
import { consumeChallengeStatement } from "./challenge-store.ts";
import { type ClientData, parseClientData } from "./client-data.ts";
import { requireCredential } from "./credential.ts";
import { PasskeyFault } from "./fault.ts";
import {
  isAdvanced,
  type KnownPasskey,
  type PasskeyUse,
  selectPasskeyStatement,
  toKnownPasskey,
  usePasskeyStatement,
} from "./store.ts";
import { verifySignIn } from "./verify-sign-in.ts";
import type { PasskeySignIn } from "./wire.ts";

type SignInDeps = IssueDeps & NoticeDeps & Pick<Scope, "relyingParty">;

/**
 * Signs in with a passkey, in the browser that `headers` are of. An attempt spends its challenge. All refusals are the same;
 * the log has the reason.
 * @throws SigninError `passkey_rejected`
 */
export async function signInWithPasskey(
  deps: SignInDeps,
  { credential, native = false }: PasskeySignIn,
  headers: Headers,
): Promise<TokenAnswer> {
  const party = deps.relyingParty();
  let passkey: KnownPasskey | undefined;
  try {
    const clientData = await parseClientData(credential.response.clientDataJSON);
    const { rawId } = credential;
    const wanted = { credentialId: toBase64Url(rawId), rpId: party.id };
    passkey = await findSpendingChallenge(deps, clientData, { headers, wanted });
    requireCredential(credential);
    if (!passkey) throw new PasskeyFault("unknown_passkey", "no account has it");
    const use = await verifySignIn(credential, clientData, { passkey, party });
    return await beginSession(deps, passkey, use, native ? "native" : "browser");
  } catch (error) {
    if (!(error instanceof PasskeyFault)) throw error;
    recordRefusal(deps, error, passkey);
    throw failure("passkey_rejected", error.message);
  }
}

/** One batch: it consumes the challenge, and finds the passkey of the credential. @throws PasskeyFault `challenge` */
async function findSpendingChallenge(
  { db, clock, config }: SignInDeps,
  { challengeHash }: ClientData,
  { headers, wanted }: { headers: Headers; wanted: { credentialId: string; rpId: string } },
): Promise<KnownPasskey | undefined> {
  const binding = readPasskeyBinding(config, headers);
  if (!binding) throw new PasskeyFault("challenge", "the browser sent no binding cookie");
  const bindingHash = toBase64Url(await sha256(binding));
  const now = unixNow(clock);
  const batch = new Batch();
  const consumed = batch.add(consumeChallengeStatement(challengeHash, { bindingHash }, now));
  const found = batch.add(selectPasskeyStatement(wanted));
  await batch.run(db);
  if (consumed().length === 0) {
    throw new PasskeyFault("challenge", "it is not pending in this browser, or has expired");
  }
  const [row] = found();
  return row && toKnownPasskey(row);
}

/** One batch: the session begins where the counter advances, and nothing else can advance it meanwhile. */
async function beginSession(
  deps: SignInDeps,
  { id, userId }: KnownPasskey,
  use: PasskeyUse,
  kind: "browser" | "native",
): Promise<TokenAnswer> {
  const batch = new Batch();
  const session = addSession(deps, batch, { userId, kind }, isAdvanced(id, use));
  batch.add(usePasskeyStatement(id, use, unixNow(deps.clock)));
  await batch.run(deps.db);
  if (!session.isInserted()) throw new PasskeyFault("counter", "it has not advanced");
  const answer = session.toTokenAnswer();
  const detail = { method: "passkey" };
  deps.record({ type: "login.success", outcome: "success", userId, detail });
  noticeNewDevice(deps, { userId, sessionId: session.id });
  return answer;
}

/** A counter that falls back may mean that two devices hold the key, so it has an event of its own. */
function recordRefusal(
  { record }: SignInDeps,
  { rule: reason }: PasskeyFault,
  passkey: KnownPasskey | undefined,
): void {
  const event = { outcome: "failure", userId: passkey?.userId } as const;
  if (reason === "counter") record({ ...event, type: "passkey.counter" });
  record({ ...event, type: "login.failure", detail: { method: "passkey", reason } });
}
