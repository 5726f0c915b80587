import { Batch } from "../../shared/batch.ts";
import { isLiveSession } from "../db/live-session.ts";
import { unixNow } from "../db/time.ts";
import type { Scope } from "../deps.ts";
import { failure, invalidRequest, SigninError } from "../errors.ts";
import type { AccessClaims } from "../http/access-claims.ts";
import { PasskeyFault } from "../passkeys/fault.ts";
import { isAdvanced, usePasskeyStatement } from "../passkeys/store.ts";
import { type CredentialDeps, verifyCredential } from "../passkeys/verify-credential.ts";
import { consumeCodesStatement } from "../passwords/code-store.ts";
import { getOwner, type Owner } from "../passwords/store.ts";
import {
  type OwnerDeps,
  type OwnerProof,
  verifyOwnCode,
  verifyOwnPassword,
} from "../passwords/verify-owner.ts";
import { ACCESS_TOKEN_LIFETIME_SEC } from "../public-limits.ts";
import { selectUserStatement } from "../tokens/session-store.ts";
import { type AccessResponse, AccountUser } from "../tokens/wire.ts";
import type { Reauthentication } from "./wire.ts";

type ReauthenticateDeps = OwnerDeps &
  CredentialDeps &
  Pick<Scope, "accessTokens" | "background" | "record">;

/** A proof, and what it uses up. */
interface Proof extends Omit<OwnerProof, "settle"> {
  spends?: { sql: string; args: Record<string, string | number | boolean> };
  settle?(): Promise<void>;
  /** What to answer where another request used it up. */
  lost: "invalid_password" | "invalid_code" | "invalid_passkey";
}

/**
 * Proves the account afresh, for the session of the request alone: no other session changes, and none begins. One batch uses the
 * proof up and marks the session. `headers` are those of the request, with the binding cookie of a passkey's challenge.
 * @throws SigninError `invalid_request`, `invalid_password`, `invalid_code`, `invalid_passkey`, `session_expired`, `rate_limited`
 */
export async function reauthenticate(
  deps: ReauthenticateDeps,
  user: AccessClaims,
  { given, headers }: { given: Reauthentication; headers: Headers },
): Promise<AccessResponse> {
  const [method, ...others] = METHODS.filter((each) => given[each] !== undefined);
  if (method === undefined || others.length > 0) {
    throw invalidRequest("password: send exactly one of password, code and credential");
  }
  const detail = { method: method === "credential" ? "passkey" : method };
  const event = { type: "session.reauthenticated", ...user } as const;
  try {
    const owner = await getOwner(deps.db, user.userId);
    const proof = await prove(deps, owner, { given, headers });
    const answer = await markProven(deps, user, proof);
    if (proof.settle) deps.background(proof.settle());
    deps.record({ ...event, outcome: "success", detail });
    return answer;
  } catch (error) {
    if (error instanceof SigninError && error.code !== "rate_limited") {
      deps.record({ ...event, outcome: "failure", detail: { ...detail, reason: error.code } });
    }
    throw error;
  }
}

const METHODS = ["password", "code", "credential"] as const;

async function prove(
  deps: ReauthenticateDeps,
  owner: Owner,
  { given, headers }: { given: Reauthentication; headers: Headers },
): Promise<Proof> {
  const { password, code, credential } = given;
  if (password !== undefined) {
    const proof = await verifyOwnPassword(deps, owner, { field: "password", password });
    return { ...proof, lost: "invalid_password" };
  }
  if (credential !== undefined) return verifyOwnPasskey(deps, owner, { credential, headers });
  const purpose = "reauthenticate";
  const proof = await verifyOwnCode(deps, { purpose, subject: owner.id, code: code ?? "" });
  const spent = { keys: [owner.id], purposes: [purpose], now: unixNow(deps.clock) } as const;
  const spends = consumeCodesStatement(spent, { sql: "1", args: {} });
  return { ...proof, spends, lost: "invalid_code" };
}

async function verifyOwnPasskey(
  deps: ReauthenticateDeps,
  owner: Owner,
  answer: { credential: NonNullable<Reauthentication["credential"]>; headers: Headers },
): Promise<Proof> {
  try {
    const { passkey, use } = await verifyCredential(deps, answer);
    if (passkey.userId !== owner.id) {
      throw new PasskeyFault("unknown_passkey", "it is of another account");
    }
    return {
      condition: isAdvanced(passkey.id, use),
      spends: usePasskeyStatement(passkey.id, use, unixNow(deps.clock)),
      lost: "invalid_passkey",
    };
  } catch (error) {
    if (!(error instanceof PasskeyFault)) throw error;
    throw failure("invalid_passkey", error.message);
  }
}

/** @throws SigninError if another request used the proof up, or has ended the session */
async function markProven(
  deps: ReauthenticateDeps,
  user: AccessClaims,
  { condition, spends, lost }: Proof,
): Promise<AccessResponse> {
  const { userId, sessionId } = user;
  const batch = new Batch();
  const marked = batch.add({
    sql: `UPDATE sessions SET proven_at = :now
          WHERE id = :sessionId AND user_id = :userId AND ${isLiveSession(":now")} AND ${condition.sql} RETURNING id`,
    args: { ...condition.args, userId, sessionId, now: unixNow(deps.clock) },
  });
  if (spends) batch.add(spends);
  const selected = batch.add(selectUserStatement(userId));
  await batch.run(deps.db);
  if (marked().length === 0) throw failure(lost);
  return {
    access_token: await deps.accessTokens.issue(user),
    token_type: "Bearer",
    expires_in: ACCESS_TOKEN_LIFETIME_SEC,
    user: AccountUser.parse(JSON.parse(String(selected()[0]?.user))),
  };
}
