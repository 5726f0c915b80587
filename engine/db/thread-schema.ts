import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { id, messages, threads } from "./schema.ts";

/** Where the threads that are copies of others came from. Uuids, since an origin may be deleted before its forks. */
export const forks = sqliteTable(
  "forks",
  {
    id: id(),
    threadId: integer()
      .notNull()
      .unique()
      .references(() => threads.id, { onDelete: "cascade" }),
    originUuid: text().notNull(),
    /** The last message of the origin that was copied; null if none was. */
    throughMessageUuid: text(),
    /** The message of the origin that was replaced, and the one in its place; null for a plain fork. */
    replacedMessageUuid: text(),
    replacementMessageUuid: text(),
    createdAt: text().notNull(),
  },
  (table) => [index("forks_origin").on(table.originUuid)],
);

/** The files that came with messages. Their bytes are below the data directory, each once (`engine/messages/attachment-files.ts`). */
export const attachments = sqliteTable(
  "attachments",
  {
    id: id(),
    messageId: integer()
      .notNull()
      .references(() => messages.id, { onDelete: "cascade" }),
    /** From 0, in the order of the message. */
    position: integer().notNull(),
    name: text().notNull(),
    mediaType: text().notNull(),
    /** In bytes. */
    size: integer().notNull(),
    /** SHA-256 of the bytes, in hexadecimal: the name of the file. */
    hash: text().notNull(),
  },
  (table) => [
    index("attachments_message").on(table.messageId),
    index("attachments_hash").on(table.hash),
  ],
);

/**
 * Where the history of a long thread begins, and the summary of what is before that. Messages are named by `created_at`, which no two
 * of a thread share and which a copy keeps.
 */
export const threadSummaries = sqliteTable("thread_summaries", {
  id: id(),
  threadId: integer()
    .notNull()
    .unique()
    .references(() => threads.id, { onDelete: "cascade" }),
  /** The last message that models get no longer as it is. */
  historyAfter: text().notNull(),
  /** Null until a summary succeeded. */
  text: text(),
  tokens: integer(),
  /** The last message that the text covers: `history_after`, or one before that if a later summary failed. */
  coversThrough: text(),
  createdAt: text().notNull(),
});
