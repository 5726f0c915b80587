import { Command, Option } from "commander";
import { createJsonOutput, createTextOutput } from "../../shared/cli/output.ts";
import { systemClock, systemTimers } from "../../shared/clock.ts";
import { VARIABLES } from "../node/usage.ts";
import { VERSION } from "../version.ts";
import { addAuditCommands } from "./audit-commands.ts";
import { addDoctorCommands, addSmokeCommands } from "./check-commands.ts";
import type { CliParts, CommandContext } from "./context.ts";
import { toD1Target } from "./d1-options.ts";
import { addInviteCommand } from "./invite-command.ts";
import { addKeyCommands } from "./key-commands.ts";
import { addMailCommands } from "./mail-commands.ts";
import { addMaintenanceCommands } from "./maintenance-commands.ts";
import { openTarget } from "./open-target.ts";
import { addSessionCommands } from "./session-commands.ts";
import { addSetupCommands } from "./setup-commands.ts";
import { requireMigrated } from "./target.ts";
import { addUserCommands } from "./user-commands.ts";
import { createWrangler } from "./wrangler.ts";

const AFTER_HELP = `
Without a command the server starts, on Node with its embedded storage. Commands work on that storage
(SIGNIN_DATA_DIR), on a libSQL server if DATABASE_URL is set (with DATABASE_AUTH_TOKEN), or on D1 with --d1 NAME.

${VARIABLES}`;

/** The operator's commands. It never ends the process: failures are thrown. */
export function createProgram({ write, writeError, time, ...parts }: CliParts): Command {
  const program = new Command("npm run signin --")
    .description("The sign-in server.")
    .version(VERSION)
    .addOption(new Option("--json", "print JSON Lines instead of text"))
    .addHelpText("after", AFTER_HELP)
    .showHelpAfterError("(--help lists the commands)")
    .configureOutput({ writeOut: write, writeErr: writeError })
    .exitOverride();
  let options = {};
  const findD1 = () => toD1Target(options);
  program.hook("preAction", (_program, command) => {
    options = command.opts();
  });
  const { env } = parts;
  const wrangler = parts.wrangler ?? createWrangler(parts);
  const warn = (message: string) => writeError(`${message}\n`);
  const context: CommandContext = {
    ...parts,
    wrangler,
    clock: time ?? systemClock,
    timers: time ?? systemTimers,
    out: () => (program.opts().json ? createJsonOutput(write) : createTextOutput(write)),
    hasD1: () => findD1() !== undefined,
    openTarget: ({ create = false, env: other } = {}) =>
      openTarget({
        env: other ?? env,
        create,
        // Other variables name a database of their own.
        d1: other ? undefined : findD1(),
        wrangler,
        warn,
      }),
    async openMigrated() {
      await using stack = new AsyncDisposableStack();
      const target = stack.use(await context.openTarget());
      await requireMigrated(target);
      stack.move();
      return target;
    },
  };
  addMaintenanceCommands(program, context);
  addKeyCommands(program, context);
  addUserCommands(program, context);
  addInviteCommand(program, context);
  addSessionCommands(program, context);
  addAuditCommands(program, context);
  addMailCommands(program, context);
  addDoctorCommands(program, context);
  addSetupCommands(program, context);
  addSmokeCommands(program, context);
  return program;
}
