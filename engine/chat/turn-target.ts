import { Batch } from "../../shared/batch.ts";
import { toIsoTime } from "../../shared/clock.ts";
import type { WorkspaceRow } from "../db/schema.ts";
import { notFound } from "../errors.ts";
import { addMessage } from "../messages/store.ts";
import type { Message } from "../messages/wire.ts";
import type { ResolvedModel } from "../models/resolve.ts";
import {
  findThread,
  findThreadAndWorkspace,
  insertThreadStatement,
  setDefaultModelStatement,
} from "../threads/store.ts";
import { toTitle } from "../threads/title.ts";
import type { ThreadInWorkspace } from "../threads/wire.ts";
import { getWorkspace } from "../workspaces/store.ts";
import type { TurnJournal } from "./journal.ts";
import type { ChatDeps } from "./ports.ts";
import type { ChatSend } from "./wire.ts";

/** Where a turn runs. Resolving writes nothing, so an implicit thread needs no rollback. */
export interface TurnTarget {
  workspace: WorkspaceRow;
  /** Undefined if the turn creates one. */
  thread: ThreadInWorkspace | undefined;
  model: ResolvedModel;
}

/** A turn whose user message is stored. */
export interface CommittedTurn {
  thread: ThreadInWorkspace;
  userMessage: Message;
}

/** @throws EngineError if the thread or workspace does not exist, or no model resolves. */
export async function resolveTarget(deps: ChatDeps, input: ChatSend): Promise<TurnTarget> {
  const { thread, workspace } = await resolvePlace(deps, input);
  const model = await deps.chat.resolveModel(deps, {
    requested: input.model_id,
    threadDefault: thread?.defaultModelId ?? null,
    workspaceDefault: workspace.defaultModelId,
  });
  return { workspace, thread, model };
}

async function resolvePlace(
  { db }: ChatDeps,
  { thread_uuid, workspace_uuid }: ChatSend,
): Promise<Omit<TurnTarget, "model">> {
  if (thread_uuid == null) {
    return { thread: undefined, workspace: await getWorkspace(db, workspace_uuid ?? "") };
  }
  const found = await findThreadAndWorkspace(db, thread_uuid);
  if (!found) throw notFound("Thread");
  return found;
}

/**
 * Stores the user message, the implicit thread, the resolved model and the record of the turn in one batch.
 * @throws EngineError `not_found` if the thread or workspace was deleted meanwhile.
 */
export async function commitUserMessage(
  deps: ChatDeps,
  { thread, workspace, model }: TurnTarget,
  content: string,
  journal: TurnJournal,
): Promise<CommittedTurn> {
  const now = toIsoTime(deps.clock.now());
  const uuid = crypto.randomUUID();
  const threadUuid = thread?.uuid ?? crypto.randomUUID();
  const message = { uuid, threadUuid, role: "user" as const, content };
  const batch = new Batch();
  if (!thread) {
    const input = toThreadInput(workspace, threadUuid, { content, model, now });
    batch.add(insertThreadStatement(input));
  } else if (model.persist !== undefined && model.persist !== thread.defaultModelId) {
    batch.add(setDefaultModelStatement(threadUuid, model.persist));
  }
  const touchesThread = thread !== undefined;
  const stored = addMessage(batch, { ...message, now, touchesThread });
  journal.recordStart(batch, {
    threadUuid,
    workspaceUuid: workspace.uuid,
    userMessageUuid: uuid,
    model: model.id,
    startedAt: now,
  });
  await batch.run(deps.db);
  const userMessage = stored();
  if (!userMessage) throw notFound(thread ? "Thread" : "Workspace");
  if (thread) return { thread: withModel(deps, thread, model), userMessage };
  const created = await findThread(deps.db, threadUuid);
  if (!created) throw notFound("Workspace");
  return { thread: created, userMessage };
}

/** A thread with the default model that the batch stored for it. */
function withModel(
  { changes }: Pick<ChatDeps, "changes">,
  thread: ThreadInWorkspace,
  { persist = thread.defaultModelId }: ResolvedModel,
): ThreadInWorkspace {
  if (persist === thread.defaultModelId) return thread;
  const { uuid, workspaceUuid } = thread;
  const data = { threadUuid: uuid, workspaceUuid, changed: ["defaultModelId"] };
  changes.publish({ type: "thread.updated", data });
  return { ...thread, defaultModelId: persist };
}

function toThreadInput(
  workspace: WorkspaceRow,
  uuid: string,
  { content, model, now }: { content: string; model: ResolvedModel; now: string },
) {
  const defaultModelId = model.persist ?? null;
  return { uuid, workspaceUuid: workspace.uuid, title: toTitle(content), defaultModelId, now };
}
