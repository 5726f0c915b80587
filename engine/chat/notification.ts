import { publicMessage } from "../errors.ts";
import type { Peer } from "./peer.ts";
import type { ChatDeps } from "./ports.ts";
import { recordMessage } from "./transcript.ts";
import type { ChatNotification } from "./wire.ts";

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
