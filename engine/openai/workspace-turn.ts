import { describeIssues } from "../../shared/http/issues.ts";
import { isJsonObject, parseJson } from "../../shared/json.ts";
import { type ClientOrigin, turnInput } from "../chat/wire.ts";
import { readServerSentEvents } from "../client/server-sent-events.ts";
import type { ReachableWorkspace } from "../client-keys/store.ts";
import type { EngineDeps } from "../deps.ts";
import { conflict } from "../errors.ts";
import { addMessage } from "../messages/store.ts";
import type { Message } from "../messages/wire.ts";
import { listConfigurationHeads } from "../models/store.ts";
import { findDefaultModelId } from "../settings/store.ts";
import type { ActiveTurns } from "../turns/active-turns.ts";
import type { Turn } from "../turns/wire.ts";
import type { Caller } from "./caller.ts";
import { toCitations } from "./citations.ts";
import { type AnswerEnd, streamedAnswer, wholeAnswer } from "./completion-answer.ts";
import { type CompletionRequest, wantsUsage } from "./completion-request.ts";
import {
  type Conversation,
  hashConversation,
  newestOf,
  type SpokenMessage,
  toConversation,
} from "./conversation.ts";
import { OpenAiError } from "./errors.ts";
import {
  findContinued,
  findLabelled,
  insertClientThreadStatement,
  updateClientThread,
} from "./thread-store.ts";

type TurnDeps = Pick<EngineDeps, "db" | "timers" | "log">;

interface WorkspaceRequest {
  workspace: ReachableWorkspace;
  request: CompletionRequest;
  /** `X-Thread`. */
  label: string | undefined;
}

/** Workspaces as models: each request is a turn of an agent, with retrieval and tools. */
export class WorkspaceTurns {
  readonly #deps: TurnDeps;
  readonly #turns: ActiveTurns;
  /** Labels whose threads are being looked for or made. */
  readonly #starting = new Set<string>();

  constructor(deps: TurnDeps, turns: ActiveTurns) {
    this.#deps = deps;
    this.#turns = turns;
  }

  /**
   * Runs a turn and answers with it, streamed or whole. The turn goes on if the client leaves.
   * @throws OpenAiError 400; EngineError `conflict`, `not_found`, `too_many`
   */
  async answer(caller: Caller, asked: WorkspaceRequest): Promise<Response> {
    const { request } = asked;
    const conversation = toConversation(request.messages);
    const turn = await this.#start(caller, asked, conversation);
    if (caller.call.signal.aborted) await this.#turns.cancelOfKey(caller.key.uuid);
    const { earlier, question } = conversation;
    const spoken: SpokenMessage[] = [...earlier, { role: "user", content: question }];
    const end = (onText: (text: string) => void) => this.#untilEnd(turn, spoken, onText);
    const head = {
      id: `chatcmpl-${turn.uuid}`,
      created: Math.floor(Date.parse(turn.startedAt) / 1000),
      model: request.model,
    };
    const headers = { "X-Thread-Uuid": turn.threadUuid };
    if (request.stream !== true) return wholeAnswer(head, await end(() => {}), headers);
    return streamedAnswer(this.#deps, { head, end, hasUsage: wantsUsage(request) }, headers);
  }

  async #start(
    { key }: Caller,
    { workspace, label }: WorkspaceRequest,
    conversation: Conversation,
  ): Promise<Turn> {
    const place = { keyUuid: key.uuid, workspaceUuid: workspace.uuid };
    using _claim = this.#claim(label && JSON.stringify([place, label]));
    const { db } = this.#deps;
    const threadUuid =
      label === undefined
        ? await findContinued(db, { ...place, hash: await hashConversation(conversation.earlier) })
        : await findLabelled(db, { ...place, label });
    const isNew = threadUuid === undefined;
    const unstored = label === undefined ? [] : newestOf(conversation);
    return await this.#turns.start({
      ...(isNew ? { workspace_uuid: workspace.uuid } : { thread_uuid: threadUuid }),
      model_id: isNew ? await findFallbackModelId(db, workspace) : null,
      ...toTurnInput(conversation, {
        key,
        label: label ?? null,
        earlier: isNew ? conversation.earlier : unstored,
      }),
    });
  }

  /** Two requests must not make two threads of one label. @throws EngineError `conflict` */
  #claim(name: string | undefined): Disposable {
    if (name === undefined) return { [Symbol.dispose]() {} };
    if (this.#starting.has(name)) throw conflict("A turn of this thread is starting.");
    this.#starting.add(name);
    return { [Symbol.dispose]: () => void this.#starting.delete(name) };
  }

  /**
   * Follows a turn to its end. What its thread is found by is stored before the client can ask again.
   * @throws OpenAiError if it did not complete
   */
  async #untilEnd(
    { uuid, threadUuid }: Turn,
    spoken: readonly SpokenMessage[],
    onText: (text: string) => void,
  ): Promise<AnswerEnd> {
    const { db } = this.#deps;
    const { turn, text } = await followTurn(this.#turns, uuid, onText);
    if (turn.state !== "completed") {
      throw new OpenAiError(500, turn.error ?? `The turn was ${turn.state}.`);
    }
    const { assistantMessageUuid: lastMessageUuid, inputTokens, outputTokens } = turn;
    if (lastMessageUuid) {
      const hash = await hashConversation([...spoken, { role: "assistant", content: text }]);
      await updateClientThread(db, { threadUuid, hash, lastMessageUuid });
    }
    const [prompt, completion] = [inputTokens ?? 0, outputTokens ?? 0];
    return {
      text,
      annotations: await toCitations(db, turn, text),
      usage: {
        prompt_tokens: prompt,
        completion_tokens: completion,
        total_tokens: prompt + completion,
      },
    };
  }
}

/** What a client key's turn stores beside its question. */
interface Origin {
  key: ClientOrigin["key"];
  label: string | null;
  /** What was said before, and is not stored yet. */
  earlier: readonly SpokenMessage[];
}

/** A conversation as the input of a turn. @throws OpenAiError 400 */
function toTurnInput({ question, files, instructions }: Conversation, origin: Origin) {
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

/** The oldest configuration, where nothing names a model: the engine itself would take echo. */
async function findFallbackModelId(
  db: TurnDeps["db"],
  { defaultModelId }: ReachableWorkspace,
): Promise<string | undefined> {
  if (defaultModelId || (await findDefaultModelId(db))) return undefined;
  const [oldest] = await listConfigurationHeads(db);
  return oldest?.id;
}

/**
 * Reads the events of a turn to its end. A reader that was too slow goes on where it was.
 * @throws Error if the events are gone
 */
async function followTurn(
  turns: ActiveTurns,
  uuid: string,
  onText: (text: string) => void,
): Promise<{ turn: Turn; text: string }> {
  let text = "";
  const take = (whole: string) => {
    const more = whole.slice(text.length);
    text += more;
    if (more !== "") onText(more);
  };
  let lastId: string | undefined;
  for (;;) {
    const events = turns.findEvents(uuid)?.open(lastId);
    if (!events) throw new Error("The events of a turn are gone.");
    for await (const { id, event, data: json } of readServerSentEvents(events)) {
      lastId = id;
      const data = parseJson(json);
      if (!isJsonObject(data)) continue;
      if (event === "model.delta") take(text + String(data.delta));
      if (event === "snapshot") take(String(data.text));
      // The engine wrote it.
      if (event === "end") return { turn: data as Turn, text };
    }
  }
}
