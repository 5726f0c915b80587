import { cutToBytes } from "../../shared/bytes.ts";
import { toIsoTime } from "../../shared/clock.ts";
import type { Decision } from "../chat/decision.ts";
import type {
  ApprovalRequest,
  ToolProgress,
  TurnBeginning,
  TurnJournal,
  TurnOutcome,
} from "../chat/journal.ts";
import type { EngineDeps } from "../deps.ts";
import type { ModelRetry, ModelUsage } from "../models/language-model.ts";
import type { Approvals } from "./approvals.ts";
import { PARTIAL_TEXT_BYTES_MAX, PARTIAL_TEXT_INTERVAL_MS, TOKENS_MAX } from "./limits.ts";
import { putTurnsStatement, toBeginning, toEnding } from "./record-store.ts";
import { TurnEvents } from "./turn-events.ts";
import type { Approval, Turn } from "./wire.ts";

/** What a record needs from outside. */
type RecordDeps = Pick<EngineDeps, "db" | "clock" | "timers" | "log" | "changes">;

interface RecordOptions {
  source: TurnJournal["source"];
  approvals: Approvals;
  /** Answers an approval of the turn. Returns whether the turn still waits for it. */
  settle(approvalUuid: string, decision: Decision): boolean;
}

/** The record of one turn: in memory while it runs; in the database at its beginning, once a second while it streams, and at its end. */
export class TurnRecord implements TurnJournal {
  readonly uuid: string = crypto.randomUUID();
  readonly source: TurnJournal["source"];
  readonly #deps: RecordDeps;
  readonly #options: RecordOptions;
  readonly #approvals = new Map<string, Approval>();
  #turn: Turn | undefined;
  /** The record at its end, from the moment at which the assistant message is on its way to the database. */
  #completed: Turn | undefined;
  #isBegun = false;
  #hasRow = false;
  #text = "";
  /** From the beginning for a turn over HTTP, for one of a socket from its first reader on. */
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

  /** Whether the user message is stored. */
  get isBegun(): boolean {
    return this.#isBegun;
  }

  /** Whether the table has the end of the turn. The end of one that completed is in the row of its assistant message. */
  get hasRow(): boolean {
    return this.#hasRow;
  }

  /** The events of the turn, where any reader may have them. */
  get openedEvents(): TurnEvents | undefined {
    return this.#isBegun ? this.#events : undefined;
  }

  /** The events of the turn, for a reader. */
  openEvents(): TurnEvents {
    this.#events ??= new TurnEvents(this.#deps.timers, this.#text);
    return this.#events;
  }

  beginning(beginning: TurnBeginning): string {
    const { uuid, source } = this;
    const { threadUuid, workspaceUuid, userMessageUuid, model, startedAt } = beginning;
    const turn: Turn = {
      uuid,
      threadUuid,
      workspaceUuid,
      source,
      state: "running",
      error: null,
      partialText: null,
      userMessageUuid,
      assistantMessageUuid: null,
      model,
      inputTokens: null,
      outputTokens: null,
      omittedToolGroups: [],
      startedAt,
      endedAt: null,
    };
    this.#turn = turn;
    return toBeginning(turn);
  }

  begun(): void {
    this.#isBegun = true;
    this.#changed();
  }

  ending(): string | null {
    if (!this.#turn) return null;
    this.#completed = this.#ended(this.#turn, "completed");
    return toEnding(this.#completed);
  }

  async end(outcome: TurnOutcome): Promise<void> {
    this.#stopTimer?.();
    if (!this.#turn || !this.#isBegun) return;
    const { state } = outcome;
    const assistantMessageUuid = state === "completed" ? outcome.assistantMessageUuid : null;
    if (this.#completed && assistantMessageUuid !== null) {
      this.#turn = { ...this.#completed, assistantMessageUuid };
    } else {
      const error = state === "failed" ? outcome.error.toWellFormed() : null;
      this.#turn = { ...this.#ended(this.#turn, state), error };
      this.#hasRow = await this.#put(this.#turn);
    }
    this.#changed();
    this.#events?.end(this.#turn);
  }

  graph(data: Parameters<TurnJournal["graph"]>[0]): void {
    const delta = data.type === "model.delta" ? data.delta : "";
    this.#events?.appendActivity(data, delta);
    if (delta === "") return;
    this.#text += delta;
    this.#stopTimer ??= this.#deps.timers.after(PARTIAL_TEXT_INTERVAL_MS, () => this.#keepText());
  }

  tool(progress: ToolProgress): void {
    this.#events?.append("tool", progress);
  }

  approvalRequested({ uuid, ...call }: ApprovalRequest): void {
    const turn = this.#turn;
    if (!turn) return;
    const { threadUuid, workspaceUuid } = turn;
    const approval: Approval = {
      uuid,
      turnUuid: this.uuid,
      threadUuid,
      ...call,
      argumentsTruncated: false,
      requestedAt: toIsoTime(this.#deps.clock.now()),
      state: "waiting",
    };
    this.#approvals.set(uuid, approval);
    if (this.source === "http") {
      const settle = (decision: Decision) => this.#options.settle(uuid, decision);
      this.#options.approvals.request({ approval, threadUuid, workspaceUuid, settle });
    }
    this.#wait("waiting");
    this.#events?.append("approval", approval);
  }

  approvalSettled(uuid: string, decision: Decision | undefined): void {
    const approval = this.#approvals.get(uuid);
    if (!approval) return;
    const state = decision ?? "expired";
    this.#approvals.delete(uuid);
    this.#options.approvals.settle(uuid, state);
    this.#events?.append("approval", { ...approval, state });
    if (this.#approvals.size === 0) this.#wait("running");
  }

  retry(retry: ModelRetry): void {
    this.#events?.append("retry", retry);
  }

  used({ inputTokens, outputTokens }: ModelUsage): void {
    if (!this.#turn) return;
    this.#turn.inputTokens = sum(this.#turn.inputTokens, inputTokens);
    this.#turn.outputTokens = sum(this.#turn.outputTokens, outputTokens);
  }

  omitted(toolGroups: readonly string[]): void {
    if (this.#turn) this.#turn.omittedToolGroups = [...toolGroups];
  }

  #wait(state: "waiting" | "running"): void {
    if (!this.#turn || this.#turn.endedAt !== null || this.#turn.state === state) return;
    this.#turn.state = state;
    this.#changed();
  }

  #ended(turn: Turn, state: TurnOutcome["state"]): Turn {
    const partialText = state === "completed" ? null : this.#partialText();
    return { ...turn, state, partialText, endedAt: toIsoTime(this.#deps.clock.now()) };
  }

  #keepText(): void {
    this.#stopTimer = undefined;
    const turn = this.#turn;
    if (!turn || turn.endedAt !== null || this.#completed) return;
    void this.#put({ ...turn, partialText: this.#partialText() });
  }

  #partialText(): string | null {
    return this.#text === "" ? null : cutToBytes(this.#text, PARTIAL_TEXT_BYTES_MAX).toWellFormed();
  }

  /** Returns whether it worked. A record that cannot be written does not end its turn. */
  async #put(turn: Turn): Promise<boolean> {
    try {
      await this.#deps.db.$client.execute(putTurnsStatement([turn]));
      return true;
    } catch (error) {
      this.#deps.log.error({ turn: this.uuid, error }, "The record of a turn was not written.");
      return false;
    }
  }

  #changed(): void {
    if (!this.#turn) return;
    const { uuid, threadUuid, workspaceUuid, state } = this.#turn;
    this.#events?.changed(this.#turn);
    const data = { turnUuid: uuid, threadUuid, workspaceUuid, state };
    this.#deps.changes.publish({ type: "turn.updated", data });
  }
}

/** A count of a provider that is no whole number from 0 to `TOKENS_MAX` was not reported. */
function sum(before: number | null, added: number | undefined): number | null {
  if (added === undefined || !Number.isInteger(added) || added < 0) return before;
  const total = (before ?? 0) + added;
  return total <= TOKENS_MAX ? total : before;
}
