import { toIsoTime } from "../../shared/clock.ts";
import type { WorkspaceRow } from "../db/schema.ts";
import { notFound } from "../errors.ts";
import { insertMessageStatements } from "../messages/store.ts";
import type { ResolvedModel } from "../models/resolve.ts";
import { findThread, insertThreadStatement, setDefaultModelStatement } from "../threads/store.ts";
import { toTitle } from "../threads/title.ts";
import type { ThreadInWorkspace } from "../threads/wire.ts";
import { findWorkspace } from "../workspaces/store.ts";
import type { ChatDeps } from "./ports.ts";
import type { ChatSend } from "./wire.ts";

/** Where a turn is to run. Nothing is written by then, so an implicit thread needs no rollback. */
export interface TurnTarget {
  workspace: WorkspaceRow;
  /** Undefined where the turn makes one. */
  thread: ThreadInWorkspace | undefined;
  model: ResolvedModel;
}

/** A turn whose user message is stored. */
export interface CommittedTurn {
  thread: ThreadInWorkspace;
  userMessage: { uuid: string; createdAt: string };
}

/** @throws EngineError where the thread or workspace is not there, or no model resolves. */
export async function resolveTarget(deps: ChatDeps, input: ChatSend): Promise<TurnTarget> {
  const thread = await findTargetThread(deps, input);
  const workspaceUuid = thread?.workspaceUuid ?? input.workspace_uuid ?? "";
  const workspace = await findWorkspace(deps.db, workspaceUuid);
  if (!workspace) throw notFound(thread ? "Thread" : "Workspace");
  const model = await deps.chat.resolveModel(deps, {
    requested: input.model_id,
    threadDefault: thread?.defaultModelId ?? null,
    workspaceDefault: workspace.defaultModelId,
  });
  return { workspace, thread, model };
}

async function findTargetThread(deps: ChatDeps, input: ChatSend) {
  if (input.thread_uuid == null) return undefined;
  const thread = await findThread(deps.db, input.thread_uuid);
  if (!thread) throw notFound("Thread");
  return thread;
}

/**
 * Stores the user message, and with it the implicit thread and the resolved model, in one batch: all of it or nothing.
 * @throws EngineError `not_found` where the thread or workspace went away meanwhile.
 */
export async function commitUserMessage(
  deps: ChatDeps,
  { thread, workspace, model }: TurnTarget,
  content: string,
): Promise<CommittedTurn> {
  const now = toIsoTime(deps.clock.now());
  const uuid = crypto.randomUUID();
  const threadUuid = thread?.uuid ?? crypto.randomUUID();
  const message = { uuid, threadUuid, role: "user" as const, content, now };
  const first = thread
    ? defaultModelStatements(thread, model)
    : [insertThreadStatement(toThreadInput(workspace, threadUuid, { content, model, now }))];
  const storing = insertMessageStatements({ ...message, touchesThread: thread !== undefined });
  const results = await deps.db.$client.batch([...first, ...storing], "write");
  const createdAt = results[first.length]?.rows[0]?.created_at;
  const committed = await findThread(deps.db, threadUuid);
  if (typeof createdAt !== "string" || !committed) throw notFound(thread ? "Thread" : "Workspace");
  return { thread: committed, userMessage: { uuid, createdAt } };
}

function defaultModelStatements(thread: ThreadInWorkspace, { persist }: ResolvedModel) {
  if (persist === undefined || persist === thread.defaultModelId) return [];
  return [setDefaultModelStatement(thread.uuid, persist)];
}

function toThreadInput(
  workspace: WorkspaceRow,
  uuid: string,
  { content, model, now }: { content: string; model: ResolvedModel; now: string },
) {
  const defaultModelId = model.persist ?? null;
  return { uuid, workspaceUuid: workspace.uuid, title: toTitle(content), defaultModelId, now };
}
