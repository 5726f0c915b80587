/** Sockets and event streams: Engine §7 and §8.1. */

import { KIB, MIB } from "../../shared/units.ts";

export const SSE_QUEUE_EVENTS_MAX = 100;
export const FRAME_BYTES_MAX = 16 * MIB;
export const SOCKET_UNSENT_BYTES_MAX = 4 * MIB;
export const SOCKET_PING_INTERVAL_MS = 30_000;
/** A turn waits for its reader at this backlog, well below the one that closes the socket. */
export const SOCKET_BACKLOG_BYTES = 1 * MIB;
/** Frames of one tick that are sent together. */
export const SOCKET_CORKED_BYTES_MAX = 64 * KIB;
export const SOCKET_FRAMES_WAITING_MAX = 64;
export const SOCKET_CLOSE_WAIT_MS = 5_000;
/** The wait for close frames when the engine stops. */
export const SOCKET_GOODBYE_WAIT_MS = 500;
export const CLIENT_ID_CHARACTERS_MAX = 256;
/** Tools that one frame registers. */
export const UI_TOOLS_PER_FRAME_MAX = 100;
/** A frame of a client with an invalid token. Larger ones are not buffered. */
export const SOCKET_REFUSED_FRAME_BYTES_MAX = 1 * KIB;
