import type { Command } from "commander";
import { CommandFailed } from "../../shared/cli/output.ts";
import type { EngineClient } from "../client/client.ts";
import { EngineError } from "../client/errors.ts";
import type { CommandContext } from "./context.ts";

const NOT_FOUND = 404;

/** `open`. */
export function addOpenCommand(program: Command, context: CommandContext): void {
  program
    .command("open")
    .description(
      "Open the console of the running engine in the browser. Ends with 1 where none runs.",
    )
    .option("--print", "print the link instead: it works once, within a minute")
    .action((options: { print?: boolean }) => runOpen(context, options.print === true));
}

async function runOpen(context: CommandContext, isPrinted: boolean): Promise<void> {
  await using open = await context.openEngine();
  const link = await createLink(open.engine, context.signal);
  const out = context.out();
  if (!context.isInteractive() || isPrinted) return out.entry(link, link.url);
  const isShown = await context.showInBrowser(link.url);
  context.remark(
    isShown
      ? "The console opens in your browser. If it does not, open this address within a minute:"
      : "No browser could be opened. Open this address within a minute:",
  );
  out.line(link.url);
}

/** @throws CommandFailed if the console is switched off */
async function createLink(engine: EngineClient, signal: AbortSignal) {
  try {
    return await engine.console.createLink({ signal });
  } catch (error) {
    if (!(error instanceof EngineError) || error.status !== NOT_FOUND) throw error;
    throw new CommandFailed("The console is switched off: the engine runs with ENGINE_CONSOLE=0.");
  }
}
