/** Remembered approvals. */

/** How long a grant of a workspace holds; one of a thread ends with its thread. */
export const GRANT_MS = 30 * 24 * 3_600_000;
/** Grants that are kept; the oldest go first. */
export const GRANTS_MAX = 1_000;
