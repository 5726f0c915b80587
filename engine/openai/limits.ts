/** The OpenAI-compatible interface. */

/** A comment on a stream that is silent. */
export const DOOR_COMMENT_INTERVAL_MS = 15_000;
/** Messages of one request to a workspace, and the length of `X-Thread`. */
export const CONVERSATION_MESSAGES_MAX = 2_000;
export const THREAD_LABEL_CHARACTERS_MAX = 256;
