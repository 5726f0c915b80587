import { toIsoTime } from "../../shared/clock.ts";
import type { EngineDeps } from "../deps.ts";
import { notFound } from "../errors.ts";
import { insertMessage } from "./store.ts";
import { type CreateMessage, type Message, toMessageCreated } from "./wire.ts";

interface AppendOptions {
  /** Whether the thread's `updatedAt` moves. */
  touchesThread: boolean;
  /** What the row keeps of the turn that the message begins or ends. */
  turn?: string | null;
}

/**
 * Stores a message, then publishes `message.created`.
 * @throws EngineError `not_found` where the thread does not exist.
 */
export async function appendMessage(
  deps: Pick<EngineDeps, "db" | "clock" | "events">,
  input: CreateMessage,
  options: AppendOptions = { touchesThread: true },
): Promise<Message> {
  const now = toIsoTime(deps.clock.now());
  const uuid = crypto.randomUUID();
  const message = await insertMessage(deps.db, { ...input, ...options, uuid, now });
  if (!message) throw notFound("Thread");
  deps.events.publish(toMessageCreated(message));
  return message;
}
