import { z } from "@hono/zod-openapi";

const Role = z.enum(["user", "assistant", "system", "tool"]);

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
  .object({ threadUuid: z.string(), role: Role, content: z.string() })
  .openapi("CreateMessage");
export type CreateMessage = z.infer<typeof CreateMessage>;
