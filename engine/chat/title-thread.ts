import { toIsoTime } from "../../shared/clock.ts";
import { redactText } from "../../shared/log.ts";
import { withDeadline } from "../deadline.ts";
import { conflict, invalid, notFound, providerFailed } from "../errors.ts";
import { TITLE_CHARACTERS_MAX } from "../limits.ts";
import { listFirstExchange } from "../messages/store.ts";
import { type LanguageModel, ModelFailure, type ModelRequest } from "../models/language-model.ts";
import { ECHO_MODEL_ID } from "../models/providers/echo.ts";
import { findThreadAndWorkspace, hasPersonsTitle, updateEngineTitle } from "../threads/store.ts";
import type { ThreadInWorkspace } from "../threads/wire.ts";
import {
  TITLE_ANSWER_CHARACTERS_MAX,
  TITLE_MESSAGE_CHARACTERS_MAX,
  TITLE_MS_MAX,
  TITLE_WORDS_MAX,
} from "./limits.ts";
import type { ChatDeps } from "./ports.ts";

const INSTRUCTIONS = `Give the conversation a title of at most ${TITLE_WORDS_MAX} words, in its own language. Answer with the title alone: one line, no quotation marks, no period.`;
const TOO_SLOW = `The model gave no title within ${TITLE_MS_MAX / 1000} seconds.`;

/**
 * Gives a thread a title by its model: one request with the first question and its answer.
 * @throws EngineError `not_found`; `invalid` without a model or a message; `conflict` if a person gave it a title, also meanwhile;
 * `provider`, `credential_store`
 */
export async function titleThread(
  deps: ChatDeps,
  uuid: string,
  signal: AbortSignal,
): Promise<ThreadInWorkspace> {
  const { db, clock, changes } = deps;
  const { thread, workspace } = (await findThreadAndWorkspace(db, uuid)) ?? {};
  if (!thread) throw notFound("Thread");
  if (hasPersonsTitle(thread)) throw hasTitle();
  const model = await deps.chat.resolveModel(deps, {
    requested: undefined,
    threadDefault: thread.defaultModelId,
    workspaceDefault: workspace?.defaultModelId ?? null,
  });
  if (model.id === ECHO_MODEL_ID) throw invalid("The thread has no model. Connect one first.");
  const request = await toRequest(deps, thread.id);
  const limits = { delayMs: TITLE_MS_MAX, reason: new ModelFailure(TOO_SLOW) };
  using limited = withDeadline(deps.timers, signal, limits);
  const title = await asProviderFailure(async () => {
    const { window } = await model.window(limited.signal);
    return readTitle(await model.create(window), request, limited.signal);
  });
  const titled = await updateEngineTitle(db, uuid, { title, now: toIsoTime(clock.now()) });
  if (!titled) throw (await findThreadAndWorkspace(db, uuid)) ? hasTitle() : notFound("Thread");
  const { workspaceUuid } = titled;
  const data = { threadUuid: uuid, workspaceUuid, changed: ["title", "updatedAt"] };
  changes.publish({ type: "thread.updated", data });
  return titled;
}

function hasTitle() {
  return conflict("The thread has a title that a person gave it.");
}

async function toRequest({ db }: ChatDeps, threadId: number): Promise<ModelRequest> {
  const said = await listFirstExchange(db, threadId, TITLE_MESSAGE_CHARACTERS_MAX);
  const text = said
    .filter(({ content }) => content.trim() !== "")
    .map(({ role, content }) => `${role === "user" ? "Question" : "Answer"}:\n${content}`);
  if (text.length === 0) throw invalid("The thread has no message yet.");
  const messages = [{ role: "user" as const, content: text.join("\n\n") }];
  return { instructions: INSTRUCTIONS, messages, tools: [] };
}

async function asProviderFailure<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof ModelFailure ? providerFailed(redactText(error.message)) : error;
  }
}

/** @throws ModelFailure */
async function readTitle(
  model: LanguageModel,
  request: ModelRequest,
  signal: AbortSignal,
): Promise<string> {
  let text = "";
  for await (const part of model.stream(request, signal)) {
    if (part.type === "delta") text += part.text;
    if (text.length > TITLE_ANSWER_CHARACTERS_MAX) break;
  }
  const title = toTitleLine(text);
  if (title === "") throw new ModelFailure("The model gave no title.");
  return title;
}

/** The first line that says something, without marks around it, of at most six words and 60 characters. @internal for tests */
export function toTitleLine(text: string): string {
  const lines = text
    .toWellFormed()
    .replaceAll("\0", " ")
    .split(/[\r\n]/);
  const line = lines.map((line) => withoutMarks(line.trim())).find((line) => line !== "") ?? "";
  const words = line.split(/\s+/).slice(0, TITLE_WORDS_MAX).join(" ");
  return Array.from(words).slice(0, TITLE_CHARACTERS_MAX).join("").trim();
}

const MARKS = new Set("#*_`\"'“”„«»‘’. ");

function withoutMarks(line: string): string {
  let [from, to] = [0, line.length];
  while (from < to && MARKS.has(line[from] ?? "")) from += 1;
  while (to > from && MARKS.has(line[to - 1] ?? "")) to -= 1;
  return line.slice(from, to);
}
