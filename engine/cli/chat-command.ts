import { type Command, Option } from "commander";
import { createPrompt, InputEnded, type Prompt } from "../../shared/cli/prompt.ts";
import { TurnFailed } from "../client/errors.ts";
import { nameNewThread } from "../client/new-thread-title.ts";
import { withDeadline } from "../deadline.ts";
import { REASONING_EFFORTS } from "../models/language-model.ts";
import { runTurn, type TurnOptions } from "./chat-turn.ts";
import type { CommandContext } from "./context.ts";
import { readInput } from "./input.ts";
import { CHAT_INPUT_CHARACTERS_MAX, TITLE_WAIT_MS } from "./limits.ts";
import { makeWorkspace, type WorkspaceWanted } from "./workspace-choice.ts";

interface ChatOptions extends WorkspaceWanted, TurnOptions {}

/** `chat`. */
export function addChatCommand(program: Command, context: CommandContext): void {
  const command = program
    .command("chat")
    .description(
      "Ask a model. Without a text: a conversation on a terminal, or the text of standard input. The answer ends with the " +
        "files that tools read for it. On a terminal it asks for approvals; elsewhere it denies them. Ctrl-C cancels the turn.",
    )
    .argument("[text...]", "the message")
    .option(
      "--workspace <name>",
      "name or uuid (default: that of the current folder, else the newest)",
    )
    .option("--root <dir>", "the workspace of this folder, created if necessary")
    .option("--model <id>", "an id from `models`")
    .addOption(
      new Option(
        "--effort <effort>",
        "how much the model thinks (default: the model decides)",
      ).choices(REASONING_EFFORTS),
    )
    .action(async (words: string[], options: ChatOptions) => {
      const text = words.join(" ").trim();
      if (text !== "") return runOnce(context, text, options);
      if (context.isInteractive()) return runConversation(context, options);
      const piped = await readInput(context.terminal, CHAT_INPUT_CHARACTERS_MAX);
      if (piped === "") command.error("error: missing argument 'text'", { exitCode: 2 });
      return runOnce(context, piped, options);
    });
}

async function runOnce(context: CommandContext, content: string, options: ChatOptions) {
  await using engine = await context.openEngine();
  const workspace = await makeWorkspace(engine, options, context);
  const answer = await runTurn(context, { ...options, engine, workspace, content });
  if (!context.showsText()) context.out().json({ workspaceUuid: workspace.uuid, ...answer });
  const late = { delayMs: TITLE_WAIT_MS, reason: undefined };
  using limited = withDeadline(context.timers, context.signal, late);
  await nameNewThread(engine, answer.threadUuid, limited);
}

async function runConversation(context: CommandContext, options: ChatOptions): Promise<void> {
  await using engine = await context.openEngine();
  const workspace = await makeWorkspace(engine, options, context);
  context.remark(`Workspace ${workspace.name}. An empty line ends the conversation.`);
  const prompt = createPrompt(context.terminal, context.signal);
  let threadUuid: string | undefined;
  let hasAnswer = false;
  for (;;) {
    const content = await readLine(context, prompt);
    if (content === "") return;
    const ask = { ...options, engine, workspace, threadUuid, content };
    try {
      threadUuid = (await runTurn(context, ask)).threadUuid;
      // Beside the next question. The disposal of the client ends what is left of it.
      if (!hasAnswer) void nameNewThread(engine, threadUuid, context);
      hasAnswer = true;
    } catch (error) {
      // A turn that failed ends no conversation: the next one may be answered.
      if (!(error instanceof TurnFailed) || error.turnUuid === undefined) throw error;
      context.remark(error.message);
      threadUuid ??= (await engine.turns.get(error.turnUuid)).threadUuid;
    }
  }
}

/** The next line of a conversation; empty if it ends, by an empty line or by Ctrl-D. */
async function readLine({ remark }: CommandContext, prompt: Prompt): Promise<string> {
  try {
    return await prompt.line(">");
  } catch (error) {
    if (!(error instanceof InputEnded)) throw error;
    remark("");
    return "";
  }
}
