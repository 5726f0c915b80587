import { lt } from "drizzle-orm";
import type { Database } from "../../shared/database.ts";
import { type CleanupStep, deleteRows } from "../db/delete-rows.ts";
import { authFlows, nativeCodes, passkeyChallenges } from "../db/schema.ts";

/** Deletes expired sign-in flows; returns how many. */
export function deleteOldFlows(db: Database, { before, limit }: CleanupStep): Promise<number> {
  const isOld = lt(authFlows.expiresAt, before);
  return deleteRows(db, { table: authFlows, key: authFlows.stateHash, isOld }, limit);
}

/** Deletes expired native codes; returns how many. */
export function deleteOldNativeCodes(
  db: Database,
  { before, limit }: CleanupStep,
): Promise<number> {
  const isOld = lt(nativeCodes.expiresAt, before);
  return deleteRows(db, { table: nativeCodes, key: nativeCodes.codeHash, isOld }, limit);
}

/** Deletes expired passkey challenges; returns how many. */
export function deleteOldChallenges(db: Database, { before, limit }: CleanupStep): Promise<number> {
  const isOld = lt(passkeyChallenges.expiresAt, before);
  return deleteRows(
    db,
    { table: passkeyChallenges, key: passkeyChallenges.challengeHash, isOld },
    limit,
  );
}
