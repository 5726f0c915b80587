import type { InStatement } from "@libsql/client";
import { toIsoTime } from "../../shared/clock.ts";
import type { EngineDeps } from "../deps.ts";
import { notFound } from "../errors.ts";
import { insertMessage } from "./store.ts";
import { type CreateMessage, type Message, toMessageCreated } from "./wire.ts";

/** Statements that commit together with a message, by its uuid. */
export type BesideMessage = (messageUuid: string) => readonly InStatement[];

interface AppendOptions {
  /** Whether the thread's `updatedAt` moves. */
  touchesThread: boolean;
  beside?: BesideMessage | undefined;
}

/**
 * Stores a message, then publishes `message.created`.
 * @throws EngineError `not_found` where the thread does not exist.
 */
export async function appendMessage(
  deps: Pick<EngineDeps, "db" | "clock" | "events">,
  input: CreateMessage,
  { touchesThread, beside }: AppendOptions = { touchesThread: true },
): Promise<Message> {
  const now = toIsoTime(deps.clock.now());
  const uuid = crypto.randomUUID();
  const statements = beside?.(uuid) ?? [];
  const message = await insertMessage(deps.db, { ...input, uuid, now, touchesThread }, statements);
  if (!message) throw notFound("Thread");
  deps.events.publish(toMessageCreated(message));
  return message;
}
