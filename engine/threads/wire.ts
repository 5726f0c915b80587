import { z } from "@hono/zod-openapi";
import type { ThreadRow } from "../db/schema.ts";
import type { EngineEvent } from "../events/event.ts";
import { PageQuery } from "../http/page.ts";
import { storedText } from "../http/wire.ts";
import { TITLE_QUERY_CHARACTERS_MAX } from "../limits.ts";

const optionalText = storedText.nullish();

export const Thread = z
  .object({
    id: z.number().int(),
    uuid: z.string(),
    workspaceUuid: z.string(),
    title: z.string().nullable(),
    description: z.string().nullable(),
    defaultModelId: z.string().nullable(),
    toolsConfig: z.string().nullable(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .openapi("Thread");
export type Thread = z.infer<typeof Thread>;

export const CreateThread = z
  .object({
    workspaceUuid: storedText,
    title: optionalText,
    description: optionalText,
    defaultModelId: optionalText,
    toolsConfig: optionalText,
  })
  .openapi("CreateThread");
export type CreateThread = z.infer<typeof CreateThread>;

/** Patch-like: an omitted field stays, an explicit null clears (Engine §2, workspace semantics 3). */
export const UpdateThread = CreateThread.omit({ workspaceUuid: true }).openapi("UpdateThread");
export type UpdateThread = z.infer<typeof UpdateThread>;

/** The chat settings of a thread. They are not part of its REST object. */
export const ThreadPolicy = z
  .object({ approvalConfig: z.string().nullable(), skillsConfig: z.string().nullable() })
  .openapi("ThreadPolicy");

export const ReplaceThreadPolicy = z
  .object({ approvalConfig: optionalText, skillsConfig: optionalText })
  .openapi("ReplaceThreadPolicy");

/** Which threads of a workspace are listed; all where nothing is given. */
export const ThreadsQuery = PageQuery.extend({
  /** In the address of a next page: when the thread of `before` was updated. */
  at: z.string().optional(),
  query: z.string().max(TITLE_QUERY_CHARACTERS_MAX).optional(),
});

/** A thread with the uuid of the workspace that it belongs to. */
export type ThreadInWorkspace = ThreadRow & { workspaceUuid: string };

export function toThread(row: ThreadInWorkspace): Thread {
  return {
    id: row.id,
    uuid: row.uuid,
    workspaceUuid: row.workspaceUuid,
    title: row.title,
    description: row.description,
    defaultModelId: row.defaultModelId,
    toolsConfig: row.toolsConfig,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
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
