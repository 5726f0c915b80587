import { type Command, Option } from "commander";
import { wholeNumber } from "../../shared/cli/whole-number.ts";
import { toVisible } from "../visible.ts";
import type { CommandContext } from "./context.ts";
import { failIfMissing } from "./describe-answer.ts";
import { KEY_DAYS_MAX } from "./limits.ts";
import { getWorkspace } from "./workspace-choice.ts";

const SCOPES = ["models", "workspaces", "embeddings"] as const;
const DAY_MS = 24 * 60 * 60_000;

interface CreateOptions {
  scope?: (typeof SCOPES)[number][];
  workspace?: string[];
  expires?: number;
}

/** `keys`. */
export function addKeyCommands(program: Command, context: CommandContext): void {
  const keys = program
    .command("keys")
    .description("Manage keys for programs that use the OpenAI-compatible interface.");
  keys
    .command("create")
    .description("Create a key and print it. It is shown only once.")
    .argument("<name>", "the program that will use it")
    .addOption(
      new Option("--scope <scopes...>", "what the key can use (default: models)").choices(SCOPES),
    )
    .option("--workspace <names...>", "the workspaces that it can use (default: all)")
    .option(
      "--expires <days>",
      "how long it is valid (default: 90 days)",
      wholeNumber(1, KEY_DAYS_MAX),
    )
    .action((name: string, options: CreateOptions) => runCreate(context, name, options));
  keys
    .command("list", { isDefault: true })
    .description("List the keys without their secrets.")
    .action(() => runList(context));
  keys
    .command("revoke")
    .description("Revoke a key at once.")
    .argument("<uuid>", "a uuid from `keys list`")
    .action(async (uuid: string) => {
      await using engine = await context.openEngine();
      const missing = `There is no key ${toVisible(uuid)}. \`keys list\` lists them.`;
      await engine.clientKeys.delete(uuid, context).catch(failIfMissing(missing));
      context.out().entry({ uuid, revoked: true }, "The key is revoked.");
    });
}

async function runCreate(
  context: CommandContext,
  name: string,
  { scope = ["models"], workspace: names = [], expires }: CreateOptions,
): Promise<void> {
  await using engine = await context.openEngine();
  const { runtime } = engine;
  const workspaceUuids: string[] = [];
  for (const workspace of names) {
    workspaceUuids.push((await getWorkspace(engine, { workspace }, context)).uuid);
  }
  const expiresAt = expires ? new Date(Date.now() + expires * DAY_MS).toISOString() : null;
  const input = {
    name,
    scopes: scope,
    workspaceUuids: names.length > 0 ? workspaceUuids : null,
    expiresAt,
  };
  const made = await engine.clientKeys.create(input, context);
  context.out().entry(made, made.key);
  context.remark(
    `It is valid until ${made.expiresAt.slice(0, 10)}, at http://${runtime.host}:${runtime.port}/openai/v1.`,
  );
}

async function runList(context: CommandContext): Promise<void> {
  await using engine = await context.openEngine();
  const listed = await engine.clientKeys.list(context);
  if (!context.showsText()) return context.out().json(listed);
  if (listed.length === 0)
    return context.out().line("There are no keys. Create one with `keys create NAME`.");
  const all = await engine.workspaces.list(context);
  const nameOf = (uuid: string) => all.find((each) => each.uuid === uuid)?.name ?? "(deleted)";
  context.out().rows(
    listed.map(({ uuid, name, scopes, workspaceUuids, expiresAt, lastUsedAt }) => ({
      uuid,
      name,
      scopes: scopes.join(", "),
      workspaces: workspaceUuids?.map(nameOf).join(", ") ?? "all",
      expires: expiresAt.slice(0, 10),
      "last used": lastUsedAt ? lastUsedAt.slice(0, 16).replace("T", " ") : "never",
    })),
  );
}
