/** The numbers that several folders share, and those of folders with only a few. */

import { KIB, MIB } from "../shared/units.ts";

// Several folders
export const FILE_PATH_CHARACTERS_MAX = 4096;
/** How long work on many names may hold the event loop before it yields. */
export const LOOP_SLICE_MS = 4;
export const CONTEXT_PATH_CHARACTERS_MAX = 1024;
/** The id of an envelope, and every id in the data of a frame. */
export const FRAME_ID_CHARACTERS_MAX = 1024;
export const PAGE_ENTRIES_MAX = 1_000;

// HTTP
/** Origins that the log names in one run, and the part of each that it shows. */
export const REFUSED_ORIGINS_LOGGED_MAX = 32;
export const ORIGIN_CHARACTERS_LOGGED_MAX = 256;
export const BODY_BYTES_MAX = 16 * MIB;

// Process
export const LOG_FILE_BYTES_MAX = 5 * MIB;
export const KEYCHAIN_WAIT_MS = 3_000;
/** The health check of a taken port: its time, and what is read of the response. */
export const PORT_HOLDER_WAIT_MS = 500;
export const PORT_HOLDER_ANSWER_BYTES_MAX = 1024;
/** By how much the old generation of the heap grows before it is collected, once the engine listens. */
export const HEAP_GROWTH_PERCENT = 30;
export const STOP_WAIT_MS = 2_500;

// Database
/** A larger database is not checked after an unclean stop: the check reads all of it. */
export const QUICK_CHECK_BYTES_MAX = 256 * MIB;
/** Up to this size a list is one response; a longer one is read from a snapshot and streamed. */
export const LIST_DIRECT_ROWS_MAX = 256;
export const LIST_PAGE_ROWS_MAX = 1_000;
/** The stored text in one page of a list; a single row may be larger. */
export const LIST_PAGE_BYTES = 256 * KIB;
/** A slower reader is cut off, since its snapshot stops the write-ahead log from being truncated. */
export const LIST_READ_MS_MAX = 120_000;
/** One commit of a background deletion. */
export const DELETE_SLICE_ROWS = 200;
export const DELETE_SLICE_BYTES = 256 * KIB;
export const DELETE_SLICE_THREADS = 50;

// Event streams
/** What a reader of an event stream that is behind gets at once. */
export const SSE_CHUNK_CHARACTERS = 256 * KIB;
/** On streams that can be resumed. */
export const SSE_COMMENT_INTERVAL_MS = 15_000;
/** What is kept of the changes for clients that resume. */
export const CHANGES_KEPT_MAX = 10_000;
export const CHANGES_BYTES_MAX = 8 * MIB;
export const CHANGES_READERS_MAX = 256;

// Settings and policies
export const TOOLS_CONFIG_DEPTH_MAX = 32;
/** Keys of settings that one change names, and their length. */
export const CHANGED_KEYS_MAX = 100;
export const CHANGED_KEY_CHARACTERS_MAX = 256;
export const SETTINGS_PER_REQUEST_MAX = 1000;

// Workspaces
/** The instructions of a workspace, and each file with instructions for agents in its roots. */
export const INSTRUCTIONS_BYTES_MAX = 32 * KIB;

// Threads
export const TITLE_CHARACTERS_MAX = 60;
/** What of a title is searched, and how long the text to find may be. */
export const TITLE_SEARCHED_CHARACTERS_MAX = 10_000;
export const TITLE_QUERY_CHARACTERS_MAX = 1_000;
/** Titles that are looked at between two looks at the clock. */
export const TITLES_PER_READ = 100;
/** Ends of pages that are remembered, to notice that the thread of one moved. */
export const PAGE_ENDS_MAX = 1_000;

// Messages
/** Files that are looked at between two turns of the event loop while unused ones are removed. */
export const ATTACHMENT_FILES_PER_LOOK = 256;

// Account
export const ACCOUNT_TIMEOUT_MS = 10_000;
export const ACCOUNT_ANSWER_BYTES_MAX = 256 * KIB;
export const ACCOUNT_ERROR_CHARACTERS_MAX = 500;
export const ACCOUNT_TOKEN_CHARACTERS_MAX = 4096;
/** An access token that ends sooner than this is renewed before it is used. */
export const ACCESS_TOKEN_MARGIN_MS = 30_000;
/** As long as the sign-in server keeps the state of a login. */
export const NATIVE_LOGIN_WAIT_MS = 10 * 60_000;
