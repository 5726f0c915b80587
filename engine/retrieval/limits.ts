/** Indexing and searching the files of a workspace: Engine §6 and §8.1. */

import { KIB, MIB } from "../../shared/units.ts";

// Search
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
/** Vectors kept in memory for search, over all roots. */
export const VECTOR_CACHE_BYTES_MAX = 128 * MIB;

// Reranking
/** Hits of a search that a reranker gets, whatever its limit: so a smaller limit is the beginning of a larger one. */
export const RERANK_DOCUMENTS_MAX = RAG_LIMIT_MAX;
export const RERANK_DOCUMENT_CHARACTERS_MAX = 4_000;
/** A slower reranker changes nothing. */
export const RERANK_MS_MAX = 5_000;
export const RERANK_ANSWER_BYTES_MAX = 1 * MIB;

// Watched roots
/** Roots that are watched, over all workspaces, and their folders together: a watch of one folder takes about 2 KB. */
export const WATCHED_ROOTS_MAX = 64;
export const WATCHED_FOLDERS_MAX = 25_000;
/** A run waits for this time without a change; while changes go on it begins after that one. */
export const WATCH_QUIET_MS = 2_000;
export const WATCH_BUSY_MS = 10_000;
/** The longest time between the beginnings of two runs of a busy root, but for longer runs. */
export const WATCH_LATEST_MS = 35_000;
/** How often a root is looked at that may have been replaced. */
export const WATCH_LOOK_MS = 15_000;
/** How often a root is walked that cannot be watched, or whose last run failed. */
export const WATCH_WALK_MS = 5 * 60_000;
/** Runs of watched roots at the same time. */
export const WATCH_RUNS_AT_ONCE = 4;
/** Changed paths that are remembered for one run; more are "many". */
export const WATCH_PATHS_MAX = 1_000;
/** Changes are collected for this time before they are reported. */
export const WATCH_BATCH_MS = 100;
// Files of a root
/** Files that could not be read, in one list of them. */
export const RAG_FAILURES_MAX = 500;
/** Roots whose indexes the data directory lists. */
export const LISTED_ROOTS_MAX = 10_000;
export const WALK_DEPTH_MAX = 64;
export const WALK_FILES_MAX = 100_000;
/** Rules of one ignore file, and the length of a rule; further or longer ones are ignored. */
export const IGNORE_RULES_MAX = 10_000;
export const IGNORE_RULE_CHARACTERS_MAX = 4_096;

// Documents
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
/** Chunks of one document; further ones are not indexed. */
export const DOCUMENT_CHUNKS_MAX = 2_000;
export const CHUNK_TARGET_CHARACTERS = 1_400;
export const CHUNK_CHARACTERS_MAX = 2_400;
/** The text that is read of a document: as much as all its chunks can hold. */
export const DOCUMENT_TEXT_CHARACTERS_MAX = DOCUMENT_CHUNKS_MAX * CHUNK_CHARACTERS_MAX;

/** Elements or groups inside each other in a document. */
export const DOCUMENT_DEPTH_MAX = 5_000;
/** The part of a document that is parsed between two checks of its text limit. */
export const DOCUMENT_PIECE_CHARACTERS = 64 * KIB;
/** Slides, sheets or chapters of a document; further ones are not read. */
export const DOCUMENT_PARTS_MAX = 2_000;
export const DOCUMENT_TITLE_CHARACTERS_MAX = 1_000;
/** The part of a web page in which its encoding is looked for. */
export const HTML_ENCODING_BYTES = 1_024;
/** The text that all cells of a workbook share, and the text of one cell: as much as Excel allows. */
export const SHARED_TEXT_CHARACTERS_MAX = 32 * MIB;
export const CELL_CHARACTERS_MAX = 32_767;
/** Empty cells between two others that a line shows. */
export const EMPTY_CELLS_SHOWN_MAX = 16;
/** Formats of cells and of numbers that a workbook defines, and the length of one. */
export const CELL_FORMATS_MAX = 100_000;
export const CELL_FORMAT_CHARACTERS_MAX = 256;
export const SHEET_NAME_CHARACTERS_MAX = 200;
/** Blanks that one element of an OpenDocument text stands for. */
export const BLANKS_AT_ONCE_MAX = 100;
/** Fonts of a Rich Text Format file whose encoding is remembered. */
export const RTF_FONTS_MAX = 10_000;

// Embeddings
/** Distinct chunks that train a basis. */
export const BASIS_SAMPLE_MAX = 8_000;
/** Chunks that are measured for the weights of a hybrid score. */
export const PROFILE_SAMPLE_MAX = 300;
/** Up to this size a basis is retrained after every change, so that an index does not depend on its history. */
export const BASIS_EXACT_CHUNKS_MAX = 2_000;
/** Vectors that are written together. */
export const VECTOR_BATCH_MAX = 2_000;
export const EMBEDDING_TIMEOUT_MS = 30_000;
export const EMBEDDING_BATCH_MAX = 64;
export const EMBEDDING_ATTEMPTS_MAX = 3;
export const EMBEDDING_INPUT_CHARACTERS_MAX = 32_000;
export const EMBEDDING_ANSWER_BYTES_MAX = 64 * MIB;

// Index runs
/** How long work on many files holds the thread before it yields: the thread serves nothing else. */
export const INDEX_SLICE_MS = 12;
/** One commit of an index run: bounds what a killed run loses and how long a search waits. */
export const INDEX_BATCH_FILES = 200;
export const INDEX_BATCH_CHARACTERS = 1_000_000;
/** The interval of an index run's progress reports. */
export const INDEX_PROGRESS_MS = 100;
/** The interval of a long index run's log lines. */
export const INDEX_PROGRESS_LOG_MS = 5_000;
/** How often an index run of a root is a change. */
export const CHANGES_PROGRESS_MS = 500;

// Threads and sidecars
/** A retrieval thread without a request for this long ends, which frees its memory. */
export const RETRIEVAL_IDLE_MS = 300_000;
/** The thread that indexes ends sooner: a run leaves more memory behind than a search. */
export const INDEX_THREAD_IDLE_MS = 60_000;
/** A file that holds the thread for longer is recorded as failed, and the thread is replaced. */
export const INDEX_FILE_MS_MAX = 30_000;
export const INDEX_WATCH_INTERVAL_MS = 5_000;
export const SIDECAR_IDLE_MS = 5_000;
export const SIDECAR_BUSY_WAIT_MS = 10_000;
