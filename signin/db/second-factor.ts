/** SQL: whether the account `:userId` has a second factor that is switched on. */
export const HAS_SECOND_FACTOR =
  "EXISTS (SELECT 1 FROM second_factors WHERE user_id = :userId AND enabled_at IS NOT NULL)";
