/** Every number of Engine §8 and of the decisions around it, by name. */

const KIB = 1024;
const MIB = 1024 * KIB;

// Files
export const TEXT_FILE_BYTES_MAX = 1_000_000;
export const FILE_SEARCH_LIMIT_DEFAULT = 20;
export const FILE_SEARCH_LIMIT_MIN = 1;
export const FILE_SEARCH_LIMIT_MAX = 50;
export const FILE_SEARCH_VISITS_MAX = 25_000;
/** Names of any kind that one search reads per root, so that a root of folders alone ends, too. */
export const FILE_SEARCH_ENTRIES_MAX = 250_000;
/** Folders that one search reads at the same time. */
export const FILE_SEARCH_READS_AT_ONCE = 16;
export const FILE_PATH_CHARACTERS_MAX = 4096;
/** How long work on many names may hold the event loop before it lets others go first. */
export const LOOP_SLICE_MS = 4;
/** The same for an index run, which shares its thread with other runs only. */
export const INDEX_SLICE_MS = 12;
export const PREVIEW_IMAGE_BYTES_MAX = 20 * MIB;
export const PREVIEW_PDF_BYTES_MAX = 50 * MIB;
export const PREVIEW_DOCX_BYTES_MAX = 25 * MIB;
/** How much of a previewed file is in memory at once. */
export const PREVIEW_CHUNK_BYTES = 256 * KIB;
export const ARCHIVE_ENTRIES_MAX = 2_000;
/** What all entries of an archive may say that they unpack to. */
export const ARCHIVE_UNPACKED_BYTES_MAX = 100 * MIB;
/** Unpacked to packed, for each entry and for the archive. */
export const ARCHIVE_RATIO_MAX = 200;

// Retrieval
export const RAG_LIMIT_DEFAULT = 8;
export const RAG_LIMIT_MIN = 1;
export const RAG_LIMIT_MAX = 50;
/** A longer query is cut before anything looks at it: normalizing takes time by the square of its length. */
export const RAG_QUERY_CHARACTERS_MAX = 8_000;
/** Terms of a keyword query; what comes after them is left out. */
export const KEYWORD_TERMS_MAX = 64;
/** Quoted phrases of a query; further ones are ordinary words. */
export const QUOTED_PHRASES_MAX = 8;
/** Chunks of one root that are read to see whether they hold a quoted phrase. */
export const QUOTED_CHUNKS_MAX = 2_000;
/** How many hits of each list the fusion sees. */
export const FUSION_DEPTH = 200;
export const WALK_DEPTH_MAX = 64;
export const WALK_FILES_MAX = 100_000;
/** Chunks of one document; what comes after them is not indexed. */
export const DOCUMENT_CHUNKS_MAX = 2_000;
export const DOCUMENT_BYTES_MAX = 20 * MIB;
export const PDF_PAGES_MAX = 500;
/** What one part of a DOCX may unpack to. */
export const DOCX_PART_BYTES_MAX = 20 * MIB;
/** How long one document may take to read, in its own thread. */
export const DOCUMENT_READ_MS = 20_000;
/** By how much the process may grow while a document is read. */
export const DOCUMENT_MEMORY_BYTES_MAX = 512 * MIB;
export const DOCUMENT_MEMORY_CHECK_MS = 50;
/** The heap of the thread: well above, as V8 ends the whole process where one large allocation passes it. */
export const DOCUMENT_HEAP_MIB_MAX = 2_048;
/** A document thread without work for this long ends. */
export const DOCUMENT_THREAD_IDLE_MS = 5_000;
export const CHUNK_TARGET_CHARACTERS = 1_400;
export const CHUNK_CHARACTERS_MAX = 2_400;
/** What is read of the text of a document: no more than all its chunks can hold. */
export const DOCUMENT_TEXT_CHARACTERS_MAX = DOCUMENT_CHUNKS_MAX * CHUNK_CHARACTERS_MAX;
/** What an index run commits together: a run that is killed loses no more, and a search waits no longer. */
export const INDEX_BATCH_FILES = 200;
export const INDEX_BATCH_CHARACTERS = 1_000_000;
/** Distinct chunks that a basis is trained on. */
export const BASIS_SAMPLE_MAX = 8_000;
/** Up to here a basis is trained anew after every change, so that an index never depends on its history. */
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
/** A file that holds the thread for longer is remembered as failed, and the thread is replaced. */
export const INDEX_FILE_MS_MAX = 30_000;
export const INDEX_WATCH_INTERVAL_MS = 5_000;
/** How often an index run tells where it is. */
export const INDEX_PROGRESS_MS = 100;
/** Rules of one ignore file, and the length of a rule; the others are left out. */
export const IGNORE_RULES_MAX = 10_000;
export const IGNORE_RULE_CHARACTERS_MAX = 4_096;
/** How often a long index run says in the log where it is. */
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
/** Kept free for the answer: a quarter of the window, at most this. */
export const OUTPUT_RESERVE_TOKENS_MAX = 4096;
export const HISTORY_FIRST_PAGE_MESSAGES = 50;
export const HISTORY_PAGE_MESSAGES_MAX = 500;
export const TURN_TEXT_CHARACTERS_MAX = 16 * MIB;
export const JSON_DEPTH_MAX = 100;
/** Deltas that one tick may bring before they are joined, and the length at which joined ones go out. */
export const DELTAS_PER_TICK_MAX = 32;
export const JOINED_DELTA_CHARACTERS = 16 * KIB;

// Models and tools
export const TOOLS_CONFIG_DEPTH_MAX = 32;
export const AUTH_CONFIG_BYTES_MAX = 64 * KIB;
/** What one call of a tool reads of a file, and lists of a folder. */
export const TOOL_READ_BYTES = 32 * KIB;
export const TOOL_LIST_ENTRIES_MAX = 1_000;
/** Texts of a record (todo, memory, note, contact), and what one call lists of them. */
export const RECORD_LINE_CHARACTERS_MAX = 500;
export const RECORD_TEXT_CHARACTERS_MAX = 10_000;
export const RECORD_LIST_DEFAULT = 20;
export const RECORD_LIST_MAX = 100;
export const RECORD_LIST_CHARACTERS = 24_000;
/** Entries of the data directory that are known by their identity, and so by hard links as well. */
export const PROTECTED_ENTRIES_MAX = 10_000;
/** Links that lead to links. */
export const LINKS_FOLLOWED_MAX = 40;
/** How often a request that a provider could not take is sent again, and how long that may be put off. */
export const MODEL_RETRIES_MAX = 2;
export const MODEL_RETRY_WAIT_MS = 500;
export const MODEL_RETRY_WAIT_MS_MAX = 20_000;
/** A test of a model: how long it may take, and how much of its answer is read. */
export const MODEL_TEST_MS_MAX = 20_000;
export const MODEL_TEST_CHARACTERS_MAX = 1_000;
/** A provider that sends nothing for this long hangs. */
export const MODEL_IDLE_MS = 240_000;
/** What is read of one step's answer, and of an error. */
export const MODEL_ANSWER_BYTES_MAX = 64 * MIB;
export const MODEL_ERROR_BYTES_MAX = 64 * KIB;
/** What is matched of the text of a provider's error. */
export const MODEL_ERROR_TEXT_CHARACTERS_MAX = 8 * KIB;
export const MODEL_TEXT_CHARACTERS_MAX = 4 * MIB;
export const MODEL_CALLS_MAX = 100;
/** What of a provider's own words about a failure is shown. */
export const MODEL_FAILURE_CHARACTERS_MAX = 240;

// Realtime
export const SSE_QUEUE_EVENTS_MAX = 100;
export const FRAME_BYTES_MAX = 16 * MIB;
export const SOCKET_UNSENT_BYTES_MAX = 4 * MIB;
export const SOCKET_PING_INTERVAL_MS = 30_000;
/** Where a turn waits for its reader: well below the bound at which the socket is closed. */
export const SOCKET_BACKLOG_BYTES = 1 * MIB;
export const SOCKET_FRAMES_WAITING_MAX = 64;
export const SOCKET_CLOSE_WAIT_MS = 5_000;
/** When the engine stops. */
export const SOCKET_GOODBYE_WAIT_MS = 500;
export const CLIENT_ID_CHARACTERS_MAX = 256;
/** The id of an envelope, and every id in the data of a frame. */
export const FRAME_ID_CHARACTERS_MAX = 1024;
/** Tools that one frame registers. */
export const UI_TOOLS_PER_FRAME_MAX = 100;
/** A frame of a client whose token was refused. Larger ones are not buffered. */
export const SOCKET_REFUSED_FRAME_BYTES_MAX = 1 * KIB;

// Database
/** A larger one is not checked at a start after an unclean end: the check reads all of it. */
export const QUICK_CHECK_BYTES_MAX = 256 * MIB;

// Logs
export const LOG_FILE_BYTES_MAX = 5 * MIB;

// Secrets
export const KEYCHAIN_WAIT_MS = 3_000;

// HTTP
/** Origins that the log names in one start, and what of each. */
export const REFUSED_ORIGINS_LOGGED_MAX = 32;
export const ORIGIN_CHARACTERS_LOGGED_MAX = 256;
/** How long the holder of a taken port is asked what it is, and what is read of its answer. */
export const PORT_HOLDER_WAIT_MS = 500;
export const PORT_HOLDER_ANSWER_BYTES_MAX = 1024;
export const BODY_BYTES_MAX = 16 * MIB;
export const STOP_WAIT_MS = 2_500;

// Lists and deletes of any size
/** Up to here a list is one answer; what is longer is read from a snapshot and streamed. */
export const LIST_DIRECT_ROWS_MAX = 256;
export const LIST_PAGE_ROWS_MAX = 1_000;
/** Stored text that one page of a list holds; one row may be larger. */
export const LIST_PAGE_BYTES = 256 * KIB;
/** A reader that takes longer keeps the write-ahead log from being emptied: the answer breaks off. */
export const LIST_READ_MS_MAX = 120_000;
/** What one commit of a background deletion removes; the number of rows adapts to the time that they take. */
export const DELETE_SLICE_MS = 8;
export const DELETE_SLICE_ROWS_MIN = 50;
export const DELETE_SLICE_ROWS_MAX = 1_000;
export const DELETE_SLICE_BYTES = 256 * KIB;
export const DELETE_SLICE_THREADS = 50;

// Settings
export const SETTINGS_PER_REQUEST_MAX = 1000;

// Account
export const CLOUD_TIMEOUT_MS = 10_000;
export const CLOUD_ANSWER_BYTES_MAX = 256 * KIB;
export const CLOUD_ERROR_CHARACTERS_MAX = 500;
export const CLOUD_TOKEN_CHARACTERS_MAX = 4096;
/** An access token that ends sooner than this is renewed before it is used. */
export const ACCESS_TOKEN_MARGIN_MS = 30_000;
/** As long as the sign-in server keeps the state of a login. */
export const NATIVE_LOGIN_WAIT_MS = 10 * 60_000;
