/** The MCP server of the command line. */

import { KIB, MIB } from "../../../shared/units.ts";

/** What one answer of a tool or resource holds. */
export const MCP_ANSWER_BYTES_MAX = 64 * KIB;
/** The longest message of the client on standard input. */
export const MCP_INPUT_BYTES_MAX = 4 * MIB;
export const MCP_RESULTS_DEFAULT = 8;
export const MCP_RESULTS_MAX = 50;
/** Files that the list of resources names; any other file is read by its path. */
export const MCP_RESOURCES_LISTED_MAX = 50;
