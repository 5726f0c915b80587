import { homedir } from "node:os";
import { resolve } from "node:path";
import type { Command } from "commander";
import { CommandFailed } from "../../shared/cli/output.ts";
import { createPrompt, type Prompt } from "../../shared/cli/prompt.ts";
import type { Workspace } from "../client/client.ts";
import { toReadFreely } from "../client/new-workspace.ts";
import { runTurn } from "./chat-turn.ts";
import type { CommandContext } from "./context.ts";
import { runIndexing } from "./index-run.ts";
import { SEARCH_RESULTS_DEFAULT } from "./limits.ts";
import { chooseModel } from "./model-choice.ts";
import { showPassages } from "./retrieval-commands.ts";
import { changeWorkspace, makeWorkspace } from "./workspace-choice.ts";

const NO_MODEL =
  "No model is connected, so these are matching passages. Install Ollama (https://ollama.com) or LM Studio, load a model, " +
  "and run `setup` again: it finds both. For a provider with an API key: `npm run engine -- models add PROVIDER MODEL`.";
const FIRST_QUESTION = "What is in this folder?";
/** What is shown if no model answers. */
const PASSAGES = { limit: SEARCH_RESULTS_DEFAULT, mode: "hybrid" } as const;
/** `setup`. */
export function addSetupCommand(program: Command, context: CommandContext): void {
  program
    .command("setup")
    .description(
      "Connect a model, choose a folder, index it and ask a first question. Press Enter to accept a default.",
    )
    .action(() => runSetup(context));
}

async function runSetup(context: CommandContext): Promise<void> {
  if (!context.isInteractive()) {
    throw new CommandFailed(
      "`setup` asks questions, so run it on a terminal. `index DIR` and `chat` ask none.",
    );
  }
  await using engine = await context.openEngine();
  const { signal, remark } = context;
  const prompt = createPrompt(context.terminal, signal);
  const defaultModelId = await chooseModel(engine, prompt, context);
  const root = await askFolder(prompt, context);
  const made = await makeWorkspace(engine, { root }, context);
  const isFree = await prompt.confirm(
    "Can the model read files in this folder without asking?",
    true,
  );
  const change = (current: Workspace) => ({
    defaultModelId,
    ...(isFree ? toReadFreely(current) : { approvalConfig: { read: true } }),
  });
  const workspace = await changeWorkspace(engine, made.uuid, change, signal);
  const roots = await runIndexing(context, engine, workspace);
  const files = (roots ?? []).reduce((sum, each) => sum + each.indexed + each.unchanged, 0);
  const { name } = workspace;
  remark(
    `${name} is ready: you can search ${files.toLocaleString("en")} ${files === 1 ? "file" : "files"}.`,
  );
  const content = await prompt.line("A first question:", FIRST_QUESTION);
  if (defaultModelId === null) {
    await showPassages(context, engine, workspace, { query: content, ...PASSAGES });
    remark(NO_MODEL);
  } else {
    await runTurn(context, { engine, workspace, content });
  }
  const all = await engine.workspaces.list(context);
  const isOne = all.filter((each) => each.name === name).length === 1;
  const named = isOne ? JSON.stringify(name) : workspace.uuid;
  remark(`\nContinue with \`npm run engine -- chat --workspace ${named}\`.`);
}

async function askFolder(prompt: Prompt, { folder }: CommandContext): Promise<string> {
  const typed = await prompt.line("A folder to ask about:", folder);
  // No shell expands it here.
  return resolve(folder, typed.replace(/^~(?=$|[/\\])/, homedir()));
}
