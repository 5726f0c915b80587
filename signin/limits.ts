/**
 * Every number of Sign-in §8 and of the decisions around it, by name. The name ends in the unit. Those that other services see
 * are in `public-limits.ts`, and the verifier's in `verify/remote-keys.ts`.
 */

import { KIB } from "../shared/units.ts";

const MINUTE_SEC = 60;
export const HOUR_SEC = 60 * MINUTE_SEC;
export const DAY_SEC = 24 * HOUR_SEC;

// Flows and codes
export const FLOW_LIFETIME_SEC = 10 * MINUTE_SEC;
/** How long an identity waits in its browser for the proof of an address. */
export const PENDING_IDENTITY_LIFETIME_SEC = 10 * MINUTE_SEC;
/** A longer one would not fit into the cookie. */
export const PENDING_AVATAR_URL_CHARACTERS_MAX = 512;
/** Binding cookies of one browser: one for each tab that signs in. */
export const FLOW_COOKIES_MAX = 5;
export const NATIVE_CODE_LIFETIME_SEC = MINUTE_SEC;
export const PKCE_VERIFIER_CHARACTERS_MIN = 43;
export const PKCE_VERIFIER_CHARACTERS_MAX = 128;
export const PKCE_CHALLENGE_CHARACTERS = 43;
export const REDIRECT_TO_CHARACTERS_MAX = 1024;
/** The state of a native flow holds the flow itself, its address included. */
export const STATE_CHARACTERS_MAX = 4 * KIB;
export const NATIVE_CODE_CHARACTERS_MAX = 128;

// Tokens and sessions
/** Verified access tokens in the cache. */
export const VERIFIED_TOKENS_MAX = 10_000;
export const SESSION_IDLE_SEC = 30 * DAY_SEC;
export const SESSION_ABSOLUTE_SEC = 90 * DAY_SEC;
export const SESSIONS_PER_USER_MAX = 20;
export const REFRESH_GRACE_SEC = MINUTE_SEC;
export const REFRESH_TOKEN_CHARACTERS_MAX = 256;
export const SIGNING_KEY_BYTES_MIN = 32;
export const ENCRYPTION_KEY_BYTES = 32;

// Passwords and e-mailed codes
export const PASSWORD_CHARACTERS_MIN = 10;
export const PASSWORD_CHARACTERS_MAX = 256;
export const EMAIL_CHARACTERS_MAX = 254;
export const DISPLAY_NAME_CHARACTERS_MAX = 100;
export const EMAIL_CODE_DIGITS = 8;
export const EMAIL_CODE_ID_BYTES = 16;
export const EMAIL_CODE_LIFETIME_SEC = 10 * MINUTE_SEC;
/** Wrong guesses that end a code of eight digits. */
export const EMAIL_CODE_ATTEMPTS_MAX = 5;
/** After how long an address gets another code for the same purpose. */
export const CODE_RESEND_SEC = MINUTE_SEC;
/** A code of 26 characters of Crockford's base32, and how long it is good. */
export const LONG_CODE_CHARACTERS = 26;
export const LONG_CODE_LIFETIME_SEC = DAY_SEC;
/** From this many mails with codes, or wrong guesses, in a day on, an address gets long codes alone. */
export const CODE_MAILS_PER_DAY = 10;
export const CODE_GUESSES_PER_DAY = 20;
/** Before the work for a mailed code: the time of the next responses does not tell what it was. */
export const CODE_DELAY_MS_MAX = 500;
/** Password checks of one login, where the stored hash changes meanwhile. */
export const LOGIN_CHECKS_MAX = 2;
/** `Retry-After` when too many passwords are being checked. */
export const HASHER_BUSY_RETRY_SEC = 2;
export const SCRYPT_LOG_N = 14;
export const SCRYPT_R = 8;
export const SCRYPT_P = 5;
export const SCRYPT_SALT_BYTES = 16;
export const SCRYPT_KEY_BYTES = 32;
/** The largest cost of a stored hash. */
export const SCRYPT_PARALLELISM_MAX = 16;
export const SCRYPT_MEMORY_BYTES_MAX = 64 * KIB * KIB;
/** Parallel hashes on Node: the thread pool has four threads, and files and signatures need one. */
export const HASHES_AT_ONCE_MAX = 3;
/** Hashes that wait for a thread. One more is rejected. */
export const HASHES_WAITING_MAX = 64;
/** One isolate: a hash blocks it for about 200 ms, then it serves other requests for as long. */
export const WORKER_HASH_INTERVAL_MS = 400;
export const WORKER_HASH_REST_MS = 200;
/** Waiting hashes of one isolate, those of one network among them, and the longest wait. */
export const WORKER_HASHES_WAITING_MAX = 8;
export const WORKER_HASHES_WAITING_PER_NETWORK_MAX = 4;
export const WORKER_HASH_WAIT_MS_MAX = 10_000;

// The account
/** How old the last proof of a session may be for a change that needs a fresh one. */
export const FRESH_PROOF_SEC = 5 * MINUTE_SEC;
/** Of the trail, in an export. An event has about 250 bytes. */
export const EXPORT_EVENTS_MAX = 10_000;

// The second factor
/** RFC 4226 and 6238, as all authenticator apps have them. */
export const TOTP_DIGITS = 6;
export const TOTP_STEP_SEC = 30;
export const TOTP_SECRET_BYTES = 20;
/** Of the address in the QR code: that of 254 characters of any script has no room in one. */
export const TOTP_LABEL_CHARACTERS_MAX = 100;
/** How long a new secret waits for its first code. */
export const TOTP_SET_UP_SEC = 10 * MINUTE_SEC;
export const RECOVERY_CODES = 10;
/** Of Crockford's base32: 80 bits. */
export const RECOVERY_CODE_CHARACTERS = 16;
/** Wrong codes of the app, and wrong recovery codes, of an account in an hour. */
export const FACTOR_GUESSES_PER_HOUR = 10;
/** Wrong codes of the app in a row, after which only a recovery code is good. */
export const FACTOR_WRONG_IN_A_ROW_MAX = 100;

// Passkeys
export const PASSKEYS_PER_USER_MAX = 20;
export const PASSKEY_LABEL_CHARACTERS_MAX = 100;
export const PASSKEY_CHALLENGE_BYTES = 32;
export const PASSKEY_CHALLENGE_LIFETIME_SEC = 5 * MINUTE_SEC;
/** WebAuthn, section 6.5.1. */
export const CREDENTIAL_ID_BYTES_MAX = 1023;
/** An RSA key of 4096 bits is below it. */
export const COSE_KEY_BYTES_MAX = 1024;
export const RSA_MODULUS_BITS_MAX = 4096;
export const CBOR_DEPTH_MAX = 8;
export const TRANSPORTS_MAX = 8;
export const TRANSPORT_CHARACTERS_MAX = 32;

// Mail
export const MAIL_TIMEOUT_MS = 10_000;
export const MAIL_ANSWER_BYTES_MAX = 64 * KIB;
/** The mailbox of development, in memory. A mail has about 2,000 characters. */
export const MAILBOX_MAILS_MAX = 50;
export const MAILBOX_CHARACTERS_MAX = KIB * KIB;

// API keys
export const API_KEY_CHARACTERS_MAX = 4096;

// Providers
export const PROVIDER_LABEL_CHARACTERS_MAX = 40;
/** Apple's client secret is made at each use. */
export const APPLE_SECRET_LIFETIME_SEC = 5 * MINUTE_SEC;
export const PROVIDER_TIMEOUT_MS = 10_000;
export const PROVIDER_BODY_BYTES_MAX = 256 * KIB;
export const DISCOVERY_LIFETIME_SEC = HOUR_SEC;
export const JWKS_LIFETIME_SEC = 5 * MINUTE_SEC;
export const JWKS_REFETCH_SEC = 5;
/** A failed discovery or key request is cached this long. */
export const PROVIDER_FAILURE_SEC = 10;
/** One request fetches for all. After this time another one may. */
export const PROVIDER_FETCH_LEASE_SEC = 11;
/** The polls of a request that waits for the fetch of another one. */
export const PROVIDER_FETCH_POLL_MS = 25;
export const PROVIDER_FETCH_POLLS_MAX = (PROVIDER_FETCH_LEASE_SEC * 1000) / PROVIDER_FETCH_POLL_MS;
/** A provider's `error` and `error_description` in the log. */
export const PROVIDER_WORDS_CHARACTERS_MAX = 200;
export const ID_TOKEN_IAT_FUTURE_SEC = MINUTE_SEC;
export const ID_TOKEN_IAT_AGE_SEC = 10 * MINUTE_SEC;
export const ID_TOKEN_LIFETIME_SEC_MAX = DAY_SEC;
export const SUBJECT_CHARACTERS_MAX = 255;
export const RSA_MODULUS_BITS_MIN = 2048;
/** Pages of the e-mail endpoint, 100 addresses each. */
export const EMAIL_PAGES_MAX = 5;
export const AVATAR_URL_CHARACTERS_MAX = 2048;

/** The bearer of `GET /metrics`, which has no limit on guesses. */
export const METRICS_TOKEN_CHARACTERS_MIN = 32;

// The service for people
export const APP_NAME_CHARACTERS_MAX = 64;

// HTTP
/** `Retry-After` of the Worker's flood limit. */
export const FLOOD_RETRY_SEC = MINUTE_SEC;
export const BODY_BYTES_MAX = 16 * KIB;
/** The time for a request to arrive, its body of 16 KiB included. */
export const REQUEST_TIMEOUT_MS = 15_000;
export const STOP_WAIT_MS = 2_500;

// Lists and retention
export const EVENTS_LISTED_MAX = 100;
/** Of them, those that strangers can cause: they must not push out the sign-in of an intruder. */
export const STRANGERS_EVENTS_LISTED_MAX = 25;
/** Of one statement: D1 takes 100 parameters. */
export const AUDIT_ROWS_AT_ONCE = 10;
export const AUDIT_RETENTION_SEC = 90 * DAY_SEC;
/** Flows, codes and sessions stay this long after their end. */
export const ENDED_KEPT_SEC = DAY_SEC;
/** Upper bounds of the histograms of `GET /metrics`, in seconds. */
export const HASH_SECONDS_BUCKETS = [0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2];
export const DATABASE_SECONDS_BUCKETS = [0.0005, 0.002, 0.01, 0.05, 0.2, 1, 5];
/** The longest window of RATE_LIMITS. */
export const RATE_WINDOW_SEC_MAX = DAY_SEC;
export const CLEANUP_BATCH_ROWS = 500;
export const CLEANUP_FIRST_AFTER_MS = 60_000;
export const CLEANUP_INTERVAL_MS = DAY_SEC * 1000;

// The operator's command line
export const ROWS_SHOWN_DEFAULT = 50;
export const ROWS_SHOWN_MAX = 1000;
export const INVITATION_DAYS = 7;
export const INVITATION_DAYS_MAX = 365;
export const KEY_PAGE_ROWS = 100;
/** Of one batch that replaces envelopes: it stays below D1_COMMAND_BYTES_MAX. */
export const KEY_BATCH_ROWS = 50;
export const KEY_BATCH_CHARACTERS_MAX = 30_000;
export const AUDIT_PAGE_ROWS = 500;
/** Of the SQL of one command of wrangler: D1 takes statements of 100 KB, and Linux arguments of 128 KiB. */
export const D1_COMMAND_BYTES_MAX = 100_000;
/** Of what wrangler prints. */
export const WRANGLER_OUTPUT_BYTES_MAX = KIB * KIB;
/** The secrets of one server, as JSON on standard input, and how long a program may take to write them. */
export const SETUP_INPUT_CHARACTERS_MAX = 64 * KIB;
export const SETUP_INPUT_WAIT_MS = 5_000;
/** A new custom domain gets its DNS record and certificate in this time, mostly in less. */
export const SETUP_READY_WAIT_MS = 60_000;
export const SETUP_READY_POLL_MS = 2_000;
export const USER_AGENT_CHARACTERS_MAX = 256;

/** Counters that one process keeps in memory. */
export const RATE_KEYS_IN_MEMORY_MAX = 100_000;
/** Expired counters are looked for among this many at each new one. */
export const RATE_KEYS_SWEPT = 4;

/** One bucket of the rate limiter: `limit` requests in each window of `windowSec`. */
export interface RateLimit {
  limit: number;
  windowSec: number;
  /** Whether the count survives a restart: those of passwords and codes do. */
  durable?: boolean;
  /** The limits of the client's network (`/24`, `/48`) and of its block (`/16`, `/32`). */
  wider?: { network: number; block: number };
}

/** One bucket a line (Sign-in §8, limits 6). */
export const RATE_LIMITS = {
  loginPerEmailAndIp: { limit: 5, windowSec: 5 * MINUTE_SEC, durable: true },
  loginPerEmail: { limit: 50, windowSec: HOUR_SEC, durable: true },
  loginPerIp: perClient(30, 5 * MINUTE_SEC, { durable: true }),
  loginPerEmailAndNetwork: { limit: 50, windowSec: HOUR_SEC, durable: true },
  /** Passwords that signed-in users enter: strangers cannot use it up. */
  passwordProofPerUser: { limit: 10, windowSec: HOUR_SEC, durable: true },
  codePerIp: perClient(20, HOUR_SEC, { durable: true }),
  codeCompletePerIp: perClient(30, 5 * MINUTE_SEC, { durable: true }),
  nativeTokenPerIp: perClient(30, MINUTE_SEC),
  refreshPerSession: { limit: 30, windowSec: MINUTE_SEC },
  flowPerIp: perClient(60, MINUTE_SEC),
  passkeyOptionsPerIp: perClient(60, MINUTE_SEC),
  passkeyPerIp: perClient(60, MINUTE_SEC),
  /** Registrations of a user, each of two requests. */
  passkeyChangesPerUser: { limit: 120, windowSec: MINUTE_SEC },
  profilePerUser: { limit: 30, windowSec: MINUTE_SEC },
  exportPerUser: { limit: 5, windowSec: HOUR_SEC, durable: true },
  apiKeyPerUser: { limit: 10, windowSec: MINUTE_SEC },
} as const satisfies Record<string, RateLimit>;

/** A limit of one client. Its network has five times as much, and its block 25 times. */
function perClient(
  limit: number,
  windowSec: number,
  { durable = false }: { durable?: boolean } = {},
): RateLimit {
  return { limit, windowSec, durable, wider: { network: 5 * limit, block: 25 * limit } };
}

export type RateLimitBucket = keyof typeof RATE_LIMITS;
