import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { id, threads } from "./schema.ts";

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
