import { z } from "zod";
import { MESSAGE_ROLES } from "../db/schema.ts";
import type { MessageOf } from "./event.ts";

const workspaceUuid = z.string().describe("The uuid of the workspace.");
const threadUuid = z.string().describe("The uuid of the thread.");
const turnUuid = z.string().describe("The uuid of the turn.");
const changed = z.array(z.string()).describe("The names of the fields, as the API spells them.");
const state = z.string().describe("The new state.");
const nullableCount = z.number().int().nullable();
const inWorkspace = z.object({ workspaceUuid });
const ofThread = z.object({ threadUuid, workspaceUuid });
const ofModel = z.object({ modelId: z.string().describe("The id of the model configuration.") });
const ofTool = z.object({ toolUuid: z.string().describe("The uuid of the configured tool.") });
const ofApproval = z.object({
  approvalUuid: z.string().describe("The uuid of the approval."),
  turnUuid,
  threadUuid,
});
const ofClientKey = z.object({ keyUuid: z.string().describe("The uuid of the client key.") });
const ofGrant = z.object({ grantUuid: z.string().describe("The uuid of the grant.") });
const ofRoot = z.object({
  workspaceUuid,
  rootIndex: z.number().int().describe("The position of the root in `directories`, from 0."),
});

/**
 * The data of each event of `GET /changes`, by its type: ids and names of what changed. No content is in it: no text of
 * a message, no title (a title can be message text), no value of a setting, no credential.
 */
export const changeEvents = {
  "workspace.created": inWorkspace.describe("A workspace was created."),
  "workspace.updated": inWorkspace.extend({ changed }).describe("Fields of a workspace changed."),
  "workspace.deleted": inWorkspace.describe(
    "A workspace was deleted, with its threads and records.",
  ),
  "thread.created": ofThread.describe("A thread was created."),
  "thread.updated": ofThread.extend({ changed }).describe("Fields of a thread changed."),
  "thread.deleted": ofThread.describe("A thread was deleted, with its messages."),
  "message.created": z
    .object({
      messageUuid: z.string().describe("The uuid of the message."),
      threadUuid,
      role: z.enum(MESSAGE_ROLES).describe("Who wrote it."),
    })
    .describe("A message was stored."),
  "settings.updated": z
    .object({
      keys: z
        .array(z.string())
        .nullable()
        .describe("The keys; null where they are too many or too long to name."),
    })
    .describe("Settings were stored."),
  "model.created": ofModel.describe("A model configuration was created."),
  "model.updated": ofModel.extend({ changed }).describe("Fields of a model configuration changed."),
  "model.deleted": ofModel.describe("A model configuration was deleted."),
  "tool.created": ofTool.describe("A configured tool was created."),
  "tool.updated": ofTool.extend({ changed }).describe("Fields of a configured tool changed."),
  "tool.deleted": ofTool.describe("A configured tool was deleted."),
  "turn.updated": z
    .object({ turnUuid, threadUuid, workspaceUuid, state })
    .describe("The state of a turn changed."),
  "approval.requested": ofApproval.describe("An approval of a tool call is requested."),
  "approval.settled": ofApproval
    .extend({ state })
    .describe("An approval of a tool call is settled."),
  "clientKey.created": ofClientKey.describe("A client key was made."),
  "clientKey.deleted": ofClientKey.describe("A client key was revoked."),
  "grant.created": ofGrant.describe("An approval is remembered from now on."),
  "grant.deleted": ofGrant.describe("An approval is no longer remembered."),
  "rag.progress": ofRoot
    .extend({
      phase: z.string().describe("The step of the run."),
      done: z.number().int().describe("How many files or pieces are done."),
      total: nullableCount.describe("How many there are; null until that is known."),
      filesDone: z.number().int().describe("How many files of the root are done."),
      filesTotal: nullableCount.describe(
        "How many files the root has; null until they are counted.",
      ),
    })
    .describe("The progress of an index run of a root."),
  "rag.completed": ofRoot
    .extend({ state: z.enum(["completed", "failed", "cancelled"]).describe("The new state.") })
    .describe("An index run of a root ended."),
};

/** An event of `GET /changes`. */
export type Change = MessageOf<typeof changeEvents>;

/** Whether a change deletes the thread or the workspace that something belongs to. */
export function isDeletionOf(
  { type, data }: Change,
  place: { threadUuid?: string | undefined; workspaceUuid?: string | undefined },
): boolean {
  if (type === "thread.deleted") return data.threadUuid === place.threadUuid;
  return type === "workspace.deleted" && data.workspaceUuid === place.workspaceUuid;
}

/** The names of the fields in which two states of an object differ. */
export function changedFields<Fields extends object>(before: Fields, after: Fields): string[] {
  const names = Object.keys(after) as (string & keyof Fields)[];
  return names.filter((name) => before[name] !== after[name]);
}
