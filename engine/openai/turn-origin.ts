import { describeIssues } from "../../shared/http/issues.ts";
import { type ClientOrigin, turnInput } from "../chat/wire.ts";
import { addMessage } from "../messages/store.ts";
import type { Message } from "../messages/wire.ts";
import type { Conversation, SpokenMessage } from "./conversation.ts";
import { OpenAiError } from "./errors.ts";
import { insertClientThreadStatement } from "./thread-store.ts";

/** What a client key's turn stores beside its question. */
interface Origin {
  key: ClientOrigin["key"];
  label: string | null;
  /** What was said before, and is not stored yet. */
  earlier: readonly SpokenMessage[];
}

/** A conversation as the input of a turn. @throws OpenAiError 400 */
export function toTurnInput({ question, files, instructions }: Conversation, origin: Origin) {
  const parsed = turnInput.file_context.safeParse(
    files.length > 0 ? { attachments: files } : undefined,
  );
  if (!parsed.success) {
    const message = `messages: ${describeIssues(parsed.error.issues.slice(0, 1))}.`;
    throw new OpenAiError(400, message, { param: "messages" });
  }
  return {
    content: question,
    tools_enabled: true,
    file_context: parsed.data,
    client: toClientOrigin(origin, instructions),
  };
}

function toClientOrigin({ key, label, earlier }: Origin, instructions: string): ClientOrigin {
  const { uuid: keyUuid, name } = key;
  return {
    key: { uuid: keyUuid, name },
    instructions,
    addTo(batch, { threadUuid, now }) {
      batch.add(insertClientThreadStatement({ threadUuid, keyUuid, label }));
      const stored = earlier.map(({ role, content }) => {
        const uuid = crypto.randomUUID();
        const message = { uuid, threadUuid, role, content, now };
        return addMessage(batch, { ...message, touchesThread: false });
      });
      return () => stored.map((read) => read()).filter((message): message is Message => !!message);
    },
  };
}
