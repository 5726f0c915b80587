/** A chat turn: its input, its steps and what it sends: Engine §7 and §8.1. */

import { KIB, MIB } from "../../shared/units.ts";

export const TAGGED_FILES_MAX = 20;
export const ATTACHMENTS_MAX = 5;
export const ATTACHMENT_BYTES_MAX = 2 * MIB;
export const ATTACHMENTS_BYTES_MAX = 8 * MIB;
/** The files of earlier messages that one request repeats; the newest go first. */
export const HISTORY_ATTACHMENTS_BYTES_MAX = 8 * MIB;
export const LABEL_CHARACTERS_MAX = 1024;
export const ATTACHMENT_NAME_CHARACTERS_MAX = 255;
export const MEDIA_TYPE_CHARACTERS_MAX = 255;
export const CLIENT_TOOL_WAIT_MS = 60_000;
export const MODEL_STEPS_MAX = 40;
export const TOOL_RESULT_BYTES_MAX = 64 * KIB;
/** The share of the context window that requests are planned with: tokens are estimated. */
export const PLANNED_SHARE = 0.85;
/** The share of the window that tools may take: of a small one, and of any other. */
export const SMALL_WINDOW_TOKENS = 16_384;
export const SMALL_WINDOW_TOOLS_SHARE = 1 / 4;
export const TOOLS_SHARE = 1 / 2;
/** From this window on the search of the folders is always offered. */
export const SEARCH_WINDOW_TOKENS = 4_096;
/** The estimated tokens of an image, or of a document that goes to the provider as it is. */
export const IMAGE_TOKENS = 1_600;
/** Where the results of a call would get less, older ones of the turn give way. */
export const RESULT_TOKENS_MIN = 1_024;
/** The share of what is planned at which the oldest messages are summarized, and down to which. */
export const SUMMARY_AT_SHARE = 0.75;
export const SUMMARY_DOWN_TO_SHARE = 0.5;
/** The tokens of a summary, at most, and the share of a small window that they may take. */
export const SUMMARY_TOKENS_MAX = 2_048;
export const SUMMARY_WINDOW_SHARE = 1 / 8;
/** The requests of one summary; what would take more is left out. */
export const SUMMARY_PIECES_MAX = 64;
/** The newest exchanges that a compaction leaves as they are. */
export const COMPACT_KEPT_EXCHANGES = 2;
/** What the record of a turn names of what had no room, and what a notice names of it. */
export const DROPPED_LISTED_MAX = 100;
export const DROPPED_NAMED_MAX = 10;
/** Folders of the workspace that the instructions name. */
export const FOLDERS_NAMED_MAX = 20;
/** A title by a model: what it reads of each message, its words, what is read of the answer, and the wait for it. */
export const TITLE_MESSAGE_CHARACTERS_MAX = 2_000;
export const TITLE_WORDS_MAX = 6;
export const TITLE_ANSWER_CHARACTERS_MAX = 1_000;
export const TITLE_MS_MAX = 60_000;
export const HISTORY_FIRST_PAGE_MESSAGES = 50;
export const HISTORY_PAGE_MESSAGES_MAX = 500;
export const TURN_TEXT_CHARACTERS_MAX = 16 * MIB;
/** Deltas of one tick that are sent unjoined, and the length at which joined ones are sent. */
export const DELTAS_PER_TICK_MAX = 32;
export const JOINED_DELTA_CHARACTERS = 16 * KIB;
