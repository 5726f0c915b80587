/** Reading, searching and previewing the files of a workspace: Engine §4 and §8.1. */

import { KIB, MIB } from "../../shared/units.ts";

export const TEXT_FILE_BYTES_MAX = 1_000_000;
/** How often a file is opened that others replace meanwhile. */
export const FILE_OPEN_TRIES_MAX = 32;
export const FILE_SEARCH_LIMIT_DEFAULT = 20;
export const FILE_SEARCH_LIMIT_MIN = 1;
export const FILE_SEARCH_LIMIT_MAX = 50;
export const FILE_SEARCH_VISITS_MAX = 25_000;
/** Names of any kind that one search reads per root: bounds a root of folders alone, too. */
export const FILE_SEARCH_ENTRIES_MAX = 250_000;
/** Folders that one search reads at the same time. */
export const FILE_SEARCH_READS_AT_ONCE = 16;
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
/** Entries of the data directory that are recognized by their identity, and so through hard links. */
export const PROTECTED_ENTRIES_MAX = 10_000;
/** Folders of one folder that a person can choose from; what comes after them is left out. */
export const LOCAL_FOLDERS_MAX = 1_000;
