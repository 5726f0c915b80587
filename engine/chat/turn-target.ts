import { Batch } from "../../shared/batch.ts";
import { toIsoTime } from "../../shared/clock.ts";
import type { WorkspaceRow } from "../db/schema.ts";
import { invalid, notFound, orNotFound } from "../errors.ts";
import { insertAttachmentsStatement, listAttachments } from "../messages/attachment-store.ts";
import { addMessage, findPageEnd, findUserMessage, type MessagePlace } from "../messages/store.ts";
import type { Message } from "../messages/wire.ts";
import type { ModelAttachment } from "../models/language-model.ts";
import type { ResolvedModel } from "../models/resolve.ts";
import {
  findThread,
  findThreadAndWorkspace,
  insertThreadStatement,
  setDefaultModelStatement,
} from "../threads/store.ts";
import { type ThreadInWorkspace, toTitle } from "../threads/wire.ts";
import { getWorkspace } from "../workspaces/store.ts";
import type { TurnJournal } from "./journal.ts";
import type { ChatDeps } from "./ports.ts";
import {
  type ClientOrigin,
  EMPTY_FILE_CONTEXT,
  type FileContext,
  type TurnStartInput,
} from "./wire.ts";

/** Where a turn runs, and its question. Resolving writes nothing, so an implicit thread needs no rollback. */
export interface TurnTarget {
  workspace: WorkspaceRow;
  /** Undefined if the turn creates one. */
  thread: ThreadInWorkspace | undefined;
  model: ResolvedModel;
  content: string;
  files: FileContext;
  /** The message of the thread that the question replaces, in a fork of the thread. */
  replaced: MessagePlace | undefined;
  client: ClientOrigin | undefined;
}

/** A turn whose user message is stored. */
export interface CommittedTurn {
  thread: ThreadInWorkspace;
  /** Whether the turn made its thread. */
  isNewThread: boolean;
  /** What the client key's turn stored before the user message. */
  earlier: Message[];
  userMessage: Message;
}

/** @throws EngineError if the thread, workspace or replaced message does not exist, or no model resolves. */
export async function resolveTarget(deps: ChatDeps, input: TurnStartInput): Promise<TurnTarget> {
  const { thread, workspace } = await resolvePlace(deps, input);
  const question = await resolveQuestion(deps, input, thread);
  const model = await deps.chat.resolveModel(deps, {
    requested: input.model_id,
    threadDefault: thread?.defaultModelId ?? null,
    workspaceDefault: workspace.defaultModelId,
  });
  return { workspace, thread, model, client: input.client, ...question };
}

type Question = Pick<TurnTarget, "content" | "files" | "replaced">;

/** A question that replaces another one keeps what of that it does not name. */
async function resolveQuestion(
  deps: ChatDeps,
  { content, file_context, replaces }: TurnStartInput,
  thread: ThreadInWorkspace | undefined,
): Promise<Question> {
  const files = file_context ?? EMPTY_FILE_CONTEXT;
  if (replaces == null) return { content: content ?? "", files, replaced: undefined };
  const replaced = thread && (await findUserMessage(deps.db, thread.uuid, replaces));
  if (!replaced) {
    throw invalid("The request is not valid.", "replaces: is not a user message of this thread");
  }
  const attachments = files.keepsAttachments
    ? await readAttachments(deps, replaced.uuid)
    : files.attachments;
  return { content: content ?? replaced.content, files: { ...files, attachments }, replaced };
}

/** The attachments of a message, without those whose files are missing. */
async function readAttachments(
  { db, attachments }: ChatDeps,
  messageUuid: string,
): Promise<ModelAttachment[]> {
  const found: ModelAttachment[] = [];
  for (const { name, mediaType, hash } of (await listAttachments(db, messageUuid)) ?? []) {
    const bytes = await attachments.read(hash);
    if (bytes) found.push({ name, mediaType, bytes });
  }
  return found;
}

async function resolvePlace(
  { db }: ChatDeps,
  { thread_uuid, workspace_uuid }: TurnStartInput,
): Promise<Pick<TurnTarget, "workspace" | "thread">> {
  if (thread_uuid == null) {
    return { thread: undefined, workspace: await getWorkspace(db, workspace_uuid ?? "") };
  }
  return orNotFound(await findThreadAndWorkspace(db, thread_uuid), "Thread");
}

/**
 * Stores the user message with its attachments, the implicit thread or the fork, the resolved model and the record of the turn in
 * one batch.
 * @throws EngineError `not_found` if the thread or workspace was deleted meanwhile; the reason of the signal
 */
export async function commitUserMessage(
  deps: ChatDeps,
  target: TurnTarget,
  { journal, signal }: { journal: TurnJournal; signal: AbortSignal },
): Promise<CommittedTurn> {
  const { thread, workspace, model, content, files, client } = target;
  using held = await deps.attachments.store(files.attachments.map(({ bytes }) => bytes));
  using fork = await forkBefore(deps, target, signal);
  const now = toIsoTime(deps.clock.now());
  const uuid = crypto.randomUUID();
  const existing = fork?.thread ?? thread;
  const threadUuid = existing?.uuid ?? crypto.randomUUID();
  const batch = new Batch();
  for (const statement of fork?.show(uuid) ?? []) batch.add(statement);
  if (!existing) {
    const place = { uuid: threadUuid, workspaceUuid: workspace.uuid };
    const title = { title: toTitle(content), titleByEngine: true };
    const defaultModelId = model.persist ?? null;
    batch.add(insertThreadStatement({ ...place, ...title, defaultModelId, now }));
  } else if (model.persist !== undefined && model.persist !== existing.defaultModelId) {
    batch.add(setDefaultModelStatement(threadUuid, model.persist));
  }
  const earlierOf = client?.addTo(batch, { threadUuid, now });
  const message = { uuid, threadUuid, role: "user" as const, content };
  const stored = addMessage(batch, { ...message, now, touchesThread: existing !== undefined });
  const attached = files.attachments.map(({ name, mediaType, bytes }, at) => {
    return { name, mediaType, size: bytes.length, hash: held.hashes[at] ?? "" };
  });
  if (attached.length > 0) batch.add(insertAttachmentsStatement(uuid, attached));
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
  const earlier = earlierOf?.() ?? [];
  if (thread && !fork) {
    return { thread: withModel(deps, thread, model), isNewThread: false, earlier, userMessage };
  }
  const created = orNotFound(await findThread(deps.db, threadUuid), "Workspace");
  return { thread: created, isNewThread: true, earlier, userMessage };
}

/** A hidden copy of the thread up to the message before the one that is replaced; undefined if none is. */
async function forkBefore(
  { db, forks }: ChatDeps,
  { thread, replaced }: TurnTarget,
  signal: AbortSignal,
) {
  if (!thread || !replaced) return undefined;
  const { end: through } = await findPageEnd(db, thread.uuid, { limit: 1, below: replaced });
  const request = { origin: thread, through, replacedMessageUuid: replaced.uuid };
  return forks.copy(request, signal);
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
