import type { InStatement } from "@libsql/client";
import { Batch } from "../../shared/batch.ts";
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
import { PARTIAL_TEXT_BYTES_MAX, PARTIAL_TEXT_INTERVAL_MS } from "./limits.ts";
import { insertTurnStatement, updateTurnStatement } from "./store.ts";
import { TurnEvents } from "./turn-events.ts";
import { addUsageStatement, countTurnStatement } from "./usage-store.ts";
import type { Approval, Turn } from "./wire.ts";

/** What a record needs from outside. */
type RecordDeps = Pick<EngineDeps, "db" | "clock" | "timers" | "log" | "changes">;

interface RecordOptions {
  source: TurnJournal["source"];
  approvals: Approvals;
  /** Answers an approval of the turn. Returns whether the turn still waits for it. */
  settle(approvalUuid: string, decision: Decision): boolean;
}

/** The record of one turn: in memory while it runs; in the database at its beginning, once a second, and at its end. */
export class TurnRecord implements TurnJournal {
  readonly uuid: string = crypto.randomUUID();
  readonly source: TurnJournal["source"];
  readonly #deps: RecordDeps;
  readonly #options: RecordOptions;
  readonly #approvals = new Map<string, Approval>();
  #turn: Turn | undefined;
  #isStored = false;
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

  /** The record as it is now; undefined before the turn begins. */
  get turn(): Turn | undefined {
    return this.#turn && { ...this.#turn };
  }

  /** Whether the turn waits for an approval. */
  get isWaiting(): boolean {
    return this.#approvals.size > 0;
  }

  /** The events of the turn, where any reader may have them. */
  get openedEvents(): TurnEvents | undefined {
    return this.#isStored ? this.#events : undefined;
  }

  /** The events of the turn, for a reader. */
  openEvents(): TurnEvents {
    this.#events ??= new TurnEvents(this.#deps.timers, this.#text);
    return this.#events;
  }

  beginning(beginning: TurnBeginning): InStatement[] {
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
    return [insertTurnStatement(turn), countTurnStatement(turn)];
  }

  begun(): void {
    this.#isStored = true;
    this.#changed();
  }

  completion(assistantMessageUuid: string): InStatement[] {
    if (!this.#turn) return [];
    this.#turn.assistantMessageUuid = assistantMessageUuid;
    return this.#ending({ state: "completed" }, this.#turn);
  }

  async end(outcome: TurnOutcome): Promise<void> {
    this.#stopTimer?.();
    const turn = this.#turn;
    if (!turn || !this.#isStored) return;
    const isCommitted = outcome.state === "completed" && turn.assistantMessageUuid !== null;
    if (!isCommitted) await this.#write(this.#ending(outcome, turn));
    this.#changed();
    this.#events?.end(turn);
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

  approvalRequested({ uuid, toolName, operation, arguments: args }: ApprovalRequest): void {
    const turn = this.#turn;
    if (!turn) return;
    const { threadUuid, workspaceUuid } = turn;
    const approval: Approval = {
      uuid,
      turnUuid: this.uuid,
      threadUuid,
      toolName,
      operation,
      arguments: args,
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

  #ending(outcome: TurnOutcome, turn: Turn): InStatement[] {
    const { state } = outcome;
    turn.state = state;
    turn.error = outcome.state === "failed" ? outcome.error : null;
    turn.partialText = state === "completed" ? null : this.#partialText();
    if (state !== "completed") turn.assistantMessageUuid = null;
    turn.endedAt = toIsoTime(this.#deps.clock.now());
    const added = addUsageStatement(turn);
    return [updateTurnStatement(turn), ...(added ? [added] : [])];
  }

  #keepText(): void {
    this.#stopTimer = undefined;
    const turn = this.#turn;
    if (!turn || turn.endedAt !== null) return;
    void this.#write([updateTurnStatement({ ...turn, partialText: this.#partialText() })]);
  }

  #partialText(): string | null {
    return this.#text === "" ? null : cutToBytes(this.#text, PARTIAL_TEXT_BYTES_MAX);
  }

  /** A record that cannot be written does not end its turn; the next start finds it active and ends it. */
  async #write(statements: readonly InStatement[]): Promise<void> {
    const batch = new Batch();
    for (const statement of statements) batch.add(statement);
    try {
      await batch.run(this.#deps.db);
    } catch (error) {
      this.#deps.log.error({ turn: this.uuid, error }, "The record of a turn was not written.");
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

function sum(before: number | null, added: number | undefined): number | null {
  return added === undefined ? before : (before ?? 0) + added;
}
