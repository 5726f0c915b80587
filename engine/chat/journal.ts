import type { z } from "zod";
import type { TURN_SOURCES } from "../db/schema.ts";
import type { GraphActivity } from "../events/event.ts";
import type { FrozenObject } from "../models/json-object.ts";
import type { ModelRetry, ModelUsage } from "../models/language-model.ts";
import type { Operation } from "../policies/operations.ts";
import type { ToolCallProgress } from "../tools/builtin/builtin.ts";
import type { Decision } from "./decision.ts";
import type { ToolEnd } from "./tool-record.ts";

/** A turn whose user message is about to be stored. */
export interface TurnBeginning {
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
  /** How far a long call is, where its tool tells. */
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
  | { state: "completed"; assistantMessageUuid: string | null }
  | { state: "cancelled" | "interrupted" }
  | { state: "failed"; error: string };

/** What a turn tells about itself while it runs: its record, and clients that follow it. */
export interface TurnJournal {
  /** Of the turn; its run has the same id. */
  readonly uuid: string;
  readonly source: (typeof TURN_SOURCES)[number];
  /** What the row of the user message keeps of the turn that begins; null where it has no record. */
  beginning(turn: TurnBeginning): string | null;
  /** That batch is committed, and a new thread is announced. */
  begun(): void;
  /** What the row of the assistant message keeps of the turn that ends; null where it has no record. */
  ending(): string | null;
  /** The turn has ended. Resolves when the record says so, and never rejects. */
  end(outcome: TurnOutcome): Promise<void>;
  graph(data: z.infer<typeof GraphActivity>): void;
  tool(progress: ToolProgress): void;
  approvalRequested(approval: ApprovalRequest): void;
  /** Undefined where the turn ended before an answer. */
  approvalSettled(uuid: string, decision: Decision | undefined): void;
  retry(retry: ModelRetry): void;
  used(usage: ModelUsage): void;
  omitted(toolGroups: readonly string[]): void;
}
