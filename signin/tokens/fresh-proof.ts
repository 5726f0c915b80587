import type { Database } from "../../shared/database.ts";
import { HAS_SECOND_FACTOR } from "../db/second-factor.ts";
import { unixNow } from "../db/time.ts";
import type { Scope } from "../deps.ts";
import { failure, type ProofWay, SigninError } from "../errors.ts";
import type { AccessClaims } from "../http/access-claims.ts";
import { FRESH_PROOF_SEC } from "../limits.ts";

/** The dependencies of a change that needs a fresh proof. */
export type FreshDeps = Pick<Scope, "db" | "clock" | "config" | "relyingParty">;

interface ProofState {
  isFresh: boolean;
  hasFactor: boolean;
  hasPassword: boolean;
  hasPasskey: boolean;
}

/**
 * The session of `user` must have proven the account within five minutes. Only a second factor that is switched on takes a proof
 * back while its session lives, so the change itself checks the session alone.
 * @throws SigninError `reauthentication_required` with the ways of the account, `session_expired`
 */
export async function requireFreshProof(deps: FreshDeps, user: AccessClaims): Promise<void> {
  const state = await getProofState(deps, user);
  if (!state.isFresh) throw toRequired(deps, state);
}

/** The answer that lists the ways of the account. @throws SigninError `session_expired` */
export async function reauthenticationRequired(
  deps: FreshDeps,
  user: AccessClaims,
): Promise<SigninError> {
  return toRequired(deps, await getProofState(deps, user));
}

// Beside a second factor neither a password nor a mailbox is enough.
function toRequired({ config }: FreshDeps, state: ProofState): SigninError {
  const ways: ProofWay[] = [];
  if (state.hasPassword && !state.hasFactor) ways.push("password");
  if (config.mail.kind !== "none" && !state.hasFactor) ways.push("code");
  if (state.hasPasskey) ways.push("passkey");
  if (state.hasFactor) ways.push("second_factor");
  return new SigninError("reauthentication_required", { ways });
}

async function getProofState(deps: FreshDeps, user: AccessClaims): Promise<ProofState> {
  const provenAfter = unixNow(deps.clock) - FRESH_PROOF_SEC;
  const state = await findProofState(deps.db, { ...user, provenAfter, rpId: rpIdOf(deps) });
  if (!state) throw failure("session_expired");
  return state;
}

/** Empty if passkeys are not available: none is of that domain. */
function rpIdOf({ relyingParty }: FreshDeps): string {
  try {
    return relyingParty().id;
  } catch (error) {
    if (error instanceof SigninError) return "";
    throw error;
  }
}

async function findProofState(
  db: Database,
  args: AccessClaims & { provenAfter: number; rpId: string },
): Promise<ProofState | undefined> {
  const { rows } = await db.$client.execute({
    sql: `SELECT coalesce(s.proven_at, 0) > :provenAfter AS is_fresh, u.password_hash IS NOT NULL AS has_password,
            EXISTS (SELECT 1 FROM passkeys WHERE user_id = u.id AND rp_id = :rpId) AS has_passkey,
            ${HAS_SECOND_FACTOR} AS has_factor
          FROM users u JOIN sessions s ON s.user_id = u.id AND s.id = :sessionId WHERE u.id = :userId`,
    args: { ...args },
  });
  const [row] = rows;
  return (
    row && {
      isFresh: Boolean(row.is_fresh),
      hasPassword: Boolean(row.has_password),
      hasFactor: Boolean(row.has_factor),
      hasPasskey: Boolean(row.has_passkey),
    }
  );
}
