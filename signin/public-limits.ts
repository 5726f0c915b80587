/** Numbers that other services rely on. `roundhouse/signin/verify` contains this file, so it imports nothing. */

const MINUTE_SEC = 60;

export const ACCESS_TOKEN_LIFETIME_SEC = 10 * MINUTE_SEC;
export const ACCESS_TOKEN_CLOCK_TOLERANCE_SEC = 30;
export const ACCESS_TOKEN_CHARACTERS_MAX = 2048;
/** The key set and the metadata, in caches. */
export const PUBLIC_DOCUMENT_LIFETIME_SEC = 10 * MINUTE_SEC;
