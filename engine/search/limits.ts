/** The search of messages. */

import { KIB, MIB } from "../../shared/units.ts";

export const MESSAGE_SEARCH_LIMIT_DEFAULT = 20;
export const MESSAGE_SEARCH_LIMIT_MAX = 50;
/** A longer query is cut. Each character of a script without spaces is a term. */
export const MESSAGE_QUERY_CHARACTERS_MAX = 8_000;
export const MESSAGE_QUERY_WORDS_MAX = 32;
export const MESSAGE_QUERY_TERMS_MAX = 128;
/** What of a message is searched, as UTF-8. */
export const MESSAGE_SEARCHED_BYTES = MIB;
/** The text that one commit indexes: a longer message is indexed in pieces. */
export const MESSAGE_PIECE_BYTES = 32 * KIB;
/** What a piece repeats of the next one: a word or a run of terms at their border is whole in it. */
export const MESSAGE_PIECE_OVERLAP_BYTES = 2 * KIB;
export const MESSAGE_PIECES_MAX = MESSAGE_SEARCHED_BYTES / MESSAGE_PIECE_BYTES;
/** The newest matches, which are ranked. */
export const MESSAGE_MATCHES_MAX = 500;
export const MESSAGE_SNIPPET_CHARACTERS_MAX = 300;
/** When each step of a search ends: the wait for new messages, the matches, and the ranking. */
export const MESSAGE_SEARCH_MS_MAX = 2_000;
/** Rows of the index that one read covers: it adapts to the time that the read takes. The most take about 10 ms. */
export const MESSAGE_WINDOW_MIN = 250;
export const MESSAGE_WINDOW_MAX = 16_000;
/** A thread or workspace of more messages is searched in all windows. */
export const MESSAGE_SCOPE_ROWS_MAX = 10_000;
/** The messages that one commit indexes, and the pages that it merges of the index: a few milliseconds each. */
export const MESSAGE_INDEX_ROWS = 50;
export const MESSAGE_MERGE_PAGES = 16;
/** After so many new messages they are indexed without a search. */
export const MESSAGES_UNINDEXED_MAX = 256;
