import type { InStatement } from "@libsql/client";
import { Batch } from "../../shared/batch.ts";
import type { Database } from "../../shared/database.ts";
import type { Condition } from "../db/condition.ts";
import { hasLiveSession } from "../db/live-session.ts";
import { HAS_SECOND_FACTOR } from "../db/second-factor.ts";
import type { AccessClaims } from "../http/access-claims.ts";
import { FACTOR_GUESSES_PER_HOUR, FACTOR_WRONG_IN_A_ROW_MAX, HOUR_SEC } from "../limits.ts";

/** Whether a second factor is on, and how many recovery codes are left. */
export async function getFactorState(
  db: Database,
  userId: string,
): Promise<{ isEnabled: boolean; recoveryCodes: number }> {
  const { rows } = await db.$client.execute({
    sql: `SELECT ${HAS_SECOND_FACTOR} AS is_enabled,
            (SELECT count(*) FROM recovery_codes WHERE user_id = :userId) AS recovery_codes`,
    args: { userId },
  });
  return {
    isEnabled: Boolean(rows[0]?.is_enabled),
    recoveryCodes: Number(rows[0]?.recovery_codes),
  };
}

/** A new secret, sealed. */
interface SealedSecret {
  ciphertext: string;
  keyId: string;
  expiresAt: number;
}

/** Stores a secret that waits for its first code; the newest one counts. False if one is on already, or the session is gone. */
export async function insertPendingFactor(
  db: Database,
  { userId, sessionId }: AccessClaims,
  { now, ...secret }: SealedSecret & { now: number },
): Promise<boolean> {
  const { rows } = await db.$client.execute({
    sql: `INSERT INTO second_factors (user_id, ciphertext, key_id, expires_at)
          SELECT :userId, :ciphertext, :keyId, :expiresAt WHERE ${hasLiveSession(":now")}
          ON CONFLICT (user_id) DO UPDATE
            SET ciphertext = excluded.ciphertext, key_id = excluded.key_id, expires_at = excluded.expires_at
            WHERE enabled_at IS NULL
          RETURNING user_id`,
    args: { ...secret, userId, sessionId, now },
  });
  return rows.length > 0;
}

/** The sealed secret that waits for its first code; undefined if there is none. */
export async function findPendingFactor(
  db: Database,
  { userId, now }: { userId: string; now: number },
): Promise<string | undefined> {
  const { rows } = await db.$client.execute({
    sql: "SELECT ciphertext FROM second_factors WHERE user_id = :userId AND enabled_at IS NULL AND expires_at > :now",
    args: { userId, now },
  });
  return rows[0] && String(rows[0].ciphertext);
}

/**
 * Switches a pending secret on, with its first code used up, and stores the recovery codes. The session has proven the factor with
 * it; all others lose their fresh proof, which was of another kind. False if something changed meanwhile.
 */
export async function enableFactor(
  db: Database,
  { userId, sessionId }: AccessClaims,
  {
    ciphertext,
    step,
    hashes,
    now,
  }: { ciphertext: string; step: number; hashes: string[]; now: number },
): Promise<boolean> {
  const isPending = `EXISTS (SELECT 1 FROM second_factors
      WHERE user_id = :userId AND ciphertext = :ciphertext AND enabled_at IS NULL AND expires_at > :now)
    AND ${hasLiveSession(":now")}`;
  const args = { userId, sessionId, ciphertext, now };
  const batch = new Batch();
  batch.add({
    sql: `INSERT INTO recovery_codes (code_hash, user_id) SELECT value, :userId FROM json_each(:hashes) WHERE ${isPending}`,
    args: { ...args, hashes: JSON.stringify(hashes) },
  });
  batch.add({
    sql: `UPDATE sessions SET proven_at = iif(id = :sessionId, :now, NULL),
            amr = iif(id = :sessionId, ${amrWith("amr", "otp mfa")}, amr)
          WHERE user_id = :userId AND ${isPending}`,
    args,
  });
  const enabled = batch.add({
    sql: `UPDATE second_factors SET enabled_at = :now, last_step = :step WHERE user_id = :userId AND ${isPending} RETURNING user_id`,
    args: { ...args, step },
  });
  await batch.run(db);
  return enabled().length > 0;
}

/** SQL: the `amr` of a session that gave another proof. Its password stays in it; how it proved a factor before does not. */
export function amrWith(amr: string, added: "otp mfa" | "mfa"): string {
  return `iif(${amr} LIKE 'pwd%', 'pwd ${added}', '${added}')`;
}

/** Deletes the factor and its recovery codes, if `condition` holds. False if none was on. */
export async function deleteFactor(
  db: Database,
  userId: string,
  condition: Condition = { sql: "1", args: {} },
): Promise<boolean> {
  const batch = new Batch();
  const deleted = batch.add({
    sql: `DELETE FROM second_factors WHERE user_id = :userId AND enabled_at IS NOT NULL AND ${condition.sql} RETURNING user_id`,
    args: { ...condition.args, userId },
  });
  batch.add({
    sql: `DELETE FROM recovery_codes WHERE user_id = :userId AND NOT ${HAS_SECOND_FACTOR}`,
    args: { userId },
  });
  await batch.run(db);
  return deleted().length > 0;
}

/** Puts new recovery codes in the place of all others. False if no factor is on, or the session is gone. */
export async function replaceRecoveryCodes(
  db: Database,
  { userId, sessionId }: AccessClaims,
  { hashes, now }: { hashes: string[]; now: number },
): Promise<boolean> {
  const may = `${HAS_SECOND_FACTOR} AND ${hasLiveSession(":now")}`;
  const args = { userId, sessionId, now };
  const batch = new Batch();
  batch.add({ sql: `DELETE FROM recovery_codes WHERE user_id = :userId AND ${may}`, args });
  const inserted = batch.add({
    sql: `INSERT INTO recovery_codes (code_hash, user_id) SELECT value, :userId FROM json_each(:hashes) WHERE ${may} RETURNING user_id`,
    args: { ...args, hashes: JSON.stringify(hashes) },
  });
  await batch.run(db);
  return inserted().length > 0;
}

/** What a guess needs of the factor that is on. */
interface JudgedFactor {
  ciphertext: string;
  /** Which factor it is: a later one has another time. */
  enabledAt: number;
  lastStep: number;
}

/** Where a guess has no room: when there is some again. `isLocked` if only a recovery code is good. */
interface NoRoom {
  retryAfterSec: number;
  isLocked: boolean;
}

type GuessKind = "code" | "recovery";

const COLUMNS = {
  code: { count: "codes", since: "codes_at" },
  recovery: { count: "recoveries", since: "recoveries_at" },
} as const;

/**
 * Counts a guess before it is judged, in one statement, so that parallel guesses gain nothing; a right one takes itself back.
 * Undefined if no factor is on.
 */
export async function countGuess(
  db: Database,
  { userId, kind, now }: { userId: string; kind: GuessKind; now: number },
): Promise<JudgedFactor | NoRoom | undefined> {
  const { count, since } = COLUMNS[kind];
  const isOver = `${since} <= :now - ${HOUR_SEC}`;
  const isLocked = `wrong_in_a_row >= ${FACTOR_WRONG_IN_A_ROW_MAX}`;
  const ofCodes = kind === "code";
  const batch = new Batch();
  const counted = batch.add({
    sql: `UPDATE second_factors SET ${count} = iif(${isOver}, 1, ${count} + 1), ${since} = iif(${isOver}, :now, ${since}),
            wrong_in_a_row = wrong_in_a_row + ${ofCodes ? 1 : 0}
          WHERE user_id = :userId AND enabled_at IS NOT NULL AND (${isOver} OR ${count} < ${FACTOR_GUESSES_PER_HOUR})
            ${ofCodes ? `AND NOT ${isLocked}` : ""}
          RETURNING ciphertext, enabled_at, last_step`,
    args: { userId, now },
  });
  const found = batch.add({
    sql: `SELECT ${since} + ${HOUR_SEC} - :now AS wait, ${isLocked} AS is_locked FROM second_factors
          WHERE user_id = :userId AND enabled_at IS NOT NULL`,
    args: { userId, now },
  });
  await batch.run(db);
  const [row] = counted();
  if (row) {
    return {
      ciphertext: String(row.ciphertext),
      enabledAt: Number(row.enabled_at),
      lastStep: Number(row.last_step),
    };
  }
  const [full] = found();
  return full && { retryAfterSec: Number(full.wait), isLocked: ofCodes && Boolean(full.is_locked) };
}

/** Whether a recovery code is unused. Its account is in the hash. */
export async function hasRecoveryCode(db: Database, codeHash: string): Promise<boolean> {
  const sql = "SELECT 1 FROM recovery_codes WHERE code_hash = :codeHash";
  return (await db.$client.execute({ sql, args: { codeHash } })).rows.length > 0;
}

/** A proven factor: a step of the app, or a recovery code. */
export type ProvenFactor =
  | { kind: "code"; enabledAt: number; step: number }
  | { kind: "recovery"; codeHash: string };

/** The condition of what a factor allows: it is still on, and neither its step nor the recovery code is used up. */
export function isUnusedFactor(proven: ProvenFactor): Condition {
  if (proven.kind === "recovery") {
    return {
      sql: "EXISTS (SELECT 1 FROM recovery_codes WHERE user_id = :userId AND code_hash = :recoveryHash)",
      args: { recoveryHash: proven.codeHash },
    };
  }
  return {
    sql: `EXISTS (SELECT 1 FROM second_factors
      WHERE user_id = :userId AND enabled_at = :factorEnabledAt AND last_step < :factorStep)`,
    args: { factorEnabledAt: proven.enabledAt, factorStep: proven.step },
  };
}

/** Uses a factor up if `done` holds, which the statement before it in the batch made true. The guess no longer counts. */
export function useFactorStatements(
  proven: ProvenFactor,
  { userId, done }: { userId: string; done: Condition },
): InStatement[] {
  const { count } = COLUMNS[proven.kind];
  const update = (set: string, args: Record<string, number>) => ({
    sql: `UPDATE second_factors SET ${set}wrong_in_a_row = 0, ${count} = max(${count} - 1, 0)
          WHERE user_id = :userId AND ${done.sql}`,
    args: { ...done.args, ...args, userId },
  });
  if (proven.kind === "code") return [update("last_step = :step, ", { step: proven.step })];
  return [
    {
      sql: `DELETE FROM recovery_codes WHERE user_id = :userId AND code_hash = :codeHash AND ${done.sql}`,
      args: { ...done.args, userId, codeHash: proven.codeHash },
    },
    update("", {}),
  ];
}
