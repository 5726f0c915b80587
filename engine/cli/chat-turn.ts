import { isAbsolute, resolve } from "node:path";
import { toPrintable } from "../../shared/cli/printable.ts";
import { createPrompt } from "../../shared/cli/prompt.ts";
import type { ApprovalRequest } from "../client/chat.ts";
import type { EngineClient, TurnSource, Workspace } from "../client/client.ts";
import { ECHO, findFallbackModel } from "../client/default-model.ts";
import type { ReasoningEffort } from "../models/language-model.ts";
import { toVisible } from "../visible.ts";
import { nameOf } from "./approval-commands.ts";
import type { CommandContext } from "./context.ts";
import { rootsOf } from "./workspace-choice.ts";

/** What answers: by default the model that the engine takes, which decides how much it thinks. */
export interface TurnOptions {
  model?: string;
  effort?: ReasoningEffort;
}

/** What is asked, and where. */
interface Ask extends TurnOptions {
  engine: EngineClient;
  workspace: Workspace;
  content: string;
  /** Undefined begins a new thread. */
  threadUuid?: string | undefined;
}

/**
 * Runs a turn and writes its text as it comes, then its sources and notices. Approvals are asked; without a terminal they are denied.
 * @returns the answer, the passages that the model got for it, and sentences about what had no room and about the model
 * @throws TurnCancelled, TurnFailed, EngineError
 */
export async function runTurn(context: CommandContext, ask: Ask) {
  const { engine, workspace, threadUuid, content } = ask;
  const { signal, terminal, remark } = context;
  const modelId = ask.model ?? (await chooseModelId(context, ask));
  const isJson = !context.showsText();
  const where = threadUuid === undefined ? { workspaceUuid: workspace.uuid } : { threadUuid };
  let shown = "";
  const show = (text: string) => {
    shown += text;
    if (!isJson) terminal.write(toPrintable(text));
  };
  const turn = engine.chat(
    { ...where, content, modelId: modelId ?? null, reasoningEffort: ask.effort ?? null },
    {
      signal,
      onApproval: (request) => {
        if (!shown.endsWith("\n") && shown !== "") show("\n");
        return decide(context, request);
      },
    },
  );
  try {
    for await (const event of turn) {
      if (event.type === "text") show(event.delta);
      else if (event.type === "snapshot") show(restOf(event.text, shown));
      else if (event.type === "retry") remark(`Retrying the provider: ${event.reason}`);
      else if (event.type === "tool" && !/^(running|waiting)$/.test(event.state)) {
        remark(`[${event.toolName}: ${event.state}]`);
      }
    }
  } finally {
    // What a turn failed with stands on a line of its own.
    if (!shown.endsWith("\n") && shown !== "") show("\n");
  }
  const result = await turn;
  if (result.turn.model === ECHO && !(await findFallbackModel(engine, { signal }))) remark(IS_ECHO);
  const { turnUuid } = result;
  const [listed, { notices }] = await Promise.all([
    engine.turns.listSources(turnUuid, { signal }),
    engine.turns.getContext(turnUuid, { signal }),
  ]);
  const sources = listed.map((source) => toSourceText(source, rootsOf(workspace)));
  if (sources.length > 0 && !isJson) {
    terminal.write(toPrintable(`\nSources:\n${sources.map((source) => `  ${source}\n`).join("")}`));
  }
  for (const notice of notices) remark(toVisible(notice));
  return { threadUuid: result.threadUuid, turnUuid, text: result.text, sources, notices };
}

const IS_ECHO =
  "No model is connected. This is your own text. `npm run engine -- setup` connects one.";

/** Echo answers nothing if a model is configured: the request then names the oldest one. */
async function chooseModelId(
  { remark, signal }: CommandContext,
  { engine, workspace, threadUuid }: Ask,
): Promise<string | undefined> {
  const thread = threadUuid === undefined ? undefined : await engine.threads.get(threadUuid);
  if (thread?.defaultModelId || workspace.defaultModelId) return undefined;
  const fallback = await findFallbackModel(engine, { signal });
  if (!fallback || fallback.isSet) return undefined;
  remark(
    `No default model is set, so ${fallback.name} answers: it was connected first. ` +
      `\`npm run engine -- models default ${fallback.id}\` makes it the default.`,
  );
  return fallback.id;
}

/** What a snapshot adds to what is on the screen; all of it where it differs. */
function restOf(text: string, shown: string): string {
  return text.startsWith(shown) ? text.slice(shown.length) : `\n${text}`;
}

async function decide(context: CommandContext, request: ApprovalRequest): Promise<boolean> {
  const call = nameOf(request);
  const what = `${call} (${request.operation}) ${toVisible(JSON.stringify(request.arguments, null, 2))}`;
  if (!context.isInteractive()) {
    context.remark(`Denied, because no terminal can ask: ${what}`);
    return false;
  }
  context.remark(what);
  return createPrompt(context.terminal, context.signal).confirm(`Call ${call}?`, false);
}

/** A passage that a turn sent to its model, as `path:line-line`. @internal for tests */
export function toSourceText(source: TurnSource, roots: readonly string[]): string {
  const { rootIndex, path, startLine, endLine, sensitive } = source;
  const root = rootIndex === null ? undefined : roots[rootIndex];
  const place = root === undefined || isAbsolute(path) ? path : resolve(root, path);
  if (sensitive) return `${place} (withheld)`;
  return startLine === null ? place : `${place}:${startLine}-${endLine ?? startLine}`;
}
