import type { Condition } from "../db/condition.ts";
import type { Scope } from "../deps.ts";
import { failure, invalidRequest } from "../errors.ts";
import { clearCount, type GuardDeps, requireWithinLimit } from "../rate-limits/guard.ts";
import { verifyPassword } from "./check-password.ts";
import { IS_USABLE_CODE } from "./code-store.ts";
import type { Owner } from "./store.ts";
import { type CodeSubject, verifyCode } from "./verify-code.ts";

export type OwnerDeps = GuardDeps & Pick<Scope, "db" | "clock" | "hasher">;

/** What a signed-in user proved beside the token. */
export interface OwnerProof {
  /** It must still hold when the change commits. */
  condition: Condition;
  /** After the change: resets the count of wrong attempts. */
  settle(): Promise<void>;
}

/**
 * Checks the password of a signed-in user. `field` names it in a refusal. Guesses have a limit of their own: those of strangers at
 * the sign-in never count here.
 * @throws SigninError `invalid_password`, `invalid_request`, `rate_limited`
 */
export async function verifyOwnPassword(
  deps: OwnerDeps,
  owner: Owner,
  { field, password }: { field: string; password: string },
): Promise<OwnerProof> {
  const { passwordHash } = owner;
  if (passwordHash === null) throw invalidRequest(`${field}: this account has no password`);
  await requireWithinLimit(deps, "passwordProofPerUser", owner.id);
  const { matches } = await verifyPassword(deps, password, passwordHash);
  if (!matches) throw failure("invalid_password");
  return {
    condition: {
      sql: "(SELECT password_hash FROM users WHERE id = :userId) = :provenHash",
      args: { provenHash: passwordHash },
    },
    settle: () => clearCount(deps, "passwordProofPerUser", owner.id),
  };
}

/**
 * Checks a code that a signed-in user asked for. The change consumes it. `subject`: the id of the account, or the new address.
 * @throws SigninError `invalid_code`, `rate_limited`
 */
export async function verifyOwnCode(
  deps: OwnerDeps,
  given: CodeSubject & { code: string },
): Promise<OwnerProof> {
  const codeId = await verifyCode(deps, given);
  return { condition: { sql: IS_USABLE_CODE, args: { codeId } }, settle: async () => {} };
}
