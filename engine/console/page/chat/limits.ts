import { KIB, MIB } from "../../../../shared/units.ts";

// The numbers of the chat page.

/** How long a block of Markdown may be; a longer one is cut at a line, or is plain text. */
export const BLOCK_CHARACTERS_MAX = 8 * KIB;
/** A run of text with marks; a longer one is cut at a space. The time of the lexer grows with its square. */
export const INLINE_CHARACTERS_MAX = 2 * KIB;
/** Quotes and lists in each other, and marks in each other; what is deeper is text. */
export const BLOCK_DEPTH_MAX = 12;
export const INLINE_DEPTH_MAX = 16;
/** Elements of one block; what follows is text. */
export const BLOCK_ELEMENTS_MAX = 4_000;
/** A piece of a code block, which the browser lays out on its own. */
export const CODE_PIECE_CHARACTERS_MAX = 4 * KIB;
/** Code that gets colours, once it has rested for so long. */
export const CODE_COLORED_CHARACTERS_MAX = 64 * KIB;
export const CODE_COLORED_WAIT_MS = 200;
/** What TeX may expand to, and its sizes in em. */
export const MATH_EXPANSIONS_MAX = 200;
export const MATH_SIZE_MAX = 20;
/** Blocks that are laid out together; the browser leaves out what is far from the view. */
export const BLOCKS_PER_GROUP = 40;
/** Blocks of one message that are shown; of a live one the last ones. */
export const BLOCKS_SHOWN_MAX = 2_000;
/** How much of a message is shown until more is asked for. */
export const MESSAGE_CHARACTERS_SHOWN_MAX = 256 * KIB;
export const LINK_CHARACTERS_MAX = 2 * KIB;
/** Messages of a page. */
export const MESSAGES_PER_PAGE = 50;
/** Messages that stay read while the newest are shown. */
export const MESSAGES_KEPT_MAX = 300;
/** Turns of a thread of which the outcome and the sources are known. */
export const TURNS_READ_MAX = 100;
export const THREADS_PER_PAGE = 50;
export const THREADS_SHOWN_MAX = 1_000;
/** Chats and messages that a search shows. */
export const HITS_SHOWN_MAX = 10;
/** How long typing pauses before a search begins, and changes before a list is read again. */
export const SEARCH_WAIT_MS = 200;
/** What a tool card shows of a value. */
export const VALUE_CHARACTERS_SHOWN_MAX = 20_000;
/** Texts that are compared, and how many lines may be removed and added: the time grows with the square of these lines. */
export const DIFF_CHARACTERS_MAX = 512 * KIB;
export const DIFF_EDITS_MAX = 500;
/** Lines around a change. */
export const DIFF_CONTEXT_LINES = 3;
/** Lines of a diff that are shown until all are asked for. */
export const DIFF_LINES_SHOWN_MAX = 400;
/** How long an approval is on the screen until it can be answered: a press may have been meant for what was there before. */
export const APPROVAL_SHOWN_MS = 700;
/** What the engine takes with one message. */
export const ATTACHMENTS_MAX = 5;
export const ATTACHMENT_BYTES_MAX = 2 * MIB;
export const ATTACHMENTS_BYTES_MAX = 8 * MIB;
/** Chats that a browser keeps pinned, and drafts that it keeps. */
export const PINS_MAX = 50;
export const DRAFTS_MAX = 50;
export const DRAFT_CHARACTERS_MAX = 100_000;
/** Sources of an answer that are shown until all are asked for. */
export const SOURCES_SHOWN_MAX = 8;
/** Files that `@` looks through, and files and folders that it suggests. */
export const MENTIONS_FOUND_MAX = 50;
export const MENTIONS_SHOWN_MAX = 8;
