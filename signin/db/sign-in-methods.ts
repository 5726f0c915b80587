/** Which stored methods can sign in: identities of configured providers, and passkeys of this relying party. */
export interface UsableMethods {
  providers: readonly string[];
  rpId: string;
}

/** The method that does not count: an identity, or a passkey. */
interface ExceptedMethod {
  userId: string;
  provider?: string;
  passkeyId?: string;
}

/**
 * SQL: whether the user has a way to sign in beside the excepted one: a password, an identity or a passkey. Part of the
 * statement that removes a method, so that of parallel removals one fails (Sign-in §3, disconnect rule).
 */
export function hasOtherMethod(
  { userId, provider = "", passkeyId = "" }: ExceptedMethod,
  { providers, rpId }: UsableMethods,
) {
  return {
    sql: `((SELECT password_hash FROM users WHERE id = :userId) IS NOT NULL
      OR EXISTS (SELECT 1 FROM identities other WHERE other.user_id = :userId AND other.provider <> :provider
        AND other.provider IN (SELECT value FROM json_each(:providers)))
      OR EXISTS (SELECT 1 FROM passkeys other WHERE other.user_id = :userId AND other.id <> :passkeyId AND other.rp_id = :rpId))`,
    args: { userId, provider, passkeyId, providers: JSON.stringify(providers), rpId },
  };
}
