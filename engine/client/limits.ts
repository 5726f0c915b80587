// The numbers of the client.

/** How long `connect()` waits for a running engine to answer. */
export const CONNECT_WAIT_MS = 5_000;
/** How long a launched engine may take until it answers; the first start builds its bundle. */
export const LAUNCH_WAIT_MS = 60_000;
export const LAUNCH_LOOK_INTERVAL_MS = 25;
/** How long a launched engine may take to stop before it is killed. */
export const STOP_WAIT_MS = 10_000;
/** How much of what a launched engine writes to standard error is kept, for the error. */
export const LAUNCH_OUTPUT_CHARS_MAX = 4_096;
/** How long a broken stream waits until it is opened again: doubled with each failure, up to the second one. */
export const RECONNECT_WAIT_MS = 50;
export const RECONNECT_WAIT_MAX_MS = 5_000;
