import type { ThreadRow, WorkspaceRow } from "../../db/schema.ts";
import type { EngineDeps } from "../../deps.ts";
import type { ToolSpec } from "../../models/language-model.ts";
import type { Operation } from "../../policies/operations.ts";

/** Where a built-in tool runs: the turn's workspace and thread, and the files that the turn tagged. */
export interface ToolContext {
  deps: Pick<EngineDeps, "config" | "db" | "clock" | "retrieval">;
  workspace: WorkspaceRow;
  thread: ThreadRow;
  taggedFiles: readonly { rootIndex: number; path: string; label: string }[];
  /** Whether this call was known to reach the engine's own data when the user approved it. */
  protectedApproved?: boolean;
}

/** A built-in tool. Made with `defineTool`. */
export interface BuiltinTool {
  group: string;
  name: string;
  /** For people and models: what it does, in a sentence or two. */
  doc: string;
  operation: Operation;
  /** The tool as a model sees it. */
  readonly spec: ToolSpec;
  /**
   * Whether these arguments need approval whatever the policy says, such as a path in the engine's own data directory.
   * @throws ToolFailure where the arguments are bad.
   */
  needsApprovalAlways(context: ToolContext, args: unknown): Promise<boolean>;
  /**
   * Parses the arguments itself.
   * @throws ToolFailure for what the model should read; the signal's reason where it was aborted; anything else is a
   * fault that ends the turn.
   */
  run(context: ToolContext, args: unknown, signal: AbortSignal): Promise<unknown>;
}

/** What a tool reports to the model: the turn goes on. */
export class ToolFailure extends Error {
  override name = "ToolFailure";
}
