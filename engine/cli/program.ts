import { Command, Option } from "commander";
import { toPrintable } from "../../shared/cli/printable.ts";
import { VERSION } from "../version.ts";
import { addBackupCommands } from "./backup-commands.ts";
import { addChatCommand } from "./chat-command.ts";
import type { CommandContext } from "./context.ts";
import { addDoctorCommand } from "./doctor-command.ts";
import { addEngineCommands } from "./engine-commands.ts";
import { addLogCommand } from "./log-command.ts";
import { addLoginCommand } from "./login-command.ts";
import { addMcpCommand } from "./mcp-command.ts";
import { addModelCommands } from "./model-commands.ts";
import { addOpenCommand } from "./open-command.ts";
import { addRetrievalCommands } from "./retrieval-commands.ts";
import { addServiceCommands } from "./service-commands.ts";
import { addSetupCommand } from "./setup-command.ts";
import type { Terminal } from "./terminal.ts";
import { addTransferCommands } from "./transfer-commands.ts";
import { VARIABLES } from "./variables.ts";

/** What the program itself needs; the commands get their context. */
interface ProgramParts {
  terminal: Terminal;
  /** Runs the engine until a stop signal. */
  start(): Promise<void>;
}

const AFTER_HELP = `
Run it as \`npm run engine -- COMMAND\`; without a command the engine starts. Exit codes: 0, 1 for a failure, 2 for a wrong
argument. In scripts: \`npm run engine -s -- COMMAND --json\`.

${VARIABLES}`;

/** The command line of `npm run engine -- …`. It never ends the process: failures are thrown. */
export function createProgram(
  { terminal, start }: ProgramParts,
  createContext: (isJson: () => boolean) => CommandContext,
): Command {
  const program = new Command("engine")
    .description("The Roundhouse engine, and the commands of its user.")
    .version(VERSION)
    .addOption(new Option("--json", "one JSON value a line instead of text"))
    .addHelpText("after", AFTER_HELP)
    .showHelpAfterError("(--help lists the commands)")
    .configureOutput({
      writeOut: (text) => terminal.write(text),
      writeErr: (text) => terminal.writeError(toPrintable(text)),
    })
    .exitOverride();
  const context = createContext(() => program.opts().json === true);
  addEngineCommands(program, context, start);
  addOpenCommand(program, context);
  addSetupCommand(program, context);
  addChatCommand(program, context);
  addModelCommands(program, context);
  addRetrievalCommands(program, context);
  addDoctorCommand(program, context);
  addBackupCommands(program, context);
  addTransferCommands(program, context);
  addServiceCommands(program, context);
  addLogCommand(program, context);
  addLoginCommand(program, context);
  addMcpCommand(program, context);
  return program;
}
