import type { Command } from "commander";
import { CommandFailed } from "../../shared/cli/output.ts";
import type { CommandContext } from "./context.ts";

/** `doctor`. */
export function addDoctorCommand(program: Command, context: CommandContext): void {
  program
    .command("doctor")
    .description(
      "Check everything that the engine needs, running or not. Each line begins with ✓, ! or ✗ and says what to do. " +
        "Changes nothing. Exits with 1 if a check fails.",
    )
    .action(async () => {
      const { examine } = await import("./doctor/doctor.ts");
      const { renderFinding } = await import("../checks/finding.ts");
      const { entry } = context.out();
      let failures = 0;
      for await (const finding of examine(context.env, context.signal)) {
        entry(finding, renderFinding(finding));
        if (finding.state === "failure") failures += 1;
      }
      if (failures > 0) throw new CommandFailed(`${failures} of the checks failed.`);
    });
}
