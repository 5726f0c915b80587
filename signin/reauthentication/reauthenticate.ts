import type { InStatement } from "@libsql/client";
import { Batch } from "../../shared/batch.ts";
import { both } from "../db/condition.ts";
import { isLiveSession } from "../db/live-session.ts";
import { HAS_SECOND_FACTOR } from "../db/second-factor.ts";
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
import { amrWith } from "../second-factor/store.ts";
import { type FactorDeps, proveSecondFactor } from "../second-factor/verify-factor.ts";
import type { SecondFactor } from "../second-factor/wire.ts";
import { type FreshDeps, reauthenticationRequired } from "../tokens/fresh-proof.ts";
import { AUTHENTICATION, selectUserStatement, toAuthentication } from "../tokens/session-store.ts";
import { type AccessResponse, AccountUser } from "../tokens/wire.ts";
import type { Reauthentication } from "./wire.ts";

type ReauthenticateDeps = OwnerDeps &
  CredentialDeps &
  FactorDeps &
  FreshDeps &
  Pick<Scope, "accessTokens" | "background" | "record">;

/** A proof, and what it uses up. */
interface Proof extends Omit<OwnerProof, "settle"> {
  spends?: readonly InStatement[];
  settle?(): Promise<void> | void;
  /** SQL: the `amr` of the session from now on. */
  amr: string;
  /** What to answer where another request used it up. */
  lost: "invalid_password" | "invalid_code" | "invalid_passkey" | "invalid_second_factor";
}

/**
 * Proves the account afresh, for the session of the request alone: no other session changes, and none begins. One batch uses the
 * proof up and marks the session. `headers` are those of the request, with the binding cookie of a passkey's challenge.
 * Beside a second factor a password or a mailed code is none.
 * @throws SigninError `invalid_request`, `invalid_password`, `invalid_code`, `invalid_passkey`, `invalid_second_factor`,
 * `reauthentication_required`, `session_expired`, `rate_limited`
 */
export async function reauthenticate(
  deps: ReauthenticateDeps,
  user: AccessClaims,
  { given, headers }: { given: Reauthentication; headers: Headers },
): Promise<AccessResponse> {
  const [way, ...others] = METHODS.filter((each) => given[each] !== undefined);
  if (way === undefined || others.length > 0) {
    throw invalidRequest(`password: send exactly one of ${METHODS.join(", ")}`);
  }
  const detail = { method: way === "credential" ? "passkey" : way };
  const event = { type: "session.reauthenticated", ...user } as const;
  try {
    const owner = await getOwner(deps.db, user.userId);
    const isWeak = way === "password" || way === "code";
    if (isWeak && owner.secondFactorAt !== null) throw await reauthenticationRequired(deps, user);
    const proof = await prove(deps, owner, { given, headers });
    const answer = await markProven(deps, user, proof);
    deps.background(Promise.resolve(proof.settle?.()));
    deps.record({ ...event, outcome: "success", detail });
    return answer;
  } catch (error) {
    if (error instanceof SigninError && error.code !== "rate_limited") {
      deps.record({ ...event, outcome: "failure", detail: { ...detail, reason: error.code } });
    }
    throw error;
  }
}

const METHODS = ["password", "code", "second_factor", "credential"] as const;

async function prove(
  deps: ReauthenticateDeps,
  owner: Owner,
  { given, headers }: { given: Reauthentication; headers: Headers },
): Promise<Proof> {
  const { password, code, credential, second_factor: factor } = given;
  if (credential !== undefined) return verifyOwnPasskey(deps, owner, { credential, headers });
  if (factor !== undefined) return verifyOwnFactor(deps, owner, factor);
  const isEnough = { sql: `NOT ${HAS_SECOND_FACTOR}`, args: {} };
  if (password !== undefined) {
    const proof = await verifyOwnPassword(deps, owner, { field: "password", password });
    const condition = both(proof.condition, isEnough);
    return { ...proof, condition, amr: "'pwd'", lost: "invalid_password" };
  }
  const purpose = "reauthenticate";
  const proof = await verifyOwnCode(deps, { purpose, subject: owner.id, code: code ?? "" });
  const spent = { keys: [owner.id], purposes: [purpose], now: unixNow(deps.clock) } as const;
  const spends = [consumeCodesStatement(spent, { sql: "1", args: {} })];
  const condition = both(proof.condition, isEnough);
  return {
    ...proof,
    condition,
    spends,
    amr: "iif(amr LIKE 'pwd%', 'pwd', NULL)",
    lost: "invalid_code",
  };
}

// A 401 would be about the token.
async function verifyOwnFactor(
  deps: ReauthenticateDeps,
  owner: Owner,
  given: SecondFactor,
): Promise<Proof> {
  if (owner.secondFactorAt === null) {
    throw invalidRequest("second_factor: this account has no second factor");
  }
  const proof = await proveSecondFactor(deps, owner.id, given).catch((error: unknown) => {
    if (!(error instanceof SigninError) || error.code !== "second_factor_rejected") throw error;
    throw new SigninError("invalid_second_factor", { details: error.details });
  });
  return {
    condition: proof.condition,
    spends: proof.spends({ sql: "1", args: {} }),
    settle: proof.settle,
    amr: amrWith("amr", proof.factor === "code" ? "otp mfa" : "mfa"),
    lost: "invalid_second_factor",
  };
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
      spends: [usePasskeyStatement(passkey.id, use, unixNow(deps.clock))],
      amr: "amr",
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
  { condition, spends = [], amr, lost }: Proof,
): Promise<AccessResponse> {
  const { userId, sessionId } = user;
  const batch = new Batch();
  const marked = batch.add({
    sql: `UPDATE sessions SET proven_at = :now, amr = ${amr}
          WHERE id = :sessionId AND user_id = :userId AND ${isLiveSession(":now")} AND ${condition.sql}
          RETURNING ${AUTHENTICATION}`,
    args: { ...condition.args, userId, sessionId, now: unixNow(deps.clock) },
  });
  for (const spend of spends) batch.add(spend);
  const selected = batch.add(selectUserStatement(userId));
  await batch.run(deps.db);
  const [session] = marked();
  if (!session) throw failure(lost);
  return {
    access_token: await deps.accessTokens.issue({ ...user, ...toAuthentication(session) }),
    token_type: "Bearer",
    expires_in: ACCESS_TOKEN_LIFETIME_SEC,
    user: AccountUser.parse(JSON.parse(String(selected()[0]?.user))),
  };
}
