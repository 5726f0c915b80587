import type { DynamicToolUIPart, FileUIPart, UIMessage } from "ai";
import { toBase64 } from "../../shared/bytes.ts";
import { parseJson } from "../../shared/json.ts";
import type { EngineClient } from "./client.ts";
import { ATTACHMENTS_READ_AT_ONCE } from "./limits.ts";
import type { Message, Turn } from "./wire.generated.ts";

type Parts = UIMessage["parts"];

/** What the thread stores of a tool call. */
export interface ToolRecord {
  tool_call_id?: string;
  tool_name?: string;
  status?: string;
  arguments?: unknown;
  result?: unknown;
  error?: string;
}

/** The record of a tool call; an empty one if the message is none. */
export function toToolRecord({ content }: { content: string }): ToolRecord {
  return Object(parseJson(content));
}

/**
 * The user and assistant messages of a thread, with tool calls as parts of the answer, and what was streamed of answers that were
 * stopped. A turn that still runs has its question alone: `resume` shows the rest.
 */
export async function readUiMessages(
  client: EngineClient,
  threadUuid: string,
): Promise<UIMessage[]> {
  const messages = await client.messages.list(threadUuid);
  const turns = await client.turns.listThread(threadUuid);
  const turnOf = new Map(turns.map((turn) => [turn.userMessageUuid, turn]));
  const files = await readFiles(client, messages);
  const shown: UIMessage[] = [];
  let parts: Parts = [];
  let turn: Turn | undefined;
  const endTurn = () => {
    const isActive = turn?.endedAt === null;
    if (turn?.partialText) parts.push({ type: "text", text: turn.partialText, state: "done" });
    if (turn && !isActive && parts.length > 0)
      shown.push({ id: turn.uuid, role: "assistant", parts });
    parts = [];
    turn = undefined;
  };
  for (const message of messages) {
    const { uuid: id, role, content } = message;
    if (role === "tool") parts.push(toToolPart(message));
    if (role === "user") {
      endTurn();
      turn = turnOf.get(id);
      const text = { type: "text" as const, text: content };
      shown.push({ id, role, parts: [...(files.get(id) ?? []), text] });
    }
    if (role === "assistant") {
      const text = { type: "text" as const, text: content, state: "done" as const };
      shown.push({ id, role, parts: [...parts, text] });
      parts = [];
    }
  }
  endTurn();
  return shown;
}

function toToolPart(message: Message): DynamicToolUIPart {
  const record = toToolRecord(message);
  const toolCallId = record.tool_call_id ?? message.uuid;
  const call = {
    type: "dynamic-tool" as const,
    toolName: record.tool_name ?? "tool",
    toolCallId,
    providerExecuted: true,
    input: record.arguments ?? {},
  };
  if (record.status === "completed") {
    return { ...call, state: "output-available", output: record.result ?? null };
  }
  if (record.status === "denied") {
    return { ...call, state: "output-denied", approval: { id: toolCallId, approved: false } };
  }
  return { ...call, state: "output-error", errorText: record.error ?? "The call failed." };
}

/** The files of the user messages, by the uuids of these. */
async function readFiles(
  client: EngineClient,
  messages: readonly Message[],
): Promise<Map<string, FileUIPart[]>> {
  const files = new Map<string, FileUIPart[]>();
  const left = messages.filter(({ role }) => role === "user").map(({ uuid }) => uuid);
  const readSome = async () => {
    for (let uuid = left.pop(); uuid !== undefined; uuid = left.pop()) {
      files.set(uuid, await readFilesOf(client, uuid));
    }
  };
  await Promise.all(Array.from({ length: ATTACHMENTS_READ_AT_ONCE }, readSome));
  return files;
}

async function readFilesOf(client: EngineClient, uuid: string): Promise<FileUIPart[]> {
  const parts: FileUIPart[] = [];
  for (const [at, { name, mediaType }] of (await client.messages.listAttachments(uuid)).entries()) {
    const blob = await client.messages.getAttachment(uuid, String(at));
    const url = `data:${mediaType};base64,${toBase64(new Uint8Array(await blob.arrayBuffer()))}`;
    parts.push({ type: "file", mediaType, filename: name, url });
  }
  return parts;
}
