import type { Command } from "commander";
import type { CommandContext } from "./context.ts";

/** `models`. */
export function addModelCommands(program: Command, context: CommandContext): void {
  program
    .command("models")
    .description("The models that a turn can use, by the id that `chat --model` takes.")
    .option("--discover", "ask the model servers on this machine, too")
    .action((options: { discover?: boolean }) => runModels(context, options));
}

async function runModels(context: CommandContext, { discover }: { discover?: boolean }) {
  await using open = await context.openEngine();
  const { models } = open.engine;
  const { signal } = context;
  const [listed, found] = await Promise.all([
    models.list({ signal }),
    discover ? models.discover({ signal }) : [],
  ]);
  const out = context.out();
  out.rows(listed.map(({ id, name, provider }) => ({ id, name, provider })));
  if (!discover) return;
  const rows = found.flatMap((server) =>
    server.models.map((name) => ({ provider: server.provider, model: name, at: server.baseUrl })),
  );
  out.line("");
  out.line(rows.length > 0 ? "On this machine:" : "No model server answers on this machine.");
  out.rows(rows);
}
