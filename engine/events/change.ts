import { z } from "zod";
import { MESSAGE_ROLES } from "../db/schema.ts";
import type { PublishedEvent } from "./bus.ts";

const uuid = z.string();
/** Names of fields, as the API spells them. */
const changed = z.array(z.string());
const inWorkspace = z.object({ workspaceUuid: uuid });
const ofThread = z.object({ threadUuid: uuid, workspaceUuid: uuid });
const ofModel = z.object({ modelId: uuid });
const ofTool = z.object({ toolUuid: uuid });
const ofApproval = z.object({ approvalUuid: uuid, turnUuid: uuid, threadUuid: uuid });
const ofRoot = z.object({ workspaceUuid: uuid, rootIndex: z.number().int() });

/**
 * The data of each event of `GET /changes`, by its type: ids and names of what changed. No content is in it: no text of
 * a message, no title (a title can be message text), no value of a setting, no credential.
 */
export const changeEvents = {
  "workspace.created": inWorkspace,
  "workspace.updated": inWorkspace.extend({ changed }),
  "workspace.deleted": inWorkspace,
  "thread.created": ofThread,
  "thread.updated": ofThread.extend({ changed }),
  "thread.deleted": ofThread,
  "message.created": z.object({
    messageUuid: uuid,
    threadUuid: uuid,
    role: z.enum(MESSAGE_ROLES),
  }),
  /** The keys that were stored; null where they are too many or too long to name. */
  "settings.updated": z.object({ keys: z.array(z.string()).nullable() }),
  "model.created": ofModel,
  "model.updated": ofModel.extend({ changed }),
  "model.deleted": ofModel,
  "tool.created": ofTool,
  "tool.updated": ofTool.extend({ changed }),
  "tool.deleted": ofTool,
  "turn.updated": z.object({
    turnUuid: uuid,
    threadUuid: uuid,
    workspaceUuid: uuid,
    state: z.string(),
  }),
  "approval.requested": ofApproval,
  "approval.settled": ofApproval.extend({ state: z.string() }),
  "rag.progress": ofRoot.extend({
    phase: z.string(),
    done: z.number().int(),
    total: z.number().int().nullable(),
    filesDone: z.number().int(),
    filesTotal: z.number().int().nullable(),
  }),
  /** An index run of a root ended, whatever it did. */
  "rag.completed": ofRoot.extend({ state: z.enum(["completed", "failed", "cancelled"]) }),
};

/** An event of `GET /changes`. */
export type Change = {
  [Type in keyof typeof changeEvents]: { type: Type; data: z.infer<(typeof changeEvents)[Type]> };
}[keyof typeof changeEvents];

/** What every publisher of these events of `GET /stream` would repeat; the others name more than the event does. */
export function toChange(event: PublishedEvent): Change | undefined {
  switch (event.type) {
    case "thread.created": {
      const { threadId, workspaceId } = event.data;
      return { type: event.type, data: { threadUuid: threadId, workspaceUuid: workspaceId } };
    }
    case "message.created": {
      const { messageId, threadId, role } = event.data;
      return { type: event.type, data: { messageUuid: messageId, threadUuid: threadId, role } };
    }
    default:
      return undefined;
  }
}

/** The names of the fields in which two states of an object differ. */
export function changedFields<Fields extends object>(before: Fields, after: Fields): string[] {
  const names = Object.keys(after) as (string & keyof Fields)[];
  return names.filter((name) => before[name] !== after[name]);
}
