import type { Command } from "commander";
import { showChecks } from "./checks.ts";
import type { CommandContext } from "./context.ts";
import { onDatabase } from "./d1-options.ts";

/** `doctor`. */
export function addDoctorCommands(program: Command, context: CommandContext): void {
  onDatabase(program.command("doctor"))
    .description(
      "Check all that a server under these variables needs: each variable, the providers and the callbacks to register there, " +
        "mail, the database, the clock. Changes nothing, shows no secret, and works beside a running server. Ends with 1 " +
        "where a check fails.",
    )
    .action(async () => {
      const { examine } = await import("./doctor.ts");
      await showChecks(context.out(), examine(context));
    });
}
