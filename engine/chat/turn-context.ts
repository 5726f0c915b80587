import type { WorkspaceRow } from "../db/schema.ts";
import type { ThreadInWorkspace } from "../threads/wire.ts";
import type { Decision } from "./decision.ts";
import type { FileContext } from "./file-context.ts";
import type { TurnJournal } from "./journal.ts";
import type { Peer } from "./peer.ts";
import type { PendingReplies } from "./pending.ts";
import type { ChatDeps } from "./ports.ts";
import type { ClientToolResult } from "./wire.ts";

/** The requests of one turn that wait for its client. */
export interface Questions {
  approvals: PendingReplies<Decision>;
  clientTools: PendingReplies<ClientToolResult>;
}

/** What stays the same for one turn once its user message is stored. */
export interface TurnContext {
  id: string;
  deps: ChatDeps;
  peer: Peer;
  journal: TurnJournal;
  signal: AbortSignal;
  questions: Questions;
  workspace: WorkspaceRow;
  thread: ThreadInWorkspace;
  files: FileContext;
}
