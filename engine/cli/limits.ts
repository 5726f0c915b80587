// The numbers of the command line.

import { KIB, MIB } from "../../shared/units.ts";

/** How long `stop` waits for the end of the engine. */
export const STOP_COMMAND_WAIT_MS = 10_000;
export const STOP_LOOK_INTERVAL_MS = 50;
/** How often the progress of an index run is read. */
export const PROGRESS_INTERVAL_MS = 200;
/** How wide a progress bar is at most. */
export const BAR_CHARACTERS_MAX = 40;
/** What `logs` shows. */
export const LOG_LINES_DEFAULT = 200;
export const LOG_LINES_MAX = 100_000;
/** How often `logs -f` looks at the file. */
export const LOG_FOLLOW_INTERVAL_MS = 250;
/** What `search` shows. */
export const SEARCH_RESULTS_DEFAULT = 10;
export const SEARCH_RESULTS_MAX = 50;
/** Files that could not be read, of each root that `index` names. */
export const INDEX_FAILURES_SHOWN_MAX = 10;
/** The lines that `search` shows of each result. */
export const SEARCH_SHOWN_LINES_MAX = 3;

/** How long `open` waits for the command that opens a browser to fail. */
export const BROWSER_WAIT_MS = 2_000;

// Doctor
/** A larger database is not read page by page, and not copied. */
export const DOCTOR_CHECK_BYTES_MAX = 64 * MIB;

// Chat
/** What is read of standard input as one message. */
export const CHAT_INPUT_CHARACTERS_MAX = 1_000_000;
/** How long `chat TEXT`, whose answer is on the screen, waits for the title of its thread. */
export const TITLE_WAIT_MS = 5_000;

// Models
/** What is read of standard input as one key. */
export const KEY_CHARACTERS_MAX = 16_384;
/** The largest context window that can be stated. */
export const CONTEXT_WINDOW_TOKENS_MAX = 1_000_000_000;

// Keys
/** The longest time that a key can be good for. */
export const KEY_DAYS_MAX = 36_500;

// Setup and welcome
/** Found models that `setup` offers, and models that the welcome names. */
export const OFFERED_MODELS_MAX = 20;
export const WELCOME_MODELS_MAX = 6;

// Import
export const IMPORT_BYTES_MAX = 256 * MIB;
export const IMPORTED_MESSAGES_MAX = 200_000;

// MCP server
/** What one answer of a tool or resource holds. */
export const MCP_ANSWER_BYTES_MAX = 64 * KIB;
/** The longest message of the client on standard input. */
export const MCP_INPUT_BYTES_MAX = 4 * MIB;
/** Requests without an answer: with so many nothing more is read of the client. */
export const MCP_UNANSWERED_MAX = 64;
/** Lines of JSON that are no messages: so many end the session. */
export const MCP_UNREADABLE_MAX = 100;
export const MCP_RESULTS_DEFAULT = 8;
export const MCP_RESULTS_MAX = 50;
/** Files that the list of resources names; any other file is read by its path. */
export const MCP_RESOURCES_LISTED_MAX = 50;
