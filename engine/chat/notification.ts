import { describeIssues } from "../../shared/http/issues.ts";
import { invalid, publicMessage } from "../errors.ts";
import type { Peer } from "./peer.ts";
import type { ChatDeps } from "./ports.ts";
import { recordMessage } from "./transcript.ts";
import { ChatNotification } from "./wire.ts";

/** `chat.notification`: stores a system message and runs no agent (Engine §2, message roles 4). */
export async function handleNotification(
  deps: ChatDeps,
  peer: Peer,
  { id, data }: { id: string; data: unknown },
): Promise<void> {
  try {
    const { content, thread_uuid } = parseNotification(data);
    const input = { threadUuid: thread_uuid, role: "system" as const, content };
    const { uuid } = await recordMessage(deps, peer, input);
    const done = { thread_uuid, message_uuid: uuid };
    peer.send({ type: "chat.notification.done", id, data: done });
  } catch (error) {
    deps.log.warn({ error }, "A notification was not stored.");
    peer.send({ type: "chat.notification.error", id, data: { error: publicMessage(error) } });
  }
}

function parseNotification(data: unknown): ChatNotification {
  const parsed = ChatNotification.safeParse(data);
  if (parsed.success) return parsed.data;
  throw invalid(`The notification is not valid: ${describeIssues(parsed.error.issues)}.`);
}
