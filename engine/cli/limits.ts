// The numbers of the command line.

/** How long `stop` waits for the end of the engine. */
export const STOP_COMMAND_WAIT_MS = 10_000;
export const STOP_LOOK_INTERVAL_MS = 50;
/** How often the progress of an index run is read. */
export const PROGRESS_INTERVAL_MS = 200;
/** How wide a progress bar is at most. */
export const BAR_CHARACTERS_MAX = 40;
/** What `logs` shows, and how much of the file it reads for that. */
export const LOG_LINES_DEFAULT = 200;
export const LOG_LINES_MAX = 100_000;
export const LOG_READ_BYTES = 64 * 1024;
/** How often `logs -f` looks at the file. */
export const LOG_FOLLOW_INTERVAL_MS = 250;
/** What `search` shows. */
export const SEARCH_RESULTS_DEFAULT = 10;
export const SEARCH_RESULTS_MAX = 50;
/** What `search` shows of each result. */
export const SEARCH_SHOWN_LINES_MAX = 3;
