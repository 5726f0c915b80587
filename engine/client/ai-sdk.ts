import type { ChatTransport, UIMessage, UIMessageChunk } from "ai";
import type { ChatTurn, OnApproval } from "./chat.ts";
import type { EngineClient } from "./client.ts";
import { THREAD_TITLE_CHARACTERS_MAX, TOOL_RECORDS_READ_MAX } from "./limits.ts";
import { UiChunks } from "./ui-chunks.ts";
import { readUiMessages, type ToolRecord, toToolRecord } from "./ui-messages.ts";
import type { Message, StartTurn, Turn } from "./wire.generated.ts";

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
 * `toolsEnabled` and `fileContext`. `regenerate` and edits run in a fork, to which the chat points from then on; the thread before
 * stays as it is.
 */
export class RoundhouseChatTransport implements ChatTransport<UIMessage> {
  readonly resumeStreamIsReplay = true;
  readonly #options: ChatTransportOptions;
  readonly #threads = new Map<string, Promise<string>>();

  constructor(options: ChatTransportOptions) {
    this.#options = options;
  }

  /** @throws EngineError if the engine refuses the turn */
  async sendMessages({ trigger, messageId, chatId, messages, abortSignal, body }: Send) {
    const { client, onApproval } = this.#options;
    const question = messages.findLast(({ role }) => role === "user");
    const isAgain = trigger === "regenerate-message";
    const input = toInput(question);
    const threadUuid = await this.#threadOf(chatId, input.content);
    const replaced =
      question && (isAgain || messageId !== undefined)
        ? await this.#findReplaced(threadUuid, { question, messages, isAgain })
        : undefined;
    const more = body as Partial<StartTurn> | undefined;
    const options = { signal: abortSignal, onApproval };
    if (!replaced) {
      return this.#stream(chatId, client.chat({ ...more, ...input, threadUuid }, options));
    }
    // An edit has the files that the page shows. The stored ones are those of the question that is asked again.
    const fileContext = { attachments: [], ...more?.fileContext, ...input.fileContext };
    const replacement = isAgain ? more : { ...more, ...input, fileContext };
    const turn = client.chat({ ...replacement, threadUuid, replaces: replaced.uuid }, options);
    return this.#stream(chatId, turn);
  }

  /** The messages of a chat, for `useChat` after a reload; none for an unknown chat. */
  async loadMessages(chatId: string): Promise<UIMessage[]> {
    const threadUuid = await this.#findThread(chatId);
    return threadUuid === undefined ? [] : readUiMessages(this.#options.client, threadUuid);
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
    return this.#stream(chatId, client.follow(active.uuid, { signal: abortSignal, onApproval }));
  }

  /** The stored message of a question: by its uuid, else by its position. It may never have been stored. */
  async #findReplaced(
    threadUuid: string,
    asked: Pick<Send, "messages"> & { question: UIMessage; isAgain: boolean },
  ): Promise<Message | undefined> {
    const { question, messages, isAgain } = asked;
    const list = await this.#options.client.messages.list(threadUuid);
    const stored = list.filter(({ role }) => role === "user");
    const at = messages.filter(({ role }) => role === "user").length - 1;
    const found = stored.find(({ uuid }) => uuid === question.id) ?? stored[at];
    const { content } = toInput(question);
    if (!isAgain || found?.content === content) return found;
    // The page may not show the beginning of the chat.
    return stored.findLast((message) => message.content === content);
  }

  /** Resolves once the turn has begun. A turn in a fork moves its chat there. */
  async #stream(chatId: string, turn: ChatTurn): Promise<ReadableStream<UIMessageChunk>> {
    const { threadUuid } = await begunOf(turn);
    await this.#point(chatId, threadUuid);
    const chunks = new UiChunks((id) => this.#findRecord(threadUuid, id));
    const read = async function* () {
      for await (const event of turn) yield* chunks.of(event);
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
  async #findRecord(threadUuid: string, toolCallId: string): Promise<ToolRecord> {
    const limit = TOOL_RECORDS_READ_MAX;
    const messages = await this.#options.client.messages.list(threadUuid, { limit });
    const records = messages.filter(({ role }) => role === "tool").map(toToolRecord);
    return records.find(({ tool_call_id }) => tool_call_id === toolCallId) ?? {};
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
    // First: the chat of a thread may point to a fork of it.
    const scope = { key: SETTING, tag: chatId, client: workspaceUuid };
    const [setting] = await client.settings.list(scope);
    const uuids = [...(setting ? [setting.value] : []), ...(UUID.test(chatId) ? [chatId] : [])];
    for (const uuid of uuids) {
      const thread = await client.threads.get(uuid).catch(unlessMissing);
      if (thread) return thread.uuid;
    }
    return undefined;
  }

  async #begin(chatId: string, content: string): Promise<string> {
    const { client, workspaceUuid } = this.#options;
    const title = content.trim().slice(0, THREAD_TITLE_CHARACTERS_MAX) || undefined;
    const { uuid } = await client.threads.create({ workspaceUuid, title });
    await this.#store(chatId, uuid);
    return uuid;
  }

  async #point(chatId: string, threadUuid: string): Promise<void> {
    if ((await this.#threads.get(chatId)) === threadUuid) return;
    const isKnown = (await this.#findThread(chatId)) === threadUuid;
    if (!isKnown) await this.#store(chatId, threadUuid);
    this.#threads.set(chatId, Promise.resolve(threadUuid));
  }

  async #store(chatId: string, threadUuid: string): Promise<void> {
    const { client, workspaceUuid } = this.#options;
    const setting = { key: SETTING, tag: chatId, client: workspaceUuid, value: threadUuid };
    await client.settings.update([setting]);
  }
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const DATA_URL = /^data:[^,]{0,200};base64,/;

/** The turn as it begins. @throws what it fails with before that */
async function begunOf(turn: ChatTurn): Promise<Turn> {
  for await (const event of turn) if (event.type === "begin") return event.turn;
  return (await turn).turn;
}

function unlessMissing(error: unknown): undefined {
  if (Object(error).status !== 404) throw error;
}

/** The question of a message, with its files as attachments. @throws TypeError if a file is only linked */
function toInput(question: UIMessage | undefined): Pick<StartTurn, "content" | "fileContext"> {
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
