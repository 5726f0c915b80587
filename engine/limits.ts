/** Every number of Engine §8 and of the decisions around it, by name. */

const KIB = 1024;
const MIB = 1024 * KIB;

// Files
export const TEXT_FILE_BYTES_MAX = 1_000_000;
export const FILE_SEARCH_LIMIT_DEFAULT = 20;
export const FILE_SEARCH_LIMIT_MIN = 1;
export const FILE_SEARCH_LIMIT_MAX = 50;
export const FILE_SEARCH_VISITS_MAX = 25_000;
/** Names of any kind that one search reads per root: bounds a root of folders alone, too. */
export const FILE_SEARCH_ENTRIES_MAX = 250_000;
/** Folders that one search reads at the same time. */
export const FILE_SEARCH_READS_AT_ONCE = 16;
export const FILE_PATH_CHARACTERS_MAX = 4096;
/** How long work on many names may hold the event loop before it yields. */
export const LOOP_SLICE_MS = 4;
/** The same for an index run, whose thread serves nothing else. */
export const INDEX_SLICE_MS = 12;
export const PREVIEW_IMAGE_BYTES_MAX = 20 * MIB;
export const PREVIEW_PDF_BYTES_MAX = 50 * MIB;
export const PREVIEW_DOCX_BYTES_MAX = 25 * MIB;
/** How much of a previewed file is in memory at once. */
export const PREVIEW_CHUNK_BYTES = 256 * KIB;
export const ARCHIVE_ENTRIES_MAX = 2_000;
/** The declared unpacked size of all entries of an archive. */
export const ARCHIVE_UNPACKED_BYTES_MAX = 100 * MIB;
/** The ratio of unpacked to packed size, for each entry and for the archive. */
export const ARCHIVE_RATIO_MAX = 200;

// Retrieval
export const RAG_LIMIT_DEFAULT = 8;
export const RAG_LIMIT_MIN = 1;
export const RAG_LIMIT_MAX = 50;
/** A longer query is cut before it is normalized, which takes time quadratic in its length. */
export const RAG_QUERY_CHARACTERS_MAX = 8_000;
/** Terms of a keyword query; further ones are ignored. */
export const KEYWORD_TERMS_MAX = 64;
/** Quoted phrases of a query; further ones are ordinary words. */
export const QUOTED_PHRASES_MAX = 8;
/** Chunks of one root that are read to see whether they hold a quoted phrase. */
export const QUOTED_CHUNKS_MAX = 2_000;
/** Hits of each list that enter the fusion. */
export const FUSION_DEPTH = 200;
/** The first hits of a root that others are compared with in a hybrid search. */
export const FEEDBACK_HITS = 5;
export const WALK_DEPTH_MAX = 64;
export const WALK_FILES_MAX = 100_000;
/** Chunks of one document; further ones are not indexed. */
export const DOCUMENT_CHUNKS_MAX = 2_000;
export const DOCUMENT_BYTES_MAX = 20 * MIB;
export const PDF_PAGES_MAX = 500;
/** The unpacked size of one part of a DOCX. */
export const DOCX_PART_BYTES_MAX = 20 * MIB;
/** The time to read one document, in its own thread. */
export const DOCUMENT_READ_MS = 20_000;
/** The growth of the process while a document is read. */
export const DOCUMENT_MEMORY_BYTES_MAX = 512 * MIB;
export const DOCUMENT_MEMORY_CHECK_MS = 50;
/** The heap of the thread. Much larger, as V8 ends the whole process where one allocation exceeds it. */
export const DOCUMENT_HEAP_MIB_MAX = 2_048;
/** A document thread without work for this long ends. */
export const DOCUMENT_THREAD_IDLE_MS = 5_000;
export const CHUNK_TARGET_CHARACTERS = 1_400;
export const CHUNK_CHARACTERS_MAX = 2_400;
/** The text that is read of a document: as much as all its chunks can hold. */
export const DOCUMENT_TEXT_CHARACTERS_MAX = DOCUMENT_CHUNKS_MAX * CHUNK_CHARACTERS_MAX;
/** One commit of an index run: bounds what a killed run loses and how long a search waits. */
export const INDEX_BATCH_FILES = 200;
export const INDEX_BATCH_CHARACTERS = 1_000_000;
/** Distinct chunks that train a basis. */
export const BASIS_SAMPLE_MAX = 8_000;
/** Chunks that are measured for the weights of a hybrid score. */
export const PROFILE_SAMPLE_MAX = 300;
/** Up to this size a basis is retrained after every change, so that an index does not depend on its history. */
export const BASIS_EXACT_CHUNKS_MAX = 2_000;
/** Vectors that are written together. */
export const VECTOR_BATCH_MAX = 2_000;
export const SIDECAR_IDLE_MS = 5_000;
export const SIDECAR_BUSY_WAIT_MS = 10_000;
/** Vectors kept in memory for search, over all roots. */
export const VECTOR_CACHE_BYTES_MAX = 128 * MIB;
export const EMBEDDING_TIMEOUT_MS = 30_000;
export const EMBEDDING_BATCH_MAX = 64;
export const EMBEDDING_ATTEMPTS_MAX = 3;
export const EMBEDDING_INPUT_CHARACTERS_MAX = 32_000;
export const EMBEDDING_ANSWER_BYTES_MAX = 64 * MIB;
/** A retrieval thread without a request for this long ends, which frees its memory. */
export const RETRIEVAL_IDLE_MS = 300_000;
/** The thread that indexes ends sooner: a run leaves more memory behind than a search. */
export const INDEX_THREAD_IDLE_MS = 60_000;
/** A file that holds the thread for longer is recorded as failed, and the thread is replaced. */
export const INDEX_FILE_MS_MAX = 30_000;
export const INDEX_WATCH_INTERVAL_MS = 5_000;
/** How often the indexing thread shows that it runs, and for how long it may not: a large commit takes seconds. */
export const INDEX_BEAT_MS = 1_000;
export const INDEX_STALL_MS_MAX = 120_000;
/** The interval of an index run's progress reports. */
export const INDEX_PROGRESS_MS = 100;
/** Rules of one ignore file, and the length of a rule; further or longer ones are ignored. */
export const IGNORE_RULES_MAX = 10_000;
export const IGNORE_RULE_CHARACTERS_MAX = 4_096;
/** The interval of a long index run's log lines. */
export const INDEX_PROGRESS_LOG_MS = 5_000;

// Chat
export const TAGGED_FILES_MAX = 20;
export const ATTACHMENTS_MAX = 5;
export const ATTACHMENT_BYTES_MAX = 2 * MIB;
export const ATTACHMENTS_BYTES_MAX = 8 * MIB;
export const CONTEXT_PATH_CHARACTERS_MAX = 1024;
export const LABEL_CHARACTERS_MAX = 1024;
export const ATTACHMENT_NAME_CHARACTERS_MAX = 255;
export const MEDIA_TYPE_CHARACTERS_MAX = 255;
export const TITLE_CHARACTERS_MAX = 60;
export const CLIENT_TOOL_WAIT_MS = 60_000;
export const MODEL_STEPS_MAX = 40;
export const TOOL_RESULT_BYTES_MAX = 64 * KIB;
export const CONTEXT_WINDOW_TOKENS_DEFAULT = 8192;
/** A stated window below this is small: tools may take only this share of it. */
export const SMALL_WINDOW_TOKENS = 16_384;
export const SMALL_WINDOW_TOOLS_SHARE = 1 / 4;
/** Reserved for the answer: a quarter of the window, at most this. */
export const OUTPUT_RESERVE_TOKENS_MAX = 4096;
export const HISTORY_FIRST_PAGE_MESSAGES = 50;
export const HISTORY_PAGE_MESSAGES_MAX = 500;
export const TURN_TEXT_CHARACTERS_MAX = 16 * MIB;
export const JSON_DEPTH_MAX = 100;
/** What the record of a turn keeps of an answer that did not come whole, and how often it is stored. */
export const PARTIAL_TEXT_BYTES_MAX = 1 * MIB;
export const PARTIAL_TEXT_INTERVAL_MS = 1_000;
/** Turns over HTTP that run at the same time. */
export const HTTP_TURNS_MAX = 32;
/** What is kept of the events of a turn for clients that resume, and for how long after its end. */
export const TURN_EVENTS_MAX = 10_000;
export const TURN_EVENTS_BYTES_MAX = 4 * MIB;
export const TURN_EVENTS_KEPT_MS = 10 * 60_000;
/** The same for all turns that have ended, together; the oldest go first. */
export const TURN_EVENTS_ENDED_BYTES_MAX = 16 * MIB;
export const TURN_READERS_MAX = 16;
/** Settled approvals that a second answer finds settled; an older one is unknown. */
export const APPROVALS_SETTLED_KEPT_MAX = 1_000;
/** Days of usage where none are given, and groups of one answer; the total counts all. */
export const USAGE_DAYS_DEFAULT = 30;
export const USAGE_GROUPS_MAX = 1_000;
export const TURNS_LISTED_DEFAULT = 50;
export const TURNS_LISTED_MAX = 1_000;
/** Deltas of one tick that are sent unjoined, and the length at which joined ones are sent. */
export const DELTAS_PER_TICK_MAX = 32;
export const JOINED_DELTA_CHARACTERS = 16 * KIB;

// Tools
export const TOOLS_CONFIG_DEPTH_MAX = 32;
export const AUTH_CONFIG_BYTES_MAX = 64 * KIB;
/** What one tool call reads of a file, and lists of a folder. */
export const TOOL_READ_BYTES = 32 * KIB;
export const TOOL_LIST_ENTRIES_MAX = 1_000;
/** Entries of the data directory that are recognized by their identity, and so through hard links. */
export const PROTECTED_ENTRIES_MAX = 10_000;
/** The longest chain of links. */
export const LINKS_FOLLOWED_MAX = 40;

// Records of tools
/** The texts of a record (todo, memory, note, contact), and what one call lists. */
export const RECORD_LINE_CHARACTERS_MAX = 500;
export const RECORD_TEXT_CHARACTERS_MAX = 10_000;
export const RECORD_LIST_DEFAULT = 20;
export const RECORD_LIST_MAX = 100;
export const RECORD_LIST_CHARACTERS = 24_000;

// Models
/** Retries of a request that a provider could not take, and the wait before one. */
export const MODEL_RETRIES_MAX = 2;
export const MODEL_RETRY_WAIT_MS = 500;
export const MODEL_RETRY_WAIT_MS_MAX = 20_000;
/** A test of a model: its time, and what is read of the answer. */
/** How long each local model server may take to list its models. */
export const DISCOVERY_MS_MAX = 1_000;
export const DISCOVERY_ANSWER_BYTES_MAX = 256 * KIB;
/** Models of one server; what comes after them is left out. */
export const DISCOVERED_MODELS_MAX = 500;
/** A longer name of a discovered model is left out. */
export const MODEL_NAME_CHARACTERS_MAX = 256;
/** Headers of one model configuration. */
export const MODEL_HEADERS_MAX = 32;
export const MODEL_HEADER_NAME_CHARACTERS_MAX = 128;
export const MODEL_HEADER_CHARACTERS_MAX = 4_096;
export const MODEL_TEST_MS_MAX = 20_000;
export const MODEL_TEST_CHARACTERS_MAX = 1_000;
/** A provider that sends nothing for this long hangs. */
export const MODEL_IDLE_MS = 240_000;
/** What is read of the response to one step, and of an error. */
export const MODEL_ANSWER_BYTES_MAX = 64 * MIB;
export const MODEL_ERROR_BYTES_MAX = 64 * KIB;
/** The part of a provider's error text that is matched. */
export const MODEL_ERROR_TEXT_CHARACTERS_MAX = 8 * KIB;
export const MODEL_TEXT_CHARACTERS_MAX = 4 * MIB;
export const MODEL_CALLS_MAX = 100;
/** The part of a provider's error text that is shown. */
export const MODEL_FAILURE_CHARACTERS_MAX = 240;

// Realtime
export const SSE_QUEUE_EVENTS_MAX = 100;
/** What a reader of an event stream that is behind gets at once. */
export const SSE_CHUNK_CHARACTERS = 256 * KIB;
/** On streams that can be resumed. */
export const SSE_COMMENT_INTERVAL_MS = 15_000;
/** What is kept of the changes for clients that resume. */
export const CHANGES_KEPT_MAX = 10_000;
export const CHANGES_BYTES_MAX = 8 * MIB;
export const CHANGES_READERS_MAX = 256;
/** Keys of settings that one change names, and their length. */
export const CHANGED_KEYS_MAX = 100;
export const CHANGED_KEY_CHARACTERS_MAX = 256;
/** How often an index run of a root is a change. */
export const CHANGES_PROGRESS_MS = 500;
export const FRAME_BYTES_MAX = 16 * MIB;
export const SOCKET_UNSENT_BYTES_MAX = 4 * MIB;
export const SOCKET_PING_INTERVAL_MS = 30_000;
/** A turn waits for its reader at this backlog, well below the one that closes the socket. */
export const SOCKET_BACKLOG_BYTES = 1 * MIB;
export const SOCKET_FRAMES_WAITING_MAX = 64;
export const SOCKET_CLOSE_WAIT_MS = 5_000;
/** The wait for close frames when the engine stops. */
export const SOCKET_GOODBYE_WAIT_MS = 500;
export const CLIENT_ID_CHARACTERS_MAX = 256;
/** The id of an envelope, and every id in the data of a frame. */
export const FRAME_ID_CHARACTERS_MAX = 1024;
/** Tools that one frame registers. */
export const UI_TOOLS_PER_FRAME_MAX = 100;
/** A frame of a client with an invalid token. Larger ones are not buffered. */
export const SOCKET_REFUSED_FRAME_BYTES_MAX = 1 * KIB;

// Database
/** A larger database is not checked after an unclean stop: the check reads all of it. */
export const QUICK_CHECK_BYTES_MAX = 256 * MIB;

// Logs
export const LOG_FILE_BYTES_MAX = 5 * MIB;

// Secrets
export const KEYCHAIN_WAIT_MS = 3_000;

// HTTP
/** Origins that the log names in one run, and the part of each that it shows. */
export const REFUSED_ORIGINS_LOGGED_MAX = 32;
export const ORIGIN_CHARACTERS_LOGGED_MAX = 256;
/** The health check of a taken port: its time, and what is read of the response. */
export const PORT_HOLDER_WAIT_MS = 500;
export const PORT_HOLDER_ANSWER_BYTES_MAX = 1024;
export const BODY_BYTES_MAX = 16 * MIB;
export const STOP_WAIT_MS = 2_500;

// Pages of lists
export const PAGE_ENTRIES_MAX = 1_000;
/** What of a title is searched, and how long the text to find may be. */
export const TITLE_SEARCHED_CHARACTERS_MAX = 10_000;
export const TITLE_QUERY_CHARACTERS_MAX = 1_000;
/** Titles that are looked at between two looks at the clock. */
export const TITLES_PER_READ = 100;
/** Ends of pages that are remembered, to notice that the thread of one moved. */
export const PAGE_ENDS_MAX = 1_000;

// Message search
export const MESSAGE_SEARCH_LIMIT_DEFAULT = 20;
export const MESSAGE_SEARCH_LIMIT_MAX = 50;
/** A longer query is cut. Each character of a script without spaces is a term. */
export const MESSAGE_QUERY_CHARACTERS_MAX = 8_000;
export const MESSAGE_QUERY_WORDS_MAX = 32;
export const MESSAGE_QUERY_TERMS_MAX = 128;
/** What of a message is searched, as UTF-8. */
export const MESSAGE_SEARCHED_BYTES = 64 * KIB;
/** The newest matches, which are ranked; and how many of them are read at once. */
export const MESSAGE_MATCHES_MAX = 500;
export const MESSAGE_MATCHES_PER_READ = 20;
export const MESSAGE_SNIPPET_CHARACTERS_MAX = 300;
/** When each step of a search ends: the wait for new messages, the matches, and the ranking. */
export const MESSAGE_SEARCH_MS_MAX = 2_000;
/** Message ids that one read covers: it adapts to the time that the read takes. */
export const MESSAGE_WINDOW_MIN = 250;
export const MESSAGE_WINDOW_MAX = 64_000;
/** A thread or workspace of more messages is searched in all windows. */
export const MESSAGE_SCOPE_ROWS_MAX = 10_000;
/** What one commit indexes, and what it merges of the index; both adapt to the time that they take. */
export const MESSAGE_INDEX_ROWS = { ms: 8, min: 10, max: 200 };
export const MESSAGE_MERGE_PAGES = { ms: 8, min: 4, max: 64 };
export const MESSAGE_MERGES_PER_SLICE = 4;
/** The stored text in one read of messages; a single message may be larger. */
export const MESSAGE_READ_BYTES = 64 * KIB;
/** New messages are indexed before a search where they are this many. */
export const MESSAGES_UNINDEXED_MAX = 256;

// Lists and deletes of any size
/** Up to this size a list is one response; a longer one is read from a snapshot and streamed. */
export const LIST_DIRECT_ROWS_MAX = 256;
export const LIST_PAGE_ROWS_MAX = 1_000;
/** The stored text in one page of a list; a single row may be larger. */
export const LIST_PAGE_BYTES = 256 * KIB;
/** A slower reader is cut off, since its snapshot stops the write-ahead log from being truncated. */
export const LIST_READ_MS_MAX = 120_000;
/** One commit of a background deletion; the number of rows adapts to the measured time. */
export const DELETE_SLICE_ROWS = { ms: 8, min: 50, max: 1_000 };
export const DELETE_SLICE_BYTES = 256 * KIB;
export const DELETE_SLICE_THREADS = 50;

// Settings
export const SETTINGS_PER_REQUEST_MAX = 1000;

// Account
export const ACCOUNT_TIMEOUT_MS = 10_000;
export const ACCOUNT_ANSWER_BYTES_MAX = 256 * KIB;
export const ACCOUNT_ERROR_CHARACTERS_MAX = 500;
export const ACCOUNT_TOKEN_CHARACTERS_MAX = 4096;
/** An access token that ends sooner than this is renewed before it is used. */
export const ACCESS_TOKEN_MARGIN_MS = 30_000;
/** As long as the sign-in server keeps the state of a login. */
export const NATIVE_LOGIN_WAIT_MS = 10 * 60_000;
