import { appendMessage } from "../messages/append.ts";
import type { Message } from "../messages/wire.ts";
import type { Peer } from "./peer.ts";
import type { ChatDeps } from "./ports.ts";

type TranscriptDeps = Pick<ChatDeps, "db" | "clock" | "events">;

/**
 * Stores a message of a conversation over a connection, then publishes it and tells the other clients.
 * @throws EngineError `not_found` where the thread is not there.
 */
export async function recordMessage(
  deps: TranscriptDeps,
  peer: Peer,
  input: Pick<Message, "threadUuid" | "role" | "content">,
): Promise<Message> {
  // Tool records do not count as activity of their thread (Engine §2, message roles 3).
  const message = await appendMessage(deps, input, { touchesThread: input.role !== "tool" });
  broadcastMessage(peer, message);
  return message;
}

/** Tells the other clients of a message that is stored. */
export function broadcastMessage(
  peer: Peer,
  { uuid, threadUuid, role, content }: Pick<Message, "uuid" | "threadUuid" | "role" | "content">,
): void {
  const data = { messageId: uuid, threadId: threadUuid, role, content };
  peer.broadcast({ type: "message.created", data });
}
