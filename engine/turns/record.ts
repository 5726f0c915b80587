import type { InStatement } from "@libsql/client";
import { Batch } from "../../shared/batch.ts";
import { cutToBytes } from "../../shared/bytes.ts";
import { toIsoTime } from "../../shared/clock.ts";
import type { TurnBeginning, TurnJournal, TurnOutcome } from "../chat/journal.ts";
import type { EngineDeps } from "../deps.ts";
import { PARTIAL_TEXT_BYTES_MAX, PARTIAL_TEXT_INTERVAL_MS } from "../limits.ts";
import type { ModelUsage } from "../models/language-model.ts";
import { insertTurnStatement, updateTurnStatement } from "./store.ts";
import { addUsageStatement, countTurnStatement } from "./usage-store.ts";
import type { Turn } from "./wire.ts";

/** What a record needs from outside. */
export type RecordDeps = Pick<EngineDeps, "db" | "clock" | "timers" | "log">;

/** The record of one turn: in memory while it runs; in the database at its beginning, once a second, and at its end. */
export class TurnRecord implements TurnJournal {
  readonly uuid: string = crypto.randomUUID();
  readonly source: TurnJournal["source"];
  readonly #deps: RecordDeps;
  #turn: Turn | undefined;
  #isStored = false;
  #text = "";
  #stopTimer: (() => void) | undefined;
  #approvals = 0;

  constructor(deps: RecordDeps, source: TurnJournal["source"]) {
    this.#deps = deps;
    this.source = source;
  }

  /** Whether the turn waits for an approval. */
  get isWaiting(): boolean {
    return this.#turn?.state === "waiting";
  }

  beginning(beginning: TurnBeginning): InStatement[] {
    const { uuid, source } = this;
    const turn: Turn = { ...EMPTY, ...beginning, uuid, source };
    this.#turn = turn;
    return [insertTurnStatement(turn), countTurnStatement(turn)];
  }

  begun(): void {
    this.#isStored = true;
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
  }

  graph(data: Parameters<TurnJournal["graph"]>[0]): void {
    if (data.type !== "model.delta") return;
    this.#text += data.delta;
    this.#stopTimer ??= this.#deps.timers.after(PARTIAL_TEXT_INTERVAL_MS, () => this.#keepText());
  }

  tool(): void {}

  approvalRequested(): void {
    this.#approvals += 1;
    this.#wait("waiting");
  }

  approvalSettled(): void {
    this.#approvals -= 1;
    if (this.#approvals === 0) this.#wait("running");
  }

  retry(): void {}

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
}

const EMPTY = {
  state: "running" as const,
  error: null,
  partialText: null,
  assistantMessageUuid: null,
  inputTokens: null,
  outputTokens: null,
  omittedToolGroups: [],
  endedAt: null,
};

function sum(before: number | null, added: number | undefined): number | null {
  return added === undefined ? before : (before ?? 0) + added;
}
