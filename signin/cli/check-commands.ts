import type { Command } from "commander";
import { CommandFailed } from "../../shared/cli/output.ts";
import { isWebUrl } from "../config/addresses.ts";
import type { CommandContext } from "./context.ts";
import { onDatabase } from "./d1-options.ts";
import { showChecks } from "./results.ts";
import { smoke } from "./smoke.ts";

/** `smoke`. */
export function addSmokeCommands(program: Command, context: CommandContext): void {
  program
    .command("smoke")
    .description(
      "Check a deployment from outside, on any runtime, with about 15 requests. None signs in. They leave a failed login " +
        "and sign-ins that expire after ten minutes. Exits with 1 if a check fails.",
    )
    .argument("<url>", "the public address, such as https://auth.example.com")
    .action((url: string) => runSmoke(context, url));
}

async function runSmoke({ out, signal }: CommandContext, given: string): Promise<void> {
  if (!isWebUrl(given)) throw new CommandFailed("The address must be an http or https URL.");
  await showChecks(out(), smoke(new URL(given).origin, signal));
}

/** `doctor`. */
export function addDoctorCommands(program: Command, context: CommandContext): void {
  onDatabase(program.command("doctor"))
    .description(
      "Check everything that a server with these variables needs: each variable, the providers and their callbacks, " +
        "mail, the database, the clock. Changes nothing, shows no secret, and works beside a running server. Exits with 1 " +
        "if a check fails.",
    )
    .action(async () => {
      const { examine } = await import("./doctor.ts");
      await showChecks(context.out(), examine(context));
    });
}
