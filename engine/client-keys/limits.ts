/** Keys of other programs, and what they may do at the same time. */

export const CLIENT_KEYS_MAX = 100;
export const CLIENT_KEY_NAME_CHARACTERS_MAX = 200;
/** How long a key is good if its maker says nothing. */
export const CLIENT_KEY_DAYS_DEFAULT = 90;
/** `lastUsedAt` is written at most this often. */
export const CLIENT_KEY_USE_INTERVAL_MS = 60_000;
/** Calls of one key that run at the same time. */
export const CLIENT_CALLS_MAX = 32;
/** Deleted keys that are remembered, for a call that was admitted in the same moment. */
export const REVOKED_KEYS_MAX = 1_000;
