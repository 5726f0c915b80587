import { Batch } from "../../shared/batch.ts";
import type { Database } from "../../shared/database.ts";
import type { Condition } from "../db/condition.ts";
import {
  CODE_GUESSES_PER_DAY,
  CODE_MAILS_PER_DAY,
  CODE_RESEND_SEC,
  DAY_SEC,
  EMAIL_CODE_ATTEMPTS_MAX,
  EMAIL_CODE_LIFETIME_SEC,
  LONG_CODE_LIFETIME_SEC,
} from "../limits.ts";
import type { CodePurpose } from "./codes.ts";

/** The codes of an address, or of an account, for a purpose, and the counters of the day. */
export interface CodeKey {
  purpose: CodePurpose;
  /** The address; the id of the account, where its signed-in user asks. The column is `email_norm`. */
  subject: string;
  /** Keys of `rate_limits`, for all purposes of the subject: mails with codes, and wrong guesses. */
  mails: string;
  guesses: string;
}

/** SQL: whether the code `:codeId` can still be consumed. Part of the statement that it allows. */
export const IS_USABLE_CODE =
  "EXISTS (SELECT 1 FROM email_codes WHERE id = :codeId AND consumed_at IS NULL AND superseded_at IS NULL)";

/** The codes that end with a password: all but those of addresses without an account. */
export const ACCOUNT_PURPOSES = [
  "reset",
  "login",
  "password",
  "email",
  "delete",
  "reauthenticate",
] as const;

/** Consumes the pending codes of addresses and accounts for these purposes, if `condition` holds. */
export function consumeCodesStatement(
  {
    keys,
    purposes,
    now,
  }: { keys: readonly string[]; purposes: readonly CodePurpose[]; now: number },
  condition: Condition,
) {
  return {
    sql: `UPDATE email_codes SET consumed_at = :now
          WHERE email_norm IN (SELECT value FROM json_each(:keys)) AND purpose IN (SELECT value FROM json_each(:purposes))
            AND consumed_at IS NULL AND ${condition.sql}
          RETURNING id`,
    args: {
      now,
      keys: JSON.stringify(keys),
      purposes: JSON.stringify(purposes),
      ...condition.args,
    },
  };
}

const IS_PENDING = `purpose = :purpose AND email_norm = :subject AND consumed_at IS NULL AND superseded_at IS NULL
  AND expires_at > :now`;

/** Wrong guesses end a short code; the mailbox gets another one then. Those at a long code count nowhere. */
const HAS_ATTEMPTS = `(is_long OR attempts < ${EMAIL_CODE_ATTEMPTS_MAX})`;

/** Whether strangers have used up the day of a subject: it gets long codes then, and short ones are good no longer. */
const IS_STRICT = `EXISTS (SELECT 1 FROM rate_limits WHERE ws > :now - ${DAY_SEC}
  AND (k = :mails AND n >= ${CODE_MAILS_PER_DAY} OR k = :guesses AND n >= ${CODE_GUESSES_PER_DAY}))`;

/** Whether the mailbox has the code already: a long one, or a short one of this minute. A code that is good replaces none that is not. */
const IS_MAILED = `EXISTS (SELECT 1 FROM email_codes WHERE ${IS_PENDING} AND ${HAS_ATTEMPTS} AND is_long = ${IS_STRICT}
  AND (is_long OR expires_at > :now + ${EMAIL_CODE_LIFETIME_SEC - CODE_RESEND_SEC}) AND (code_hmac <> '' OR NOT :isGood))`;

// The subject of these codes is the account, which may be deleted meanwhile.
const HAS_OWNER =
  "(:purpose NOT IN ('password', 'delete', 'reauthenticate') OR EXISTS (SELECT 1 FROM users WHERE id = :subject))";

/** Counts up to `limit` in a day, if `condition` holds. Without room it writes nothing. */
function countInDay(key: ":mails" | ":guesses", limit: number, condition: string): string {
  const isOver = `ws <= :now - ${DAY_SEC}`;
  return `INSERT INTO rate_limits (k, ws, n) SELECT ${key}, :now, 1 WHERE ${condition}
    ON CONFLICT (k) DO UPDATE SET n = iif(${isOver}, 1, n + 1), ws = iif(${isOver}, :now, ws)
    WHERE ${isOver} OR n < ${limit}`;
}

/** A code in both forms, of which the state of the day chooses one. */
interface NewCode {
  id: string;
  /** Whether it can be entered: the code of an address without an account is stored, too, and matches none. */
  isGood: boolean;
  shortMac: string;
  longMac: string;
  now: number;
}

/**
 * Counts a mail, and stores its code. A short code supersedes the short one before it. One batch decides which form the code has,
 * and whether one is mailed at all.
 */
export async function insertCode(
  db: Database,
  key: CodeKey,
  { id, isGood, shortMac, longMac, now }: NewCode,
): Promise<"short" | "long" | undefined> {
  const { purpose, subject, mails, guesses } = key;
  const day = { purpose, subject, mails, guesses, now };
  const code = { id, isGood: Number(isGood), shortMac, longMac };
  const batch = new Batch();
  batch.add({
    sql: countInDay(":mails", CODE_MAILS_PER_DAY, `NOT ${IS_MAILED}`),
    args: { ...day, isGood: Number(isGood) },
  });
  const inserted = batch.add({
    sql: `INSERT INTO email_codes (id, purpose, email_norm, code_hmac, is_long, attempts, expires_at)
          SELECT :id, :purpose, :subject, iif(:isGood, iif(${IS_STRICT}, :longMac, :shortMac), ''), ${IS_STRICT}, 0,
            :now + iif(${IS_STRICT}, ${LONG_CODE_LIFETIME_SEC}, ${EMAIL_CODE_LIFETIME_SEC})
          WHERE NOT ${IS_MAILED} AND ${HAS_OWNER} RETURNING is_long`,
    args: { ...day, ...code },
  });
  batch.add({
    sql: `UPDATE email_codes SET superseded_at = :now WHERE ${IS_PENDING} AND id <> :id AND NOT is_long
            AND EXISTS (SELECT 1 FROM email_codes WHERE id = :id)`,
    args: { purpose, subject, now, id },
  });
  await batch.run(db);
  const [row] = inserted();
  return row && (row.is_long ? "long" : "short");
}

/** Deletes a code that no mail has: the next request gets another one. */
export async function deleteCode(db: Database, id: string): Promise<void> {
  await db.$client.execute({ sql: "DELETE FROM email_codes WHERE id = :id", args: { id } });
}

/**
 * The id of the pending code with one of these MACs; undefined if there is none. One statement judges a guess and counts a
 * wrong one at its code; the same batch counts it for the day. So parallel guesses gain nothing.
 */
export async function findCode(
  db: Database,
  { purpose, subject, mails, guesses }: CodeKey,
  { codeMacs, isLong, now }: { codeMacs: readonly string[]; isLong: boolean; now: number },
): Promise<string | undefined> {
  const args = { purpose, subject, mails, guesses, now, macs: JSON.stringify(codeMacs) };
  const isRight = "code_hmac IN (SELECT value FROM json_each(:macs))";
  const isGood = `${IS_PENDING} AND ${HAS_ATTEMPTS} AND (is_long OR NOT ${IS_STRICT})`;
  const batch = new Batch();
  const judged = batch.add({
    sql: `UPDATE email_codes SET attempts = attempts + iif(is_long OR ${isRight}, 0, 1)
          WHERE ${isGood} AND is_long = :isLong RETURNING id, ${isRight} AS is_right`,
    args: { ...args, isLong: Number(isLong) },
  });
  if (!isLong) {
    // A code that has ended counts, too: the day of the address must not depend on it.
    const isWrong = `EXISTS (SELECT 1 FROM email_codes WHERE ${IS_PENDING} AND NOT is_long)
      AND NOT EXISTS (SELECT 1 FROM email_codes WHERE ${isGood} AND ${isRight})`;
    batch.add({ sql: countInDay(":guesses", CODE_GUESSES_PER_DAY, isWrong), args });
  }
  await batch.run(db);
  const right = judged().find((row) => row.is_right);
  return right && String(right.id);
}
