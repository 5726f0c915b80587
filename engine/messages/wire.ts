import { z } from "@hono/zod-openapi";
import { MESSAGE_ROLES } from "../db/schema.ts";
import type { EngineEvent } from "../events/event.ts";
import { field, object } from "../http/fields.ts";
import { wellFormedText, withTextsOf } from "../http/wire.ts";

const Role = z.enum(MESSAGE_ROLES);

export const Message = object({
  uuid: field.text("The uuid of the message."),
  threadUuid: field.text("The uuid of its thread."),
  role: Role.describe("Who wrote it; `tool` is the record of a tool call."),
  content: field.text("The text; of a `tool` message a ToolRecord as JSON."),
  createdAt: field.time("When it was stored, ISO-8601 in UTC."),
}).openapi("Message", { description: "A message of a thread." });
export type Message = z.infer<typeof Message>;

export const CreateMessage = withTextsOf(Message, {
  threadUuid: z.string(),
  role: Role,
  content: wellFormedText,
}).openapi("CreateMessage", { description: "The fields of a new message." });
export type CreateMessage = z.infer<typeof CreateMessage>;

export const Attachment = object({
  name: field.text("The name of the file."),
  mediaType: field.text("Its media type, as it was sent."),
  size: field.integer("Its size in bytes."),
  url: field.text("The path of its bytes, from the root of the engine."),
}).openapi("Attachment", { description: "A file that came with a message." });

/** The event of a stored message; the broadcast frame has the same form. */
export function toMessageCreated({
  uuid,
  threadUuid,
  role,
  content,
}: Omit<Message, "createdAt">): Extract<EngineEvent, { type: "message.created" }> {
  return {
    type: "message.created",
    data: { messageId: uuid, threadId: threadUuid, role, content },
  };
}
