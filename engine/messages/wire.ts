import { z } from "@hono/zod-openapi";
import { MESSAGE_ROLES } from "../db/schema.ts";
import type { EngineEvent } from "../events/event.ts";
import { wellFormedText } from "../http/wire.ts";

const Role = z.enum(MESSAGE_ROLES);

export const Message = z
  .object({
    uuid: z.string(),
    threadUuid: z.string(),
    role: Role,
    content: z.string(),
    createdAt: z.iso.datetime(),
  })
  .openapi("Message");
export type Message = z.infer<typeof Message>;

export const CreateMessage = z
  .object({ threadUuid: z.string(), role: Role, content: wellFormedText })
  .openapi("CreateMessage");
export type CreateMessage = z.infer<typeof CreateMessage>;

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
