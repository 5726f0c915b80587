import type { Command } from "commander";
import type { CommandContext } from "./context.ts";
import { failIfMissing } from "./describe-answer.ts";
import { describeShown } from "./show-in-browser.ts";

const SWITCHED_OFF = "The console is off because the engine runs with ENGINE_CONSOLE=0.";

/** `open`. */
export function addOpenCommand(program: Command, context: CommandContext): void {
  program
    .command("open")
    .description("Open the console in the browser. Exits with 1 if the engine is not running.")
    .option("--print", "print the link instead; it works once and expires after a minute")
    .action(async ({ print = false }: { print?: boolean }) => {
      await using engine = await context.openEngine();
      const link = await engine.console.createLink(context).catch(failIfMissing(SWITCHED_OFF));
      const out = context.out();
      if (!context.isInteractive() || print) return out.entry(link, link.url);
      context.remark(describeShown(await context.showInBrowser(link.url)));
      out.line(link.url);
    });
}
