import type { Command } from "commander";
import { CommandFailed } from "../../shared/cli/output.ts";
import { isWebUrl } from "../config/addresses.ts";
import { showChecks } from "./checks.ts";
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

async function runSmoke({ out, signal }: CommandContext, given: string): Promise<void> {
  if (!isWebUrl(given)) throw new CommandFailed("The address must be an http or https URL.");
  await showChecks(out(), smoke(new URL(given).origin, signal));
}
