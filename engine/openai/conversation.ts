import { sha256, toHex } from "../../shared/bytes.ts";
import { isJsonObject } from "../../shared/json.ts";
import type { SentMessage } from "./completion-request.ts";
import { badField } from "./errors.ts";
import { CONVERSATION_MESSAGES_MAX } from "./limits.ts";

/** A message as a thread has it. */
export interface SpokenMessage {
  role: "user" | "assistant";
  content: string;
}

/** A file that came with the question, as a turn takes it. */
interface SentFile {
  name: string;
  media_type: string;
  /** In base64. */
  data: string;
}

/** What a client sent, in the parts of a turn. */
export interface Conversation {
  /** The texts of all system messages. */
  instructions: string;
  /** What was said before the question. */
  earlier: SpokenMessage[];
  question: string;
  files: SentFile[];
}

/**
 * Reads the messages of a request to a workspace. Calls of a client's own tools, and their results, are no part of a thread.
 * @throws OpenAiError 400 that names the field
 */
export function toConversation(messages: readonly SentMessage[]): Conversation {
  if (messages.length > CONVERSATION_MESSAGES_MAX) {
    throw badField("messages", `must have at most ${CONVERSATION_MESSAGES_MAX} items`);
  }
  const instructions: string[] = [];
  const spoken: SpokenMessage[] = [];
  let files: SentFile[] = [];
  for (const [at, message] of messages.entries()) {
    const param = `messages.${at}`;
    const { role } = message;
    if (role === "tool" || role === "function") continue;
    const content = toText(message, param);
    if (role === "system" || role === "developer") instructions.push(content);
    else if (role === "user") {
      spoken.push({ role, content });
      files = toFiles(message, param);
    } else if (role === "assistant") {
      if (content !== "") spoken.push({ role, content });
    } else throw badField(`${param}.role`, "is not known");
  }
  const question = spoken.pop();
  if (question?.role !== "user") throw badField("messages", "must end with a user message");
  return {
    instructions: instructions.join("\n\n"),
    earlier: spoken,
    question: question.content,
    files,
  };
}

/** What equal conversations have in common. */
export async function hashConversation(messages: readonly SpokenMessage[]): Promise<string> {
  return toHex(await sha256(JSON.stringify(messages.map(({ role, content }) => [role, content]))));
}

/** `X-Thread` names the thread: only what follows the last answer is new. */
export function newestOf({ earlier }: Conversation): SpokenMessage[] {
  return earlier.slice(earlier.findLastIndex(({ role }) => role === "assistant") + 1);
}

type Part = Readonly<Record<string, unknown>>;

function partsOf({ content }: SentMessage, param: string): Part[] {
  if (content === null || content === undefined) return [];
  if (typeof content === "string") return [{ type: "text", text: content }];
  if (Array.isArray(content) && content.every(isJsonObject)) return content;
  throw badField(`${param}.content`, "must be a text or a list of parts");
}

function toText(message: SentMessage, param: string): string {
  return partsOf(message, param)
    .flatMap(({ text, refusal }) => [text, refusal].filter((said) => typeof said === "string"))
    .join("\n")
    .toWellFormed();
}

const DATA_URL = /^data:([a-z0-9.+/-]+)(?:;[a-z0-9=.-]+)*;base64,/i;

/** The engine opens nothing that a part names, so a file is in its part whole. */
function toFiles(message: SentMessage, param: string): SentFile[] {
  return partsOf(message, param).flatMap((part, at): SentFile[] => {
    const name = `${param}.content.${at}`;
    const number = at + 1;
    switch (part.type) {
      case "text":
        return [];
      case "image_url": {
        const url = isJsonObject(part.image_url) ? part.image_url.url : part.image_url;
        return [fromDataUrl(url, { param: `${name}.image_url.url`, filename: `image-${number}` })];
      }
      case "file": {
        const file = isJsonObject(part.file) ? part.file : {};
        const filename = typeof file.filename === "string" ? file.filename : `file-${number}`;
        return [fromDataUrl(file.file_data, { param: `${name}.file.file_data`, filename })];
      }
      case "input_audio": {
        const { data, format } = isJsonObject(part.input_audio) ? part.input_audio : {};
        const type = format === "mp3" ? "mpeg" : "wav";
        const filename = `audio-${number}.${type}`;
        return [{ name: filename, media_type: `audio/${type}`, data: String(data) }];
      }
      default:
        throw badField(`${name}.type`, "is not known");
    }
  });
}

function fromDataUrl(
  url: unknown,
  { param, filename }: { param: string; filename: string },
): SentFile {
  const found = typeof url === "string" ? DATA_URL.exec(url) : null;
  if (!found?.[1]) throw badField(param, "must be a data URL in base64");
  return {
    name: filename,
    media_type: found[1].toLowerCase(),
    data: String(url).slice(found[0].length),
  };
}
