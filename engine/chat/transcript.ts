import { publicMessage } from "../errors.ts";
import { type AppendOptions, appendMessage } from "../messages/append.ts";
import { type Message, toMessageCreated } from "../messages/wire.ts";
import type { BroadcastFrame, Peer } from "./frames.ts";
import type { ChatDeps } from "./ports.ts";
import type { ChatNotification } from "./wire.ts";

/**
 * Stores a message of a conversation, then publishes it and broadcasts it to the other clients.
 * @throws EngineError `not_found` if the thread does not exist.
 */
export async function recordMessage(
  deps: Pick<ChatDeps, "db" | "clock" | "events">,
  peer: Peer,
  input: Pick<Message, "threadUuid" | "role" | "content">,
  alongside?: AppendOptions["alongside"],
): Promise<Message> {
  // Tool records do not count as activity of their thread (Engine §2, message roles 3).
  const touchesThread = input.role !== "tool";
  const message = await appendMessage(deps, input, { touchesThread, alongside });
  peer.broadcast(toMessageCreated(message));
  return message;
}

/** Publishes what is stored already, and broadcasts it to the other clients. */
export function announce(
  { events }: Pick<ChatDeps, "events">,
  peer: Peer,
  created: BroadcastFrame,
): void {
  events.publish(created);
  peer.broadcast(created);
}

/** `chat.notification`: stores a system message and runs no agent (Engine §2, message roles 4). */
export async function handleNotification(
  deps: ChatDeps,
  peer: Peer,
  { id, data }: { id: string; data: ChatNotification },
): Promise<void> {
  const { content, thread_uuid } = data;
  try {
    const input = { threadUuid: thread_uuid, role: "system" as const, content };
    const { uuid } = await recordMessage(deps, peer, input);
    const done = { thread_uuid, message_uuid: uuid };
    peer.send({ type: "chat.notification.done", id, data: done });
  } catch (error) {
    refuseNotification(deps, peer, { id, error });
  }
}

/** Answers a notification that is invalid or could not be stored. */
export function refuseNotification(
  { log }: ChatDeps,
  peer: Peer,
  { id, error }: { id: string; error: unknown },
): void {
  log.warn({ error }, "A notification was not stored.");
  peer.send({ type: "chat.notification.error", id, data: { error: publicMessage(error) } });
}
