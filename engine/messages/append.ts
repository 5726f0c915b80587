import { toIsoTime } from "../../shared/clock.ts";
import type { EngineDeps } from "../deps.ts";
import { notFound } from "../errors.ts";
import { insertMessage } from "./store.ts";
import type { CreateMessage, Message } from "./wire.ts";

export interface AppendOptions {
  /** Whether the thread's `updatedAt` moves. */
  touchesThread: boolean;
}

/**
 * Stores a message, then publishes `message.created`.
 * @throws EngineError `not_found` where the thread is not there.
 */
export async function appendMessage(
  deps: Pick<EngineDeps, "db" | "clock" | "events">,
  input: CreateMessage,
  { touchesThread }: AppendOptions = { touchesThread: true },
): Promise<Message> {
  const now = toIsoTime(deps.clock.now());
  const uuid = crypto.randomUUID();
  const message = await insertMessage(deps.db, { ...input, uuid, now, touchesThread });
  if (!message) throw notFound("Thread");
  const { threadUuid: threadId, role, content } = message;
  deps.events.publish({
    type: "message.created",
    data: { messageId: uuid, threadId, role, content },
  });
  return message;
}
