import type { SigninConfig } from "../config/config.ts";
import type { Condition } from "../db/condition.ts";
import { type EmailAddress, toFormerNorm } from "../mail/email-address.ts";

type RuleConfig = Pick<SigninConfig, "signUp">;

/** A proven address, and the time in unix seconds. */
interface Applicant {
  email: EmailAddress;
  now: number;
}

const NEVER: Condition = { sql: "0", args: {} };
const ALWAYS: Condition = { sql: "1", args: {} };

/** The condition of the statement that makes an account: `SIGNUP` and `SIGNUP_ALLOWED_DOMAINS` admit the address, or an invitation does. */
export function maySignUp(
  { signUp: { rule, domains } }: RuleConfig,
  { email: { norm }, now }: Applicant,
): Condition {
  if (rule === "closed") return NEVER;
  const domain = norm.slice(norm.lastIndexOf("@") + 1);
  if (rule === "open" && (domains.length === 0 || domains.includes(domain))) return ALWAYS;
  return {
    sql: "EXISTS (SELECT 1 FROM invitations WHERE email_norm = :invited AND expires_at > :at)",
    args: { invited: norm, at: now },
  };
}

/** The condition of another address of an account: the same where domains narrow sign-up, since no account is made. */
export function mayTakeAddress(config: RuleConfig, applicant: Applicant): Condition {
  return config.signUp.rule === "open" ? maySignUp(config, applicant) : ALWAYS;
}

/** Deletes the invitation of an address that the account `userId` has now. Part of the batch that gave it the address. */
export function deleteInvitationStatement({ norm }: EmailAddress, userId: string) {
  return {
    sql: `DELETE FROM invitations WHERE email_norm = :norm
          AND EXISTS (SELECT 1 FROM users WHERE id = :userId AND email_norm = :norm)`,
    args: { norm, userId },
  };
}

/** A row if an account has the address. */
export function findTakenStatement({ email, norm }: EmailAddress) {
  return {
    sql: "SELECT 1 FROM users WHERE email_norm IN (:norm, :formerNorm)",
    args: { norm, formerNorm: toFormerNorm(email) },
  };
}
