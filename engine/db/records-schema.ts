import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { id, threads, times, uuid, workspaceId } from "./schema.ts";

// The records of the built-in tools for a workspace. Todos and memories refer to their thread while it exists.

const threadReference = () => integer().references(() => threads.id, { onDelete: "set null" });

export const todos = sqliteTable(
  "todos",
  {
    id: id(),
    uuid: uuid(),
    workspaceId: workspaceId(),
    threadId: threadReference(),
    title: text().notNull(),
    status: text({ enum: ["open", "in_progress", "done"] }).notNull(),
    ...times,
  },
  (table) => [
    index("todos_workspace").on(table.workspaceId, table.updatedAt),
    index("todos_thread").on(table.threadId),
  ],
);

export const memories = sqliteTable(
  "memories",
  {
    id: id(),
    uuid: uuid(),
    workspaceId: workspaceId(),
    threadId: threadReference(),
    content: text().notNull(),
    ...times,
  },
  (table) => [
    index("memories_workspace").on(table.workspaceId, table.updatedAt),
    index("memories_thread").on(table.threadId),
  ],
);

export const notes = sqliteTable(
  "notes",
  {
    id: id(),
    uuid: uuid(),
    workspaceId: workspaceId(),
    title: text().notNull(),
    content: text().notNull(),
    ...times,
  },
  (table) => [index("notes_workspace").on(table.workspaceId, table.updatedAt)],
);

export const contacts = sqliteTable(
  "contacts",
  {
    id: id(),
    uuid: uuid(),
    workspaceId: workspaceId(),
    name: text().notNull(),
    email: text(),
    phone: text(),
    notes: text(),
    ...times,
  },
  (table) => [index("contacts_workspace").on(table.workspaceId, table.updatedAt)],
);
