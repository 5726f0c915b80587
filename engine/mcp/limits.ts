/** Servers of the Model Context Protocol: connections, lists, calls. */

import { KIB, MIB } from "../../shared/units.ts";

/** Servers that one turn or one listing connects to; later ones, by alias, are left out and say so. */
export const MCP_SERVERS_MAX = 16;
/** From the first request to the list of tools. */
export const MCP_CONNECT_MS_MAX = 10_000;
/** How long a turn waits for a server before its first step; a later one offers its tools from the next step on. */
export const MCP_UNKNOWN_SERVER_WAIT_MS = 3_000;
/** The same for a server that failed when it was last asked. */
export const MCP_FAILED_SERVER_WAIT_MS = 250;
export const MCP_CALL_MS_MAX = 60_000;
/** How long the end of a session is announced to its server. */
export const MCP_GOODBYE_MS_MAX = 1_000;
/** All that one response brings, a stream of events included. */
export const MCP_RESPONSE_BYTES_MAX = 4 * MIB;
/** Lines of one stream of events. */
export const MCP_EVENT_LINES_MAX = 40_000;
/** Tools of one page of a list, or parts of one result. */
export const MCP_LISTED_MAX = 2_000;
/** Values of all of them together, such as the properties of their schemas. */
export const MCP_LISTED_VALUES_MAX = 50_000;
/** What is handed on of a response before others have their turn: a flood of small events takes about 20 ms. */
export const MCP_SLICE_BYTES = 2 * KIB;
/** Streams that a session opens for what its server has to say; after that it counts as a server without one. */
export const MCP_STREAMS_MAX = 64;
/** Requests of a server that are answered in one session. */
export const MCP_ANSWERS_MAX = 100;
export const MCP_REDIRECTS_MAX = 3;

export const MCP_TOOLS_MAX = 128;
export const MCP_LIST_PAGES_MAX = 16;
export const MCP_TOOL_NAME_CHARACTERS_MAX = 128;
export const MCP_DESCRIPTION_BYTES_MAX = 2 * KIB;
/** A tool whose schema is longer as JSON is left out. */
export const MCP_SCHEMA_BYTES_MAX = 16 * KIB;
/** All descriptions and schemas of one server; further tools are left out. */
export const MCP_TOOLS_BYTES_MAX = 256 * KIB;

export const MCP_RESULT_BYTES_MAX = 256 * KIB;
export const MCP_IMAGES_MAX = 4;
export const MCP_PROBLEM_CHARACTERS_MAX = 500;
/** What a server says of its progress: at most so often, and so long. */
export const MCP_PROGRESS_MS_MIN = 250;
export const MCP_PROGRESS_CHARACTERS_MAX = 500;

/** The longest name that every provider takes for a tool. */
export const OFFERED_NAME_CHARACTERS_MAX = 64;
export const SERVER_NAME_CHARACTERS_MAX = 24;
/** Values shorter than this are not searched for in what a server sends: they would mangle plain words. */
export const SECRET_CHARACTERS_MIN = 6;
