import { sql } from "drizzle-orm";
import {
  index,
  integer,
  primaryKey,
  real,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";

// The data model of engine.db. Times are ISO text, as on the wire. Sealed columns hold envelopes of the vault.

/** The author of a message (Engine §2, message roles). */
export const MESSAGE_ROLES = ["user", "assistant", "system", "tool"] as const;
/** What starts a turn. */
export const TURN_SOURCES = ["http", "websocket"] as const;
/** The states of a turn; one that is `waiting` waits for an approval. */
export const TURN_STATES = [
  "running",
  "completed",
  "cancelled",
  "failed",
  "interrupted",
  "waiting",
] as const;
/** Which calls a remembered approval covers: all of its tool, or those below a folder. */
export const GRANT_MATCHES = ["tool", "path"] as const;
/** The kinds of configured tools. */
export const TOOL_TYPES = ["script", "api", "mcp"] as const;
/** What a client key may use. */
export const CLIENT_SCOPES = ["models", "workspaces", "embeddings"] as const;

/** The columns that many tables have. */
const id = () => integer().primaryKey({ autoIncrement: true });
const uuid = () => text().notNull().unique();
const times = { createdAt: text().notNull(), updatedAt: text().notNull() };

/** The level above workspaces; not exposed (Engine §2, hierarchy). */
export const networks = sqliteTable("networks", {
  id: id(),
  uuid: uuid(),
  name: text().notNull(),
  defaultWorkspaceUuid: text(),
  createdAt: text().notNull(),
});

export const workspaces = sqliteTable(
  "workspaces",
  {
    id: id(),
    uuid: uuid(),
    networkId: integer()
      .notNull()
      .references(() => networks.id, { onDelete: "cascade" }),
    name: text().notNull(),
    description: text(),
    defaultModelId: text(),
    toolsConfig: text(),
    directories: text(),
    approvalConfig: text(),
    ragConfig: text(),
    skillsConfig: text(),
    /** What every turn is sent, and whether it gets the files for agents of its roots, too. */
    instructions: text(),
    useAgentsFile: integer({ mode: "boolean" }).notNull().default(false),
    ...times,
    /**
     * Set if the workspace is deleted; its rows are removed in slices (`engine/db/deleted-rows.ts`). No query returns
     * such a row or the rows below it. A deleted thread moves into a workspace that is already deleted.
     */
    deletedAt: text(),
  },
  (table) => [
    index("workspaces_network").on(table.networkId),
    // Partial, so that a page of the list never scans deleted rows.
    index("workspaces_name").on(table.name).where(sql`deleted_at IS NULL`),
    index("workspaces_deleted").on(table.deletedAt).where(sql`deleted_at IS NOT NULL`),
  ],
);

/** The workspace of a row, which is deleted with it. */
const workspaceId = () =>
  integer()
    .notNull()
    .references(() => workspaces.id, { onDelete: "cascade" });

export const threads = sqliteTable(
  "threads",
  {
    id: id(),
    uuid: uuid(),
    workspaceId: workspaceId(),
    title: text(),
    description: text(),
    defaultModelId: text(),
    toolsConfig: text(),
    approvalConfig: text(),
    skillsConfig: text(),
    /** The uuid of the first thread of its conversation, which may be deleted; null if the thread is no version of another one. */
    conversationUuid: text(),
    /** Whether the engine made the title: of the first question, or by a model. */
    titleByEngine: integer({ mode: "boolean" }).notNull().default(false),
    ...times,
  },
  (table) => [
    index("threads_workspace").on(table.workspaceId, table.updatedAt),
    // Partial, since most threads are no version of another one.
    index("threads_conversation")
      .on(table.conversationUuid)
      .where(sql`conversation_uuid IS NOT NULL`),
  ],
);

/** The thread of a row, which is deleted with it. */
const threadId = () =>
  integer()
    .notNull()
    .references(() => threads.id, { onDelete: "cascade" });

export const messages = sqliteTable(
  "messages",
  {
    id: id(),
    uuid: uuid(),
    threadId: threadId(),
    role: text({ enum: MESSAGE_ROLES }).notNull(),
    content: text().notNull(),
    createdAt: text().notNull(),
    /** Of a copy: the id of the first message that it is a copy of, which may be deleted. */
    sourceId: integer(),
  },
  (table) => [
    index("messages_thread").on(table.threadId, table.createdAt, table.id),
    index("messages_source").on(table.sourceId, table.threadId).where(sql`source_id IS NOT NULL`),
  ],
);

/** Where the threads that are copies of others came from. Uuids, since an origin may be deleted before its forks. */
export const forks = sqliteTable(
  "forks",
  {
    id: id(),
    threadId: threadId().unique(),
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
  threadId: threadId().unique(),
  /** The last message that models get no longer as it is. */
  historyAfter: text().notNull(),
  /** Null until a summary succeeded. */
  text: text(),
  tokens: integer(),
  /** The last message that the text covers: `history_after`, or one before that if a later summary failed. */
  coversThrough: text(),
  createdAt: text().notNull(),
});

/** The records of turns: inserted with the user message, updated at the end. */
export const turns = sqliteTable(
  "turns",
  {
    /** That of the user message: in the order in which turns began. */
    id: integer().primaryKey(),
    uuid: uuid(),
    threadId: threadId(),
    source: text({ enum: TURN_SOURCES }).notNull(),
    state: text({ enum: TURN_STATES }).notNull(),
    error: text(),
    partialText: text(),
    userMessageUuid: text().notNull(),
    assistantMessageUuid: text(),
    model: text().notNull(),
    inputTokens: integer(),
    outputTokens: integer(),
    /** A JSON array of names; null if nothing was left out. */
    omittedToolGroups: text(),
    /** A JSON array of uuids: remembered approvals by which calls ran; null if there were none. */
    grantUuids: text(),
    startedAt: text().notNull(),
    endedAt: text(),
    /** A part of `input_tokens`. */
    cachedInputTokens: integer(),
    /** What it sent to its model, and the passages in that, as JSON; null before its first request. */
    context: text(),
    sources: text(),
    /** The beginning of what its model thought, as text. */
    reasoning: text(),
  },
  (table) => [
    index("turns_thread").on(table.threadId),
    // Partial, since almost all turns are completed.
    index("turns_state").on(table.state).where(sql`state <> 'completed'`),
  ],
);

/**
 * Sums of the turns that have ended, by day, thread and model. Refers to no other table: what was used stays so when a thread is
 * deleted.
 */
export const usage = sqliteTable(
  "usage",
  {
    /** In UTC, of the beginning of the turns: `YYYY-MM-DD`. */
    day: text().notNull(),
    workspaceUuid: text().notNull(),
    threadUuid: text().notNull(),
    model: text().notNull(),
    turns: integer().notNull(),
    turnsWithoutUsage: integer().notNull(),
    inputTokens: integer(),
    outputTokens: integer(),
    cachedInputTokens: integer(),
  },
  (table) => [primaryKey({ columns: [table.day, table.threadUuid, table.model] })],
);

/**
 * Which messages full text search has: those with an id up to `upTo`. One row. The index itself is a virtual table that
 * only SQL can declare (`migrations/`); a trigger removes deleted messages from it.
 */
export const indexedMessages = sqliteTable("indexed_messages", {
  id: integer().primaryKey(),
  upTo: integer().notNull(),
});

export const settings = sqliteTable(
  "settings",
  {
    id: id(),
    key: text().notNull(),
    value: text().notNull(),
    tag: text(),
    client: text(),
  },
  (table) => [
    index("settings_key").on(table.key),
    // In UNIQUE, NULLs differ from each other; in a scope they are equal, and differ from "". (CASE, since drizzle-kit
    // cuts an expression at its commas.)
    uniqueIndex("settings_scope").on(
      table.key,
      sql`${table.tag} IS NULL`,
      sql`CASE WHEN ${table.tag} IS NULL THEN '' ELSE ${table.tag} END`,
      sql`${table.client} IS NULL`,
      sql`CASE WHEN ${table.client} IS NULL THEN '' ELSE ${table.client} END`,
    ),
  ],
);

export const modelConfigurations = sqliteTable("model_configurations", {
  /** In order of creation: "the first configuration whose model name matches". */
  position: id(),
  id: uuid(),
  provider: text().notNull(),
  model: text().notNull(),
  alias: text(),
  baseUrl: text(),
  region: text(),
  contextWindow: integer(),
  sealedApiKey: text(),
  sealedCloudAccessKeyId: text(),
  sealedCloudSecretAccessKey: text(),
  sealedCloudSessionToken: text(),
  /** Headers of requests to the provider: a JSON object. */
  sealedHeaders: text(),
  /** Sampling parameters; null is the provider's own. */
  temperature: real(),
  topP: real(),
  maxOutputTokens: integer(),
  ...times,
});

export const toolConfigurations = sqliteTable(
  "tool_configurations",
  {
    id: id(),
    uuid: uuid(),
    name: text().notNull(),
    alias: text(),
    description: text(),
    toolType: text({ enum: TOOL_TYPES }).notNull(),
    scriptPath: text(),
    scriptLanguage: text(),
    endpointUrl: text(),
    authType: text(),
    sealedAuthConfig: text(),
    status: text().notNull(),
    ...times,
  },
  (table) => [
    // The order of the list. (CASE, since drizzle-kit cuts an expression at its commas.)
    index("tool_configurations_shown_name").on(
      sql`CASE WHEN ${table.alias} IS NULL THEN ${table.name} ELSE ${table.alias} END`,
    ),
  ],
);

/** Approvals that are remembered: by a thread, or by all threads of a workspace. */
export const approvalGrants = sqliteTable(
  "approval_grants",
  {
    id: id(),
    uuid: uuid(),
    workspaceId: workspaceId(),
    threadId: integer().references(() => threads.id, { onDelete: "cascade" }),
    /** The MCP server of the tool. */
    toolId: integer().references(() => toolConfigurations.id, { onDelete: "cascade" }),
    toolName: text().notNull(),
    match: text({ enum: GRANT_MATCHES }).notNull(),
    /** A real path; null covers all calls of the tool. */
    pathPrefix: text(),
    /** SHA-256 in hex of the policies and the tool that the user knew. */
    fingerprint: text().notNull(),
    createdAt: text().notNull(),
    expiresAt: text(),
    lastUsedAt: text(),
  },
  (table) => [
    index("approval_grants_workspace").on(table.workspaceId),
    index("approval_grants_thread").on(table.threadId),
    index("approval_grants_tool").on(table.toolName),
    index("approval_grants_server").on(table.toolId),
  ],
);

/** Keys of other programs for the OpenAI-compatible interface. */
export const clientKeys = sqliteTable("client_keys", {
  id: id(),
  uuid: uuid(),
  name: text().notNull(),
  /** SHA-256 of the key, in hex. */
  keyHash: text().notNull().unique(),
  /** JSON arrays; a key without uuids reaches all workspaces. */
  scopes: text().notNull(),
  workspaceUuids: text(),
  createdAt: text().notNull(),
  expiresAt: text().notNull(),
  lastUsedAt: text(),
});

/** Threads that client keys began, by what finds them again: a label, or the messages so far. */
export const clientThreads = sqliteTable(
  "client_threads",
  {
    id: id(),
    threadId: threadId().unique(),
    /** A key that was deleted is found no more; its rows go with their threads. */
    keyId: integer().notNull(),
    label: text(),
    /** SHA-256 of the messages with the newest answer, as the client got it; null until there is one. */
    hash: text(),
    lastMessageUuid: text(),
  },
  (table) => [
    index("client_threads_hash").on(table.keyId, table.hash),
    index("client_threads_label").on(table.keyId, table.label),
  ],
);

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

export type WorkspaceRow = typeof workspaces.$inferSelect;
export type ThreadRow = typeof threads.$inferSelect;
export type MessageRow = typeof messages.$inferSelect;
export type ModelConfigurationRow = typeof modelConfigurations.$inferSelect;
export type ToolConfigurationRow = typeof toolConfigurations.$inferSelect;
export type ClientKeyRow = typeof clientKeys.$inferSelect;
