import { Batch } from "../../shared/batch.ts";
import { toIsoTime } from "../../shared/clock.ts";
import type { EngineDeps } from "../deps.ts";
import { orNotFound } from "../errors.ts";
import { addMessage } from "./store.ts";
import { type CreateMessage, type Message, toMessageCreated } from "./wire.ts";

export interface AppendOptions {
  /** Whether the thread's `updatedAt` moves. */
  touchesThread: boolean;
  /** Adds what commits together with the message. */
  alongside?: ((batch: Batch, messageUuid: string) => void) | undefined;
}

/**
 * Stores a message, then publishes `message.created`.
 * @throws EngineError `not_found` if the thread does not exist.
 */
export async function appendMessage(
  deps: Pick<EngineDeps, "db" | "clock" | "events">,
  input: CreateMessage,
  { touchesThread, alongside }: AppendOptions = { touchesThread: true },
): Promise<Message> {
  const now = toIsoTime(deps.clock.now());
  const uuid = crypto.randomUUID();
  const batch = new Batch();
  const stored = addMessage(batch, { ...input, touchesThread, uuid, now });
  alongside?.(batch, uuid);
  await batch.run(deps.db);
  const message = orNotFound(stored(), "Thread");
  deps.events.publish(toMessageCreated(message));
  return message;
}
