import { toIsoTime } from "../../shared/clock.ts";
import { withoutTrailing } from "../../shared/without-trailing.ts";
import { askForText } from "../chat/ask-for-text.ts";
import {
  TITLE_ANSWER_CHARACTERS_MAX,
  TITLE_MESSAGE_CHARACTERS_MAX,
  TITLE_MS_MAX,
  TITLE_WORDS_MAX,
} from "../chat/limits.ts";
import type { ChatDeps } from "../chat/ports.ts";
import { withDeadline } from "../deadline.ts";
import { conflict, invalid, notFound } from "../errors.ts";
import { TITLE_CHARACTERS_MAX } from "../limits.ts";
import { listFirstExchange } from "../messages/store.ts";
import { ModelFailure } from "../models/language-model.ts";
import { ECHO_MODEL_ID } from "../models/providers/echo.ts";
import { findThreadAndWorkspace, hasPersonsTitle, updateEngineTitle } from "../threads/store.ts";
import type { ThreadInWorkspace } from "../threads/wire.ts";
import { askBeside } from "./ask-beside.ts";

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
  const content = await firstWords(deps, thread.id);
  const limits = { delayMs: TITLE_MS_MAX, reason: new ModelFailure(TOO_SLOW) };
  using limited = withDeadline(deps.timers, signal, limits);
  const title = await askBeside(deps, { thread, model: model.id, signal }, async (onUsage) => {
    const { window } = await model.window(limited.signal);
    const asked = { model: await model.create(window), signal: limited.signal, onUsage };
    const request = { instructions: INSTRUCTIONS, content };
    const line = toTitleLine(await askForText(asked, request, TITLE_ANSWER_CHARACTERS_MAX));
    if (line === "") throw new ModelFailure("The model gave no title.");
    return line;
  });
  const titled = await updateEngineTitle(db, uuid, { title, now: toIsoTime(clock.now()) });
  if (!titled) throw (await findThreadAndWorkspace(db, uuid)) ? hasTitle() : notFound("Thread");
  const { workspaceUuid } = titled;
  const data = { threadUuid: uuid, workspaceUuid, changed: ["title", "updatedAt"] };
  changes.publish({ type: "thread.updated", data });
  return titled;
}

function hasTitle() {
  return conflict("A person set the title of the thread, so it is not replaced.");
}

/** What a model reads of a thread. */
async function firstWords({ db }: ChatDeps, threadId: number): Promise<string> {
  const said = await listFirstExchange(db, threadId, TITLE_MESSAGE_CHARACTERS_MAX);
  const text = said
    .filter(({ content }) => content.trim() !== "")
    .map(({ role, content }) => `${role === "user" ? "Question" : "Answer"}:\n${content}`);
  if (text.length === 0) throw invalid("The thread has no message yet.");
  return text.join("\n\n");
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

const MARKS = "#*_`\"'“”„«»‘’. ";

function withoutMarks(line: string): string {
  const from = Array.from(line).findIndex((character) => !MARKS.includes(character));
  return from < 0 ? "" : withoutTrailing(line.slice(from), MARKS);
}
