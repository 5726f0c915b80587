import { type AppendOptions, appendMessage } from "../messages/append.ts";
import { type Message, toMessageCreated } from "../messages/wire.ts";
import type { BroadcastFrame } from "./frames.ts";
import type { Peer } from "./peer.ts";
import type { ChatDeps } from "./ports.ts";

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
