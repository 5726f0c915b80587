import { batch, signal } from "@preact/signals";
import type {
  DetailedTurn,
  EngineChange,
  Message,
  StartThreadTurn,
  StartTurn,
  Thread,
  Turn,
} from "../../../client/client.ts";
import { hrefOf } from "../router.ts";
import { engine } from "../session.ts";
import { withFallbackModel } from "../ui/fallback-model.tsx";
import {
  MESSAGES_KEPT_MAX,
  MESSAGES_PER_PAGE,
  NEW_MESSAGES_PER_READ,
  TURNS_READ_MAX,
} from "./limits.ts";
import { LiveTurn } from "./live-turn.ts";
import { readRelatives } from "./relatives.ts";
import { joinMessages } from "./rows.ts";
import { NO_RELATIVES, replacedBy } from "./versions.ts";

/** A thread as the page shows it: its newest messages, older ones as they are asked for, and the turn that runs. */
export class Conversation {
  readonly thread = signal<Thread | undefined>(undefined);
  readonly messages = signal<readonly Message[]>([]);
  readonly hasOlder = signal(false);
  readonly isLoaded = signal(false);
  readonly error = signal<Error | undefined>(undefined);
  /** The newest turns, with what each sent. */
  readonly turns = signal<readonly DetailedTurn[]>([]);
  readonly relatives = signal(NO_RELATIVES);
  /** The message that is edited. */
  readonly edited = signal<string | undefined>(undefined);
  readonly live = signal<LiveTurn | undefined>(undefined);
  /** A turn that another client runs over its WebSocket: it cannot be followed. */
  readonly elsewhere = signal<Turn | undefined>(undefined);
  readonly uuid: string;
  readonly #left = new AbortController();
  #reading: Promise<void> | undefined;
  #isStale = false;
  #older: Promise<void> | undefined;

  constructor(uuid: string) {
    this.uuid = uuid;
  }

  /** Reads the thread, its newest messages and its turns. What fails is in `error`. */
  async load(): Promise<void> {
    await this.#attempt(async () => {
      const [thread, messages, turns, relatives] = await Promise.all([
        engine.threads.get(this.uuid, this.#left),
        this.#readNewest(MESSAGES_PER_PAGE),
        this.#readTurns(),
        readRelatives(this.uuid, this.#left),
      ]);
      batch(() => {
        this.error.value = undefined;
        this.thread.value = thread;
        this.relatives.value = relatives;
        this.messages.value = messages;
        this.hasOlder.value = messages.length === MESSAGES_PER_PAGE;
        this.#takeTurns(turns);
        this.isLoaded.value = true;
      });
    });
  }

  /** Reads the page before the oldest message. */
  loadOlder(): Promise<void> {
    this.#older ??= this.#attempt(() => this.#readOlder()).finally(() => {
      this.#older = undefined;
    });
    return this.#older;
  }

  /** Starts a turn. @throws EngineError */
  async send(input: StartTurn): Promise<void> {
    const turn = await engine.turns.startThread(this.uuid, input);
    await this.#follow(turn);
  }

  /** Asks with another message in the place of one, and shows the chat that has it. @throws EngineError */
  async replace(message: Message, input: Omit<StartThreadTurn, "replaces">): Promise<void> {
    const { threadUuid, messageUuid } = replacedBy(this.relatives.value, this.uuid, message);
    const named = await withFallbackModel(input, this.thread.value?.defaultModelId ?? null);
    const turn = await engine.turns.startThread(threadUuid, { ...named, replaces: messageUuid });
    this.#show(turn.threadUuid);
  }

  /** Asks the question of an answer once more. @throws EngineError */
  async askAgain(answerUuid: string): Promise<void> {
    const at = this.messages.value.findIndex(({ uuid }) => uuid === answerUuid);
    const question = this.messages.value.slice(0, at).findLast(({ role }) => role === "user");
    if (question) await this.replace(question, { content: question.content });
  }

  /** Goes on from a message in a chat of its own. @throws EngineError */
  async fork(throughMessageUuid: string): Promise<void> {
    const { uuid } = await engine.threads.fork(this.uuid, { throughMessageUuid });
    this.#show(uuid);
  }

  #show(threadUuid: string): void {
    const { value } = this.thread;
    if (value) location.hash = hrefOf("chat", value.workspaceUuid, threadUuid);
  }

  /** Takes a change of the engine. */
  take(change: EngineChange): void {
    if (change.type === "resync") return void this.load();
    if (change.type === "other" || !("threadUuid" in change.data)) return;
    if (change.data.threadUuid !== this.uuid) return;
    if (change.type === "message.created") this.refresh();
    if (change.type === "thread.updated") void this.#readThread();
    if (change.type === "turn.updated") void this.#readChangedTurns();
  }

  /** Reads what is new at the end; at most one more read waits for the one that runs. */
  refresh(): Promise<void> {
    if (this.#reading) {
      this.#isStale = true;
      return this.#reading;
    }
    this.#reading = this.#attempt(() => this.#readNew()).finally(() => {
      this.#reading = undefined;
      if (this.#isStale && !this.#left.signal.aborted) {
        this.#isStale = false;
        return this.refresh();
      }
    });
    return this.#reading;
  }

  /** Ends what it reads. Turns run on. */
  leave(): void {
    this.#left.abort();
    this.live.value?.leave();
  }

  /** Drops old messages that were read, while the newest are shown. */
  forgetOld(): void {
    if (this.messages.value.length <= MESSAGES_KEPT_MAX) return;
    this.messages.value = this.messages.value.slice(-MESSAGES_PER_PAGE);
    this.hasOlder.value = true;
  }

  async #readOlder(): Promise<void> {
    const [oldest] = this.messages.value;
    if (!oldest || !this.hasOlder.value) return;
    const query = { limit: MESSAGES_PER_PAGE, before: oldest.uuid };
    const page = await engine.messages.list(this.uuid, query, this.#left);
    batch(() => {
      this.messages.value = [...page, ...this.messages.value];
      this.hasOlder.value = page.length === MESSAGES_PER_PAGE;
    });
  }

  #readNewest(limit: number): Promise<Message[]> {
    return engine.messages.list(this.uuid, { limit }, this.#left);
  }

  async #readNew(): Promise<void> {
    for (const limit of [NEW_MESSAGES_PER_READ, MESSAGES_PER_PAGE]) {
      const page = await this.#readNewest(limit);
      const joined = joinMessages(this.messages.value, page);
      if (joined) {
        this.messages.value = joined;
        return;
      }
      if (limit < MESSAGES_PER_PAGE) continue;
      // More came than a page has: what was shown before is read again if it is asked for.
      this.messages.value = page;
      this.hasOlder.value = true;
    }
  }

  #readThread(): Promise<void> {
    return this.#attempt(async () => {
      this.thread.value = await engine.threads.get(this.uuid, this.#left);
    });
  }

  #readTurns(): Promise<DetailedTurn[]> {
    const query = { limit: TURNS_READ_MAX, details: true };
    return engine.turns.listThread(this.uuid, query, this.#left);
  }

  #readChangedTurns(): Promise<void> {
    return this.#attempt(async () => this.#takeTurns(await this.#readTurns()));
  }

  #takeTurns(turns: readonly DetailedTurn[]): void {
    this.turns.value = turns;
    const running = turns.find(({ endedAt }) => endedAt === null);
    this.elsewhere.value = running?.source === "websocket" ? running : undefined;
    if (running?.source === "http") void this.#follow(running);
  }

  async #follow(turn: Turn): Promise<void> {
    const current = this.live.value;
    if (current?.turn.uuid === turn.uuid || this.#left.signal.aborted) return;
    current?.leave();
    const live = new LiveTurn(turn);
    this.live.value = live;
    void this.#followToEnd(live);
    await this.refresh();
  }

  async #followToEnd(live: LiveTurn): Promise<void> {
    await this.#attempt(() => live.follow(() => void this.refresh()));
    // What the turn stored is there before its own view goes.
    await Promise.all([this.refresh(), this.#readChangedTurns()]);
    live.leave();
    if (this.live.value === live) this.live.value = undefined;
  }

  /** What fails is in `error`, unless the thread was left. */
  async #attempt(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (this.#left.signal.aborted) return;
      this.error.value = error instanceof Error ? error : new Error(String(error));
    }
  }
}
