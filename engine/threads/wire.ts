import { z } from "@hono/zod-openapi";
import type { ThreadRow } from "../db/schema.ts";
import type { EngineEvent } from "../events/event.ts";
import { field, object } from "../http/fields.ts";
import { pageQuery } from "../http/page.ts";
import { optionalText, storedText, toWire, withTextsOf } from "../http/wire.ts";
import { TITLE_CHARACTERS_MAX, TITLE_QUERY_CHARACTERS_MAX } from "../limits.ts";
import { JSON_FIELDS } from "../policies/json-fields.ts";

export const Thread = object({
  id: field.integer("The number of the thread in the database."),
  uuid: field.text("The uuid of the thread."),
  workspaceUuid: field.text("The uuid of its workspace."),
  title: field.nullableText("The title; null until there is one."),
  description: field.nullableText("What the thread is about; null where there is none."),
  defaultModelId: field.nullableText(
    "The id of the model configuration of its turns; null is that of the workspace.",
  ),
  toolsConfig: z.string().nullable().meta(JSON_FIELDS.toolsConfig),
  createdAt: field.time("When it was created, ISO-8601 in UTC."),
  updatedAt: field.time("When it or its messages were last changed, ISO-8601 in UTC."),
}).openapi("Thread", { description: "A thread." });
export type Thread = z.infer<typeof Thread>;

export const CreateThread = withTextsOf(Thread, {
  workspaceUuid: storedText,
  title: optionalText,
  description: optionalText,
  defaultModelId: optionalText,
  toolsConfig: optionalText,
}).openapi("CreateThread", {
  description: "The fields of a new thread; one that is left out becomes null.",
});
export type CreateThread = z.infer<typeof CreateThread>;

/** Patch-like: an omitted field stays, an explicit null clears (Engine §2, workspace semantics 3). */
export const UpdateThread = CreateThread.omit({ workspaceUuid: true }).openapi("UpdateThread", {
  description: "The fields to change; one that is left out keeps its value, null clears it.",
});
export type UpdateThread = z.infer<typeof UpdateThread>;

export const ThreadPolicy = object({
  approvalConfig: z.string().nullable().meta(JSON_FIELDS.approvalConfig),
  skillsConfig: z.string().nullable().meta(JSON_FIELDS.skillsConfig),
}).openapi("ThreadPolicy", { description: "The approval policy and the skills of a thread." });

export const ReplaceThreadPolicy = withTextsOf(ThreadPolicy, {
  approvalConfig: optionalText,
  skillsConfig: optionalText,
}).openapi("ReplaceThreadPolicy", {
  description: "The new policy; a field that is left out becomes null.",
});

/** Which threads of a workspace are listed; all if nothing is given. */
export const ThreadsQuery = pageQuery({
  limit: "The number of threads at most: 1 to 1,000.",
  before: "The uuid of a thread of the list; the page has the threads after it.",
}).extend({
  at: z
    .string()
    .optional()
    .describe(
      "The `updatedAt` of that thread when its page was read; the `Link` header has it. 409 where the thread was updated since.",
    ),
  query: z
    .string()
    .max(TITLE_QUERY_CHARACTERS_MAX)
    .optional()
    .describe("A part of the title, compared without case."),
  versions: z
    .enum(["newest"])
    .optional()
    .describe(
      "`newest`: of a conversation and the forks that replaced a message of it, the newest-updated one alone.",
    ),
});

export type ThreadsQuery = z.infer<typeof ThreadsQuery>;

/** A thread with the uuid of the workspace that it belongs to. */
export type ThreadInWorkspace = ThreadRow & { workspaceUuid: string };

export function toThread(row: ThreadInWorkspace): Thread {
  return toWire(Thread, row);
}

/** The event of a stored thread; the broadcast frame has the same form. */
export function toThreadCreated({
  uuid,
  workspaceUuid,
  title,
}: ThreadInWorkspace): Extract<EngineEvent, { type: "thread.created" }> {
  return {
    type: "thread.created",
    data: { threadId: uuid, workspaceId: workspaceUuid, title },
  };
}

const TITLE_OF_BLANK_TEXT = "New conversation";

/** The title of an implicit thread: white space collapsed, cut at 60 code points (Engine §3, turn ordering 2). */
export function toTitle(text: string): string {
  // U+0000 counts as white space: the driver cuts a column's text there.
  const normal = text.replace(/[\s\0]+/g, " ").trim();
  if (normal === "") return TITLE_OF_BLANK_TEXT;
  // A code point has at most two UTF-16 units, so this prefix holds enough of them.
  const start = Array.from(normal.slice(0, TITLE_CHARACTERS_MAX * 2));
  return start.slice(0, TITLE_CHARACTERS_MAX).join("");
}
