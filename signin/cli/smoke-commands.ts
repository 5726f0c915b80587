import type { Command } from "commander";
import { CommandFailed } from "../../shared/cli/output.ts";
import { isWebUrl } from "../config/addresses.ts";
import type { CommandContext } from "./context.ts";
import { smoke } from "./smoke.ts";

/** `smoke`. */
export function addSmokeCommands(program: Command, context: CommandContext): void {
  program
    .command("smoke")
    .description(
      "Check a deployment from outside, on any runtime: some 15 requests, none of which signs in. They leave a failed login " +
        "and pending sign-ins of ten minutes. Ends with 1 where a check fails.",
    )
    .argument("<url>", "the public address, such as https://auth.example.com")
    .action((url: string) => runSmoke(context, url));
}

async function runSmoke(context: CommandContext, given: string): Promise<void> {
  if (!isWebUrl(given)) throw new CommandFailed("The address must be an http or https URL.");
  const out = context.out();
  let failed = 0;
  let run = 0;
  for await (const result of smoke(new URL(given).origin, context.signal)) {
    out.check(result);
    run += 1;
    if (!result.ok) failed += 1;
  }
  if (failed > 0) throw new CommandFailed(`${failed} of ${run} checks failed.`);
}
