import { fromBase64Url } from "../../shared/bytes.ts";
import { SealBroken } from "../../shared/sealed-box.ts";
import { type NoticeDeps, sendNotice } from "../accounts/notice.ts";
import type { Condition } from "../db/condition.ts";
import { HAS_SECOND_FACTOR } from "../db/second-factor.ts";
import { unixNow } from "../db/time.ts";
import type { Scope } from "../deps.ts";
import { failure, rateLimited, SigninError } from "../errors.ts";
import { FACTOR_WRONG_IN_A_ROW_MAX } from "../limits.ts";
import { hashRecoveryCode } from "./recovery-codes.ts";
import {
  countGuess,
  hasRecoveryCode,
  isUnusedFactor,
  type ProvenFactor,
  useFactorStatements,
} from "./store.ts";
import { findStep } from "./totp.ts";
import type { SecondFactor } from "./wire.ts";

export type FactorDeps = NoticeDeps & Pick<Scope, "keyring">;

/** A second factor for a change or a session, in the batch of the caller. */
export interface FactorProof {
  /** What of it the session has: none, if the account has no second factor. */
  factor: ProvenFactor["kind"] | undefined;
  /** It must still hold when the batch commits. */
  condition: Condition;
  /** Behind the statement that needs it: uses it up if `done` holds. */
  spends(done: Condition): ReturnType<typeof useFactorStatements>;
  /** After the batch: tells the owner of a used recovery code. */
  settle(): void;
}

/** The context of a sealed secret: moved to another account, it cannot be decrypted. */
export function totpContext(userId: string): string {
  return `signin|totp|${userId}`;
}

/**
 * What a sign-in needs beside its first factor, which is proven. `enabledAt` is null if the account has no second factor.
 * @throws SigninError `second_factor_required`, `second_factor_rejected`, `second_factor_unavailable`, `rate_limited`
 */
export async function requireSecondFactor(
  deps: FactorDeps,
  { id: userId, secondFactorAt }: { id: string; secondFactorAt: number | null },
  given: SecondFactor | undefined,
): Promise<FactorProof> {
  if (secondFactorAt === null) {
    const condition = { sql: `NOT ${HAS_SECOND_FACTOR}`, args: {} };
    return { factor: undefined, condition, spends: () => [], settle: () => {} };
  }
  if (!given) throw failure("second_factor_required");
  try {
    return await proveSecondFactor(deps, userId, given);
  } catch (error) {
    // A fault of the server says nothing about the code.
    if (!(error instanceof SigninError) || error.status >= 500) throw error;
    const detail = { reason: error.code };
    deps.record({ type: "second_factor.rejected", outcome: "failure", userId, detail });
    throw error;
  }
}

/**
 * Judges a second factor, after its guess was counted. Nothing is used up yet.
 * @throws SigninError `second_factor_rejected`, `second_factor_unavailable`, `rate_limited`
 */
export async function proveSecondFactor(
  deps: FactorDeps,
  userId: string,
  { kind, code }: SecondFactor,
): Promise<FactorProof> {
  const now = unixNow(deps.clock);
  const judged = await countGuess(deps.db, { userId, kind, now });
  if (!judged) throw failure("second_factor_rejected");
  if ("isLocked" in judged) {
    if (!judged.isLocked) throw rateLimited(judged.retryAfterSec);
    const details = `second_factor: only a recovery code is accepted, after ${FACTOR_WRONG_IN_A_ROW_MAX} wrong codes in a row`;
    throw new SigninError("second_factor_rejected", { details });
  }
  if (kind === "recovery") {
    const codeHash = await hashRecoveryCode(userId, code);
    if (!(await hasRecoveryCode(deps.db, codeHash))) throw failure("second_factor_rejected");
    return toProof(deps, userId, { kind, codeHash });
  }
  const { ciphertext, enabledAt, lastStep } = judged;
  const secret = await openSecret(deps, userId, ciphertext);
  const step = await findStep(secret, code, { now, lastStep });
  if (step === undefined) throw failure("second_factor_rejected");
  return toProof(deps, userId, { kind, enabledAt, step });
}

/** @throws SigninError `second_factor_unavailable` if the configuration has lost the key */
export async function openSecret(
  { keyring, log }: Pick<Scope, "keyring" | "log">,
  userId: string,
  ciphertext: string,
) {
  const box = await keyring.box();
  const opened = await box.open(ciphertext, totpContext(userId)).catch((error: unknown) => {
    if (!(error instanceof SealBroken)) throw error;
    log.error(
      { error },
      "The secret of an authenticator app cannot be decrypted: TOKEN_ENCRYPTION_KEY lacks its key. `keys check` counts such secrets.",
    );
    throw failure("second_factor_unavailable");
  });
  const secret = fromBase64Url(opened);
  if (!secret) throw new RangeError("The secret of an authenticator app is not base64url.");
  return secret;
}

function toProof(deps: FactorDeps, userId: string, proven: ProvenFactor): FactorProof {
  return {
    factor: proven.kind,
    condition: isUnusedFactor(proven),
    spends: (done) => useFactorStatements(proven, { userId, done }),
    settle() {
      if (proven.kind !== "recovery") return;
      deps.record({ type: "second_factor.recovery_code_used", outcome: "success", userId });
      sendNotice(deps, { userId, kind: "recovery_code_used" });
    },
  };
}
