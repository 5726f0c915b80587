import type { Batch } from "../../shared/batch.ts";
import { toIsoTime } from "../../shared/clock.ts";
import type {
  ApprovalRequest,
  Decision,
  ToolProgress,
  TurnJournal,
  TurnOutcome,
  TurnStart,
} from "../chat/journal.ts";
import type { SentContext, TurnSource } from "../chat/sent-wire.ts";
import type { ClientOrigin } from "../chat/wire.ts";
import { cutToBytes } from "../cut-text.ts";
import type { EngineDeps } from "../deps.ts";
import type { ModelRetry, ModelUsage } from "../models/language-model.ts";
import type { Approvals } from "./approvals.ts";
import { PARTIAL_TEXT_BYTES_MAX, PARTIAL_TEXT_INTERVAL_MS, REASONING_BYTES_MAX } from "./limits.ts";
import {
  endTurnStatements,
  insertTurnStatement,
  type StoredTurn,
  type TurnEnds,
  updateTurnStatement,
} from "./record-store.ts";
import { addUsage, NOTHING_USED } from "./token-counts.ts";
import { TurnEvents } from "./turn-events.ts";
import type { Approval, Turn } from "./wire.ts";

type RecordDeps = Pick<EngineDeps, "db" | "clock" | "timers" | "log" | "changes">;

interface RecordOptions {
  source: TurnJournal["source"];
  approvals: Approvals;
  ends: TurnEnds;
  /** The key of the program that asks, if it has one. */
  clientKey?: ClientOrigin["key"] | undefined;
}

/** The record of one turn. Its row is inserted with the user message, updated once a second while it streams, and at its end. */
export class TurnRecord implements TurnJournal {
  readonly uuid: string = crypto.randomUUID();
  readonly source: TurnJournal["source"];
  readonly #deps: RecordDeps;
  readonly #options: RecordOptions;
  #turn: Turn | undefined;
  #isStarted = false;
  #text = "";
  /** The beginning of what the model thought. */
  #reasoning = "";
  #sent: { context: SentContext; sources: readonly TurnSource[] } | undefined;
  /** From the start for a turn over HTTP, for one of a socket from its first reader on. */
  #events: TurnEvents | undefined;
  #stopTimer: (() => void) | undefined;

  constructor(deps: RecordDeps, options: RecordOptions) {
    this.#deps = deps;
    this.#options = options;
    this.source = options.source;
    if (options.source === "http") this.#events = new TurnEvents(deps.timers);
  }

  /** The record as it is now; undefined before the user message is on its way to the database. */
  get turn(): Turn | undefined {
    return this.#turn && { ...this.#turn };
  }

  /** The uuid of the client key that asked for the turn. */
  get clientKeyUuid(): string | undefined {
    return this.#options.clientKey?.uuid;
  }

  /** Whether the user message is stored. */
  get isStarted(): boolean {
    return this.#isStarted;
  }

  /** Whether the turn has ended, or its end is on its way to the database. */
  get isEnding(): boolean {
    return typeof this.#turn?.endedAt === "string";
  }

  /** The events of the turn, if any reader may have them. */
  get openedEvents(): TurnEvents | undefined {
    return this.#isStarted ? this.#events : undefined;
  }

  /** The events of the turn, for a reader. */
  openEvents(): TurnEvents {
    this.#events ??= new TurnEvents(this.#deps.timers, this.#text);
    return this.#events;
  }

  recordStart(batch: Batch, start: TurnStart): void {
    const { threadUuid, workspaceUuid, userMessageUuid, model, startedAt } = start;
    this.#turn = {
      uuid: this.uuid,
      threadUuid,
      workspaceUuid,
      source: this.source,
      state: "running",
      error: null,
      partialText: null,
      userMessageUuid,
      assistantMessageUuid: null,
      model,
      ...NOTHING_USED,
      omittedToolGroups: [],
      grantUuids: [],
      startedAt,
      endedAt: null,
    };
    batch.add(insertTurnStatement(this.#stored(this.#turn)));
  }

  onStarted(): void {
    this.#isStarted = true;
    this.#changed();
  }

  recordEnd(batch: Batch, assistantMessageUuid: string): void {
    if (!this.#turn) return;
    this.#turn = { ...this.#ended(this.#turn, "completed"), assistantMessageUuid };
    for (const statement of endTurnStatements(this.#stored(this.#turn))) batch.add(statement);
  }

  async onEnded(outcome: TurnOutcome): Promise<void> {
    this.#stopTimer?.();
    if (!this.#turn || !this.#isStarted) return;
    const { state } = outcome;
    const isStored = state === "completed" && this.#turn.assistantMessageUuid !== null;
    if (!isStored) {
      const error = state === "failed" ? outcome.error.toWellFormed() : null;
      this.#turn = { ...this.#ended(this.#turn, state), error, assistantMessageUuid: null };
      await this.#options.ends.store(this.#stored(this.#turn));
    }
    this.#changed();
    this.#events?.end(this.#turn);
  }

  onActivity(data: Parameters<TurnJournal["onActivity"]>[0]): void {
    const delta = data.type === "model.delta" ? data.delta : "";
    this.#events?.appendActivity(data, delta);
    if (delta === "") return;
    this.#text += delta;
    this.#updateSoon();
  }

  onReasoning(delta: string): void {
    this.#events?.append("reasoning", { delta });
    if (this.#reasoning.length >= REASONING_BYTES_MAX) return;
    this.#reasoning += delta;
    this.#updateSoon();
  }

  onTool(progress: ToolProgress): void {
    this.#events?.append("tool", progress);
  }

  async requestApproval(
    { uuid, ...call }: ApprovalRequest,
    { signal, onWaiting, call: grantable }: Parameters<TurnJournal["requestApproval"]>[1],
  ): Promise<Decision> {
    const turn = this.#turn;
    if (!turn) throw new TypeError("The turn has no record.");
    const { threadUuid, workspaceUuid } = turn;
    const approval: Approval = {
      uuid,
      turnUuid: this.uuid,
      threadUuid,
      ...call,
      argumentsTruncated: false,
      requestedAt: toIsoTime(this.#deps.clock.now()),
      clientKey: this.#options.clientKey ?? null,
      state: "waiting",
    };
    const isPublic = this.source === "http";
    const place = { threadUuid, workspaceUuid };
    const { approvals } = this.#options;
    // Before the state: a turn that is shown as waiting has its approval in the list.
    const answer = approvals.wait({ approval, place, isPublic, signal, call: grantable });
    answer.catch(() => {});
    await this.#setState("waiting");
    signal.throwIfAborted();
    approvals.announce(approval);
    onWaiting();
    this.#changed();
    this.#events?.append("approval", approval);
    const decision = await answer.catch((error) => {
      this.#events?.append("approval", { ...approval, state: "expired" });
      throw error;
    });
    this.#events?.append("approval", { ...approval, state: decision });
    await this.#setState("running");
    signal.throwIfAborted();
    this.#changed();
    return decision;
  }

  onRetry(retry: ModelRetry): void {
    this.#events?.append("retry", retry);
  }

  onUsage(usage: ModelUsage): void {
    if (!this.#turn) return;
    this.#turn = { ...this.#turn, ...addUsage(this.#turn, usage) };
    this.#updateSoon();
  }

  onSent(context: SentContext, sources: readonly TurnSource[]): void {
    this.#sent = { context, sources };
    this.#updateSoon();
  }

  onOmitted(toolGroups: readonly string[]): void {
    if (this.#turn) this.#turn.omittedToolGroups = [...toolGroups];
    this.#updateSoon();
  }

  onGranted(grantUuid: string): void {
    if (this.#turn && !this.#turn.grantUuids.includes(grantUuid)) {
      this.#turn.grantUuids = [...this.#turn.grantUuids, grantUuid];
    }
    this.#updateSoon();
  }

  async #setState(state: "waiting" | "running"): Promise<void> {
    if (!this.#turn || this.isEnding) return;
    this.#turn.state = state;
    await this.#update();
  }

  #ended(turn: Turn, state: TurnOutcome["state"]): Turn {
    const partialText = state === "completed" ? null : this.#partialText();
    return { ...turn, state, partialText, endedAt: toIsoTime(this.#deps.clock.now()) };
  }

  #stored(turn: Turn): StoredTurn {
    const context = this.#sent ? JSON.stringify(this.#sent.context) : null;
    const sources = this.#sent ? JSON.stringify(this.#sent.sources) : null;
    const thought = cutToBytes(this.#reasoning, REASONING_BYTES_MAX).toWellFormed();
    return { ...turn, context, sources, reasoning: thought === "" ? null : thought };
  }

  /** Stores what is known so far, for the case that the engine ends at once. */
  #updateSoon(): void {
    this.#stopTimer ??= this.#deps.timers.after(PARTIAL_TEXT_INTERVAL_MS, () => {
      this.#stopTimer = undefined;
      void this.#update();
    });
  }

  /** A row that cannot be written does not end its turn. */
  async #update(): Promise<void> {
    if (!this.#turn || this.isEnding) return;
    const turn = this.#stored({ ...this.#turn, partialText: this.#partialText() });
    try {
      await this.#deps.db.$client.execute(updateTurnStatement(turn));
    } catch (error) {
      this.#deps.log.error({ turn: this.uuid, error }, "The record of a turn was not written.");
    }
  }

  #partialText(): string | null {
    return this.#text === "" ? null : cutToBytes(this.#text, PARTIAL_TEXT_BYTES_MAX).toWellFormed();
  }

  #changed(): void {
    if (!this.#turn) return;
    const { uuid, threadUuid, workspaceUuid, state } = this.#turn;
    this.#events?.changed(this.#turn);
    const data = { turnUuid: uuid, threadUuid, workspaceUuid, state };
    this.#deps.changes.publish({ type: "turn.updated", data });
  }
}
