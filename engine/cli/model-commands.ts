import type { Command } from "commander";
import { CommandFailed } from "../../shared/cli/output.ts";
import { createPrompt } from "../../shared/cli/prompt.ts";
import { wholeNumber } from "../../shared/cli/whole-number.ts";
import type { KnownProvider, ModelConfiguration } from "../client/client.ts";
import { adoptDefaultModel, readDefaultModel, writeDefaultModel } from "../client/default-model.ts";
import { toVisible } from "../visible.ts";
import type { CommandContext } from "./context.ts";
import { readInput } from "./input.ts";
import { CONTEXT_WINDOW_TOKENS_MAX, KEY_CHARACTERS_MAX } from "./limits.ts";

interface AddOptions {
  baseUrl?: string;
  alias?: string;
  contextWindow?: number;
  keyStdin?: boolean;
}

/** `models`. */
export function addModelCommands(program: Command, context: CommandContext): void {
  const models = program
    .command("models")
    .description("List the models and their ids for `chat --model`.")
    .option("--discover", "also ask the model servers on this machine")
    .action((options: { discover?: boolean }) => runModels(context, options));
  models
    .command("add")
    .description(
      "Connect a model. The command asks for its API key. The first model becomes the default.",
    )
    .argument("<provider>", "anthropic, google, ollama, openai or openai-compatible")
    .argument("<model>", "the provider's name for it")
    .option("--base-url <url>", "the address of its server (default: the provider's)")
    .option("--alias <name>", "display name")
    .option(
      "--context-window <tokens>",
      "its context window, in tokens",
      wholeNumber(1, CONTEXT_WINDOW_TOKENS_MAX),
    )
    .option("--key-stdin", "read the key from standard input")
    .action((provider: string, model: string, options: AddOptions) =>
      runAdd(context, { provider, model }, options),
    );
  models
    .command("default")
    .description("Set the default model.")
    .argument("<id>", "an id from `models`")
    .action(async (id: string) => {
      await using engine = await context.openEngine();
      const configured = await engine.models.listConfigurations(context);
      const found = configured.find((each) => each.id === id);
      const missing = `There is no model ${toVisible(id)}. \`models\` lists them.`;
      if (!found) throw new CommandFailed(missing);
      await writeDefaultModel(engine, id, context);
      const name = toVisible(found.alias || found.model);
      context.out().entry({ id, default: true }, `${name} is now the default model.`);
    });
}

async function runModels(context: CommandContext, { discover }: { discover?: boolean }) {
  await using engine = await context.openEngine();
  const { models } = engine;
  const [listed, configured, providers, chosen, found] = await Promise.all([
    models.list(context),
    models.listConfigurations(context),
    models.listProviders(context),
    readDefaultModel(engine, context),
    discover ? models.discover(context) : [],
  ]);
  const out = context.out();
  const isJson = !context.showsText();
  out.rows(
    listed.map(({ id, name, provider }) => {
      const isDefault = id === chosen;
      const stored = configured.find((each) => each.id === id);
      const problem = (stored && findProblem(stored, providers)) ?? null;
      const note = [isDefault ? "default" : "", problem ?? ""].join(" ").trim();
      const row: Record<string, string | boolean | null> = { id, name, provider };
      return isJson ? { ...row, default: isDefault, problem } : { ...row, note };
    }),
  );
  if (!discover) return;
  const rows = found.flatMap((server) =>
    server.models.map((name) => ({ provider: server.provider, model: name, at: server.baseUrl })),
  );
  out.line("");
  out.line(rows.length > 0 ? "On this machine:" : "No model server responds on this machine.");
  out.rows(rows);
}

/** Why a configuration cannot work, as far as it says it itself. */
function findProblem(
  { provider, baseUrl }: Pick<ModelConfiguration, "provider" | "baseUrl">,
  providers: readonly KnownProvider[],
): string | undefined {
  const known = providers.find((each) => each.provider === provider.trim().toLowerCase());
  if (!baseUrl?.trim()) {
    if (!known) return "cannot work: unknown provider";
    const needsUrl = known.fields.some(({ name, required }) => name === "baseUrl" && required);
    return needsUrl ? "cannot work: no address" : undefined;
  }
  return /^https?:$/.test(URL.parse(baseUrl.trim())?.protocol ?? "")
    ? undefined
    : "cannot work: its address is not http or https";
}

async function runAdd(
  context: CommandContext,
  { provider, model }: { provider: string; model: string },
  { baseUrl, alias, contextWindow, keyStdin }: AddOptions,
): Promise<void> {
  await using engine = await context.openEngine();
  const { signal, terminal } = context;
  const providers = await engine.models.listProviders(context);
  const known = providers.find((each) => each.provider === provider.trim().toLowerCase());
  if (!known && baseUrl === undefined) {
    const names = providers.map((each) => each.provider).join(", ");
    throw new CommandFailed(
      `Unknown provider ${toVisible(provider)}. Give \`--base-url\`, or one of: ${names}.`,
    );
  }
  const problem = findProblem({ provider, baseUrl: baseUrl ?? null }, providers);
  if (problem) throw new CommandFailed(`This model ${problem}. \`--base-url URL\` sets one.`);
  const takesKey = known?.fields.some(({ name }) => name === "apiKey") ?? true;
  let apiKey = "";
  if (keyStdin) {
    apiKey = await readInput(terminal, KEY_CHARACTERS_MAX);
    if (apiKey === "") throw new CommandFailed("Standard input has no key.");
  } else if (takesKey && context.isInteractive()) {
    const question = "API key (press Enter if it needs none):";
    apiKey = await createPrompt(terminal, signal).secret(question);
  }
  const texts = { baseUrl: baseUrl ?? null, alias: alias ?? null, apiKey: apiKey || null };
  const input = { provider, model, contextWindow: contextWindow ?? null, ...texts };
  const { id } = await engine.models.createConfiguration(input, context);
  const isDefault = await adoptDefaultModel(engine, id, context);
  const next = isDefault
    ? "It is the default model."
    : `\`npm run engine -- models default ${id}\` makes it the default.`;
  context.out().entry({ id, default: isDefault }, `Added ${toVisible(model)} as ${id}. ${next}`);
}
