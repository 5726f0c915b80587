import type { z } from "zod";
import type { Batch } from "../../shared/batch.ts";
import type { TURN_SOURCES } from "../db/schema.ts";
import type { GraphActivity } from "../events/event.ts";
import type { GrantableCall } from "../grants/grant.ts";
import type { FrozenObject } from "../models/json-object.ts";
import type { ModelRetry, ModelUsage } from "../models/language-model.ts";
import type { Operation } from "../policies/operations.ts";
import type { ToolCallProgress } from "../tools/builtin/builtin.ts";
import type { SentContext, TurnSource } from "./sent-wire.ts";
import type { ToolEnd } from "./tool-record.ts";

/** A turn whose user message is about to be stored. */
export interface TurnStart {
  threadUuid: string;
  workspaceUuid: string;
  userMessageUuid: string;
  model: string;
  startedAt: string;
}

/** A tool call, as it proceeds. */
export interface ToolProgress {
  toolCallId: string;
  toolName: string;
  operation: Operation;
  state: "waiting" | "running" | ToolEnd["status"];
  /** Null before its end. */
  durationMs: number | null;
  /** The progress of a long call, if its tool reports it. */
  progress?: ToolCallProgress;
}

/** A tool call that waits for the user. */
export interface ApprovalRequest {
  uuid: string;
  toolName: string;
  /** The MCP server that has the tool; null for other tools. */
  serverName: string | null;
  operation: Operation;
  arguments: FrozenObject;
}

/** How a turn ended. */
export type TurnOutcome =
  | { state: "completed" | "cancelled" | "interrupted" }
  | { state: "failed"; error: string };

/** What a turn reports about itself while it runs: to its record, and to clients that follow it. */
export interface TurnJournal {
  /** Of the turn; its run has the same id. */
  readonly uuid: string;
  readonly source: (typeof TURN_SOURCES)[number];
  /** Adds the record to the batch of the user message. */
  recordStart(batch: Batch, start: TurnStart): void;
  /** That batch is committed, and a new thread is announced. */
  onStarted(): void;
  /** Adds the end to the batch of the assistant message. */
  recordEnd(batch: Batch, assistantMessageUuid: string): void;
  /** Stores any other end. Resolves when the record has it, and never rejects. */
  onEnded(outcome: TurnOutcome): Promise<void>;
  onActivity(data: z.infer<typeof GraphActivity>): void;
  /** The model thinks; together the deltas are the thinking of the turn. */
  onReasoning(delta: string): void;
  onTool(progress: ToolProgress): void;
  /**
   * Resolves with the first answer. `onWaiting` is called once answers are accepted; `call` is what the answer may be
   * remembered for.
   * @throws the reason of the signal
   */
  requestApproval(
    approval: ApprovalRequest,
    options: { signal: AbortSignal; onWaiting: () => void; call: GrantableCall | undefined },
  ): Promise<Decision>;
  onRetry(retry: ModelRetry): void;
  onUsage(usage: ModelUsage): void;
  /** A request is sent: what it and those before it held. */
  onSent(context: SentContext, sources: readonly TurnSource[]): void;
  onOmitted(toolGroups: readonly string[]): void;
  /** A call runs by this remembered approval. */
  onGranted(grantUuid: string): void;
}

/** The user's answer to an approval request. */
export type Decision = "approved" | "denied";

/** Only the text `approve`, in any case, approves (Engine §3, chat turn). */
export function toDecision(value: unknown): Decision {
  return typeof value === "string" && /^approve$/i.test(value) ? "approved" : "denied";
}
