import { Command, Option } from "commander";
import { createJsonOutput, createTextOutput } from "../../shared/cli/output.ts";
import { VARIABLES } from "../node/usage.ts";
import { VERSION } from "../version.ts";
import { addAuditCommands } from "./audit-commands.ts";
import type { CommandContext } from "./context.ts";
import { toD1Place } from "./d1-options.ts";
import { addDoctorCommands } from "./doctor-commands.ts";
import { addKeyCommands } from "./key-commands.ts";
import { addMailCommands } from "./mail-commands.ts";
import { addMaintenanceCommands } from "./maintenance-commands.ts";
import { addSessionCommands } from "./session-commands.ts";
import { addSetupCommands } from "./setup-commands.ts";
import { addSmokeCommands } from "./smoke-commands.ts";
import type { Target, TargetChoice } from "./target.ts";
import { addUserCommands } from "./user-commands.ts";

/** The dependencies of the command line. */
export interface ProgramParts extends Omit<CommandContext, "out" | "openTarget" | "hasD1"> {
  openTarget(options: TargetChoice): Promise<Target>;
  write(text: string): void;
  writeError(text: string): void;
}

const AFTER_HELP = `
Without a command the server starts, on Node with its embedded storage. Commands work on that storage
(SIGNIN_DATA_DIR), on a libSQL server where DATABASE_URL is set (with DATABASE_AUTH_TOKEN), or on D1 with --d1 NAME.

${VARIABLES}`;

/** The operator's commands. It never ends the process: failures are thrown. */
export function createProgram({ write, writeError, ...parts }: ProgramParts): Command {
  const program = new Command("npm run signin --")
    .description("The sign-in server, and the commands of its operator.")
    .version(VERSION)
    .addOption(new Option("--json", "one JSON value a line instead of text"))
    .addHelpText("after", AFTER_HELP)
    .showHelpAfterError("(--help lists the commands)")
    .configureOutput({ writeOut: write, writeErr: writeError })
    .exitOverride();
  let options = {};
  const findD1 = () => toD1Place(options);
  program.hook("preAction", (_program, command) => {
    options = command.opts();
  });
  const context: CommandContext = {
    ...parts,
    hasD1: () => findD1() !== undefined,
    // Other variables name a database of their own.
    openTarget: (given = {}) =>
      parts.openTarget({ ...given, d1: given.env ? undefined : findD1() }),
    out: () => (program.opts().json ? createJsonOutput(write) : createTextOutput(write)),
  };
  addMaintenanceCommands(program, context);
  addKeyCommands(program, context);
  addUserCommands(program, context);
  addSessionCommands(program, context);
  addAuditCommands(program, context);
  addMailCommands(program, context);
  addDoctorCommands(program, context);
  addSetupCommands(program, context);
  addSmokeCommands(program, context);
  return program;
}
