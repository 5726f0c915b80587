/** The built-in tools and their records. */

import { KIB } from "../../shared/units.ts";

export const AUTH_CONFIG_BYTES_MAX = 64 * KIB;
/** What one tool call reads of a file, and lists of a folder. */
export const TOOL_READ_BYTES = 32 * KIB;
export const TOOL_LIST_ENTRIES_MAX = 1_000;
/** The longest chain of links. */
export const LINKS_FOLLOWED_MAX = 40;

// Records
/** The texts of a record (todo, memory, note, contact), and what one call lists. */
export const RECORD_LINE_CHARACTERS_MAX = 500;
export const RECORD_TEXT_CHARACTERS_MAX = 10_000;
export const RECORD_LIST_DEFAULT = 20;
export const RECORD_LIST_MAX = 100;
export const RECORD_LIST_CHARACTERS = 24_000;
