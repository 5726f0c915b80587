/** Attachments of messages. */

/** Files that are looked at between two turns of the event loop while unused ones are removed. */
export const ATTACHMENT_FILES_PER_LOOK = 256;
