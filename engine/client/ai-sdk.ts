import type { ChatTransport, UIMessage, UIMessageChunk } from "ai";
import type { ChatInput, ChatTurn, OnApproval } from "./chat.ts";
import type { EngineClient } from "./client.ts";
import { THREAD_TITLE_CHARACTERS_MAX, TOOL_RECORDS_READ_MAX } from "./limits.ts";
import { type ToolRecord, UiChunks } from "./ui-chunks.ts";
import type { StartTurn } from "./wire.generated.ts";

// `roundhouse/client/ai-sdk`: turns of the engine for `useChat` of the AI SDK.

/** Which chats a transport is for. */
export interface ChatTransportOptions {
  client: EngineClient;
  /** New chats begin a thread here. */
  workspaceUuid: string;
  /** Answers approvals; without it they are denied. */
  onApproval?: OnApproval;
}

type Send = Parameters<ChatTransport<UIMessage>["sendMessages"]>[0];
type Reconnect = Parameters<ChatTransport<UIMessage>["reconnectToStream"]>[0];

/** The setting that keeps the thread of a chat: `tag` is the id of the chat, `client` the workspace. */
const SETTING = "ai-sdk.thread";
const ACTIVE = ["running", "waiting"] as const;

/**
 * The transport of `useChat`. The id of a chat is that of a thread, or any other, which then has a thread of its own. A turn
 * continues if the page is closed; `resume` shows it again from its beginning. `body` of a message may have `modelId`,
 * `toolsEnabled` and `fileContext`. `regenerate` sends the last question again: threads keep every message.
 */
export class RoundhouseChatTransport implements ChatTransport<UIMessage> {
  readonly resumeStreamIsReplay = true;
  readonly #options: ChatTransportOptions;
  readonly #threads = new Map<string, Promise<string>>();

  constructor(options: ChatTransportOptions) {
    this.#options = options;
  }

  /** @throws EngineError if the engine refuses the turn */
  async sendMessages({ chatId, messages, abortSignal, body }: Send) {
    const { client, onApproval } = this.#options;
    const question = messages.findLast(({ role }) => role === "user");
    const input = { ...(body as Partial<StartTurn>), ...toInput(question) };
    const threadUuid = await this.#threadOf(chatId, input.content);
    return this.#stream(client.chat({ ...input, threadUuid }, { signal: abortSignal, onApproval }));
  }

  /** Null if no turn of the chat is active. */
  async reconnectToStream({ chatId, abortSignal }: Reconnect & { abortSignal?: AbortSignal }) {
    const { client, onApproval } = this.#options;
    const threadUuid = await this.#findThread(chatId);
    if (threadUuid === undefined) return null;
    const lists = await Promise.all(
      ACTIVE.map((state) => client.turns.listThread(threadUuid, { state })),
    );
    const active = lists.flat().find(({ source }) => source === "http");
    if (!active) return null;
    return this.#stream(client.follow(active.uuid, { signal: abortSignal, onApproval }));
  }

  /** Resolves once the turn has begun. */
  async #stream(turn: ChatTurn): Promise<ReadableStream<UIMessageChunk>> {
    const chunks = new UiChunks((id) => this.#findRecord(turn, id));
    const events = turn[Symbol.asyncIterator]();
    const first = await events.next();
    const read = async function* () {
      for (let next = first; !next.done; next = await events.next()) yield* chunks.of(next.value);
    };
    const reader = read();
    return new ReadableStream({
      async pull(stream) {
        const { done, value } = await reader.next();
        if (done) stream.close();
        else stream.enqueue(value);
      },
      // A page that stops reading does not stop the turn.
      cancel: () => void reader.return(undefined),
    });
  }

  /** The message of a tool call, which is stored before its event. */
  async #findRecord(turn: ChatTurn, toolCallId: string): Promise<ToolRecord> {
    const { client } = this.#options;
    for await (const event of turn) {
      if (event.type !== "begin") continue;
      const limit = TOOL_RECORDS_READ_MAX;
      const messages = await client.messages.list(event.turn.threadUuid, { limit });
      const records = messages.filter(({ role }) => role === "tool").map(toRecord);
      return records.find(({ tool_call_id }) => tool_call_id === toolCallId) ?? {};
    }
    return {};
  }

  /** The thread of a chat; its first question begins one, whose title it is. */
  #threadOf(chatId: string, content: string): Promise<string> {
    const known = this.#threads.get(chatId);
    if (known) return known;
    const found = this.#findThread(chatId).then((uuid) => uuid ?? this.#begin(chatId, content));
    this.#threads.set(chatId, found);
    found.catch(() => this.#threads.delete(chatId));
    return found;
  }

  async #findThread(chatId: string): Promise<string | undefined> {
    const { client, workspaceUuid } = this.#options;
    const known = this.#threads.get(chatId);
    if (known) return known;
    if (UUID.test(chatId)) {
      const thread = await client.threads.get(chatId).catch(unlessMissing);
      if (thread) return thread.uuid;
    }
    const scope = { key: SETTING, tag: chatId, client: workspaceUuid };
    const [setting] = await client.settings.list(scope);
    if (!setting) return undefined;
    const thread = await client.threads.get(setting.value).catch(unlessMissing);
    return thread?.uuid;
  }

  async #begin(chatId: string, content: string): Promise<string> {
    const { client, workspaceUuid } = this.#options;
    const title = content.trim().slice(0, THREAD_TITLE_CHARACTERS_MAX) || undefined;
    const { uuid } = await client.threads.create({ workspaceUuid, title });
    const setting = { key: SETTING, tag: chatId, client: workspaceUuid, value: uuid };
    await client.settings.update([setting]);
    return uuid;
  }
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const DATA_URL = /^data:[^,]{0,200};base64,/;

function unlessMissing(error: unknown): undefined {
  if (Object(error).status !== 404) throw error;
}

function toRecord({ content }: { content: string }): ToolRecord & { tool_call_id?: string } {
  return Object(JSON.parse(content));
}

/** The question of a message, with its files as attachments. @throws TypeError if a file is only linked */
function toInput(question: UIMessage | undefined): Pick<ChatInput, "content" | "fileContext"> {
  const parts = question?.parts ?? [];
  const content = parts.map((part) => (part.type === "text" ? part.text : "")).join("");
  const files = parts.filter((part) => part.type === "file");
  if (files.length === 0) return { content };
  const attachments = files.map(({ url, filename, mediaType }, at) => {
    if (!DATA_URL.test(url)) throw new TypeError("A file of a message must be a base64 data URL.");
    const data = url.slice(url.indexOf(",") + 1);
    return { name: filename ?? `file-${at + 1}`, mediaType, data };
  });
  return { content, fileContext: { attachments } };
}
