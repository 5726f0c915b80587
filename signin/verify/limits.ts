/** The numbers of the verifier that other services run. */

import { KIB } from "../../shared/units.ts";
import { PUBLIC_DOCUMENT_LIFETIME_SEC } from "../public-limits.ts";

/** The issuer's keys are fetched again for an unknown key id, and when they are this old. */
export const REFETCH_MS = 60_000;
export const KEYS_LIFETIME_MS = PUBLIC_DOCUMENT_LIFETIME_SEC * 1000;
/** While the issuer does not answer, kept keys serve this long; no token of theirs lives longer than ten minutes. */
export const KEYS_STALE_MS = 60 * 60_000;
export const KEYS_MAX = 32;
export const KEYS_BYTES_MAX = 64 * KIB;
export const FETCH_TIMEOUT_MS = 5_000;
/** Two fetches one after the other, and a little more. */
export const FETCH_LEASE_MS = 11_000;
export const FETCH_POLL_MS = 25;
