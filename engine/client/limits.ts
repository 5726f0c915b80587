// The numbers of the client.

/** How long `connect()` waits for a response of a running engine. */
export const CONNECT_WAIT_MS = 5_000;
/** How long a launched engine may take until it answers; the first start builds its bundle. */
export const LAUNCH_WAIT_MS = 60_000;
export const LAUNCH_LOOK_INTERVAL_MS = 25;
/** How long a launched engine may take to stop before it is killed. */
export const STOP_WAIT_MS = 10_000;
/** How many characters of the standard error of a launched engine are kept for the error. */
export const LAUNCH_OUTPUT_CHARS_MAX = 4_096;
/** How long a broken stream waits until it is opened again: doubled with each failure, up to the second one. */
export const RECONNECT_WAIT_MS = 50;
export const RECONNECT_WAIT_MAX_MS = 5_000;
/** How long a stream may be silent until its engine counts as gone, and how often that is checked. */
export const STREAM_SILENCE_MAX_MS = 45_000;
export const STREAM_SILENCE_LOOKS = 3;
/** How long calls and turns wait for an engine that is away, by default. */
export const RECONNECT_MS = 30_000;
/** How long a cancelled turn waits for its end. */
export const CANCEL_WAIT_MS = 5_000;
/** How many events of a turn wait for a slow reader, until pieces of text are put together. */
export const UNREAD_EVENTS_MAX = 1_000;
/** How many of the newest messages are looked through for a tool call. */
export const TOOL_RECORDS_READ_MAX = 100;
/** How much of the first question of a chat is the title of its thread, as the engine does. */
export const THREAD_TITLE_CHARACTERS_MAX = 60;
/** How many messages are asked for their attachments at the same time. */
export const ATTACHMENTS_READ_AT_ONCE = 8;
