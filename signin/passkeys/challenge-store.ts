/** A challenge of a registration, by its user, or of a sign-in, by the binding cookie of its browser. */
export type ChallengeOwner = { userId: string } | { bindingHash: string };

/** Stores a challenge; that of a user only while the account exists. */
export function insertChallengeStatement(
  challengeHash: string,
  owner: ChallengeOwner,
  expiresAt: number,
) {
  const args = { challengeHash, expiresAt };
  return "userId" in owner
    ? {
        sql: `INSERT INTO passkey_challenges (challenge_hash, user_id, expires_at)
              SELECT :challengeHash, id, :expiresAt FROM users WHERE id = :userId`,
        args: { ...args, userId: owner.userId },
      }
    : {
        sql: `INSERT INTO passkey_challenges (challenge_hash, binding_hash, expires_at)
              VALUES (:challengeHash, :bindingHash, :expiresAt)`,
        args: { ...args, bindingHash: owner.bindingHash },
      };
}

/** Consumes a challenge of this owner. Of any number of responses to it one gets a row, within its five minutes. */
export function consumeChallengeStatement(
  challengeHash: string,
  owner: ChallengeOwner,
  now: number,
) {
  const [column, value] =
    "userId" in owner ? ["user_id", owner.userId] : ["binding_hash", owner.bindingHash];
  return {
    sql: `DELETE FROM passkey_challenges
          WHERE challenge_hash = :challengeHash AND ${column} = :owner AND expires_at > :now
          RETURNING challenge_hash`,
    args: { challengeHash, owner: value, now },
  };
}
