import { computed, signal } from "@preact/signals";
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
import { MESSAGES_KEPT_MAX, MESSAGES_PER_PAGE, TURNS_READ_MAX } from "./limits.ts";
import { LiveTurn } from "./live-turn.ts";
import { joinMessages, rowsOf } from "./rows.ts";
import { NO_RELATIVES, readRelatives, replacedBy } from "./versions.ts";

/** A thread as the page shows it: its newest messages, older ones as they are asked for, and the turn that runs. */
export class Conversation {
  readonly uuid: string;
  readonly thread = signal<Thread | undefined>(undefined);
  readonly messages = signal<readonly Message[]>([]);
  readonly hasOlder = signal(false);
  /** The newest turns, with what each sent. */
  readonly turns = signal<readonly DetailedTurn[]>([]);
  readonly relatives = signal(NO_RELATIVES);
  readonly isLoaded = signal(false);
  /** None until all is loaded, so that nothing moves. */
  readonly rows = computed(() =>
    this.isLoaded.value ? rowsOf(this.messages.value, this.turns.value) : [],
  );
  readonly error = signal<Error | undefined>(undefined);
  /** The message that is edited. */
  readonly edited = signal<string | undefined>(undefined);
  readonly live = signal<LiveTurn | undefined>(undefined);
  readonly #left = new AbortController();
  /** The message before which a page is read. */
  #oldest: Message | undefined;
  readonly #readMessages = sharing(() => this.#attempt(() => this.#readNew()));
  readonly #readRecords = sharing(() => this.#attempt(() => this.#readOthers()));

  constructor(uuid: string) {
    this.uuid = uuid;
  }

  /** Reads the thread, its newest messages and its turns. What fails is in `error`. */
  async load(): Promise<void> {
    this.error.value = undefined;
    await Promise.all([this.#readMessages(), this.#readRecords()]);
    this.isLoaded.value ||= this.error.value === undefined;
  }

  /** Reads the page before the oldest message, once at a time. */
  async loadOlder(): Promise<void> {
    const [oldest] = this.messages.value;
    if (!this.hasOlder.value || oldest === this.#oldest) return;
    this.#oldest = oldest;
    await this.#attempt(async () => {
      const query = { limit: MESSAGES_PER_PAGE, before: oldest?.uuid };
      const page = await engine.messages.list(this.uuid, query, this.#left);
      // Old messages may have been dropped meanwhile.
      if (this.messages.value[0] !== oldest) return;
      this.messages.value = [...page, ...this.messages.value];
      this.hasOlder.value = page.length === MESSAGES_PER_PAGE;
    });
    this.#oldest = undefined;
  }

  /** Starts a turn. @throws EngineError */
  async send(input: StartTurn): Promise<void> {
    void this.#follow(await engine.turns.startThread(this.uuid, input));
    await this.#readMessages();
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
    if (change.type === "message.created") void this.#readMessages();
    if (["thread.updated", "turn.updated"].includes(change.type)) void this.#readRecords();
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

  async #readNew(): Promise<void> {
    const page = await engine.messages.list(this.uuid, { limit: MESSAGES_PER_PAGE }, this.#left);
    const joined = joinMessages(this.messages.value, page);
    this.messages.value = joined ?? page;
    // What was shown before a gap is read again if it is asked for.
    if (!joined) this.hasOlder.value = page.length === MESSAGES_PER_PAGE;
  }

  async #readOthers(): Promise<void> {
    const [thread, turns, relatives] = await Promise.all([
      engine.threads.get(this.uuid, this.#left),
      engine.turns.listThread(this.uuid, { limit: TURNS_READ_MAX, details: true }, this.#left),
      readRelatives(engine.threads, this.uuid, this.#left),
    ]);
    this.thread.value = thread;
    this.turns.value = turns;
    this.relatives.value = relatives;
    const running = turns.find(({ endedAt }) => endedAt === null);
    if (running?.source === "http") void this.#follow(running);
  }

  async #follow(turn: Turn): Promise<void> {
    const current = this.live.value;
    if (current?.turn.uuid === turn.uuid || this.#left.signal.aborted) return;
    current?.leave();
    const live = new LiveTurn(turn);
    this.live.value = live;
    await this.#attempt(() => live.follow());
    // What the turn stored is there before its own view goes.
    await Promise.all([this.#readMessages(), this.#readRecords()]);
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

/** Does work that never fails; calls while it runs share one more run, behind it. */
function sharing(work: () => Promise<void>): () => Promise<void> {
  let running = Promise.resolve();
  let next: Promise<void> | undefined;
  return () => {
    next ??= running.then(() => {
      next = undefined;
      running = work();
      return running;
    });
    return next;
  };
}
