/** Turns over HTTP, their records and their usage. */

import { KIB, MIB } from "../../shared/units.ts";

/** The most of the streamed text that a record keeps, and how often the record of a running turn is stored. */
export const PARTIAL_TEXT_BYTES_MAX = 1 * MIB;
export const PARTIAL_TEXT_INTERVAL_MS = 1_000;
/** What a record keeps of what the model thought. */
export const REASONING_BYTES_MAX = 64 * KIB;
/** The largest token count that is believed of a provider. Sums of millions of them are still exact integers of SQLite. */
export const TOKENS_MAX = 2 ** 40;
/** Turns over HTTP that run at the same time. */
export const HTTP_TURNS_MAX = 32;
/** Of those, turns of one client key. */
export const CLIENT_KEY_TURNS_MAX = 8;
/** What is kept of the events of a turn for clients that resume, and for how long after its end. */
export const TURN_EVENTS_MAX = 10_000;
export const TURN_EVENTS_BYTES_MAX = 4 * MIB;
export const TURN_EVENTS_KEPT_MS = 10 * 60_000;
/** The same for all turns that have ended, together; the oldest go first. */
export const TURN_EVENTS_ENDED_BYTES_MAX = 16 * MIB;
export const TURN_READERS_MAX = 16;
/** The characters of one piece of a snapshot; as JSON they may be six times as long. */
export const TEXT_BLOCK_CHARACTERS = 16 * KIB;
/** What a list shows of the arguments of one approval: bytes of JSON, and names. */
export const APPROVAL_LISTED_BYTES_MAX = 64 * KIB;
export const APPROVAL_LISTED_NAMES_MAX = 100;
/** Answered or expired approvals for which a second answer is 409; for older ones it is 404. */
export const APPROVALS_ENDED_KEPT_MAX = 1_000;
/** Ends that could not be stored and are tried again; the next start ends the turns of all others. */
export const TURN_ENDS_PENDING_MAX = 100;
/** The default number of days, and the most groups of one response; the total counts all. */
export const USAGE_DAYS_DEFAULT = 30;
export const USAGE_GROUPS_MAX = 1_000;
export const TURNS_LISTED_DEFAULT = 50;
export const TURNS_LISTED_MAX = 1_000;
