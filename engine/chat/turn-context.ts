import type { WorkspaceRow } from "../db/schema.ts";
import type { ReasoningEffort } from "../models/language-model.ts";
import type { ThreadInWorkspace } from "../threads/wire.ts";
import type { Peer } from "./frames.ts";
import type { TurnJournal } from "./journal.ts";
import type { ChatDeps } from "./ports.ts";
import type { ClientOrigin, ClientToolResult, FileContext } from "./wire.ts";

/** What stays the same for one turn once its user message is stored. */
export interface TurnContext {
  id: string;
  deps: ChatDeps;
  peer: Peer;
  journal: TurnJournal;
  signal: AbortSignal;
  /** What takes the result of each client tool that the turn waits for, by the id of its request. */
  clientTools: Map<string, (result: ClientToolResult) => void>;
  workspace: WorkspaceRow;
  thread: ThreadInWorkspace;
  files: FileContext;
  /** How long the model may think; undefined is its own default. */
  reasoningEffort: ReasoningEffort | undefined;
  /** The program that asks, if it has a client key. */
  client: ClientOrigin | undefined;
}
