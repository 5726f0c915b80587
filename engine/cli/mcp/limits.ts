/** The MCP server of the command line. */

import { KIB, MIB } from "../../../shared/units.ts";

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
