import { Command, Option } from "commander";
import { toPrintable } from "../../shared/cli/printable.ts";
import { VERSION } from "../version.ts";
import { addApprovalCommands } from "./approval-commands.ts";
import { addBackupCommands } from "./backup-commands.ts";
import { addChatCommand } from "./chat-command.ts";
import type { CommandContext } from "./context.ts";
import { addDoctorCommand } from "./doctor-command.ts";
import { addEngineCommands } from "./engine-commands.ts";
import { addKeyCommands } from "./key-commands.ts";
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

/** The end of `--help`: every variable. */
const VARIABLES = `Variables (none is needed)

  ENGINE_DATA_DIR              where the engine keeps its files (Linux: ~/.local/share/roundhouse)
  ENGINE_HOST                  a loopback name or address (127.0.0.1)
  ENGINE_PORT                  the port (7717, or a free one where that is taken; 0 means any free one)
  ENGINE_ALLOWED_HOSTS         further Host names, comma-separated
  ENGINE_ALLOWED_ORIGINS       browser origins that may call the engine, comma-separated
  ENGINE_CONSOLE               0 switches the console off; 1 (default) serves it at /console/
  ENGINE_OPENAI                0 switches the OpenAI-compatible interface off; 1 (default) serves it at /openai/v1
  ENGINE_DISCOVERY             0: model servers on this machine are not searched for; 1 (default) asks their usual ports
  ENGINE_ACCOUNT_URL           the sign-in server
  ENGINE_CREDENTIAL_STORE      where the key of stored credentials is kept: auto (default), keychain or file
  ENGINE_EMBEDDINGS            builtin (default), or openai-compatible
  ENGINE_EMBEDDINGS_URL, ENGINE_EMBEDDINGS_MODEL, ENGINE_EMBEDDINGS_API_KEY
                               that server
  ENGINE_EMBEDDINGS_ALLOW_REMOTE
                               1 allows another machine as that server: it gets the content of your files
  ENGINE_RERANK_URL, ENGINE_RERANK_MODEL, ENGINE_RERANK_API_KEY
                               a server that orders the results of searches; /rerank is added to its URL
  ENGINE_RERANK_ALLOW_REMOTE   1 allows another machine as that server: it gets queries and texts of your files
  ENGINE_LOG_LEVEL             trace, debug, info (default), warn, error, fatal or silent
`;

const AFTER_HELP = `
Run it as \`npm run engine -- COMMAND\`; without a command the engine starts. Exit codes: 0, 1 for a failure, 2 for a wrong
argument. In scripts: \`npm run engine -s -- COMMAND --json\`.

${VARIABLES}`;

/** The command line of `npm run engine -- …`. It never ends the process: failures are thrown. */
export function createProgram(
  terminal: Terminal,
  createContext: (isJson: () => boolean) => CommandContext,
): Command {
  const program = new Command("roundhouse")
    .description("The Roundhouse engine.")
    .version(VERSION)
    .addOption(new Option("--json", "print JSON Lines instead of text"))
    .addHelpText("after", AFTER_HELP)
    .showHelpAfterError("(--help lists the commands)")
    .configureOutput({
      writeOut: (text) => terminal.write(text),
      writeErr: (text) => terminal.writeError(toPrintable(text)),
    })
    .exitOverride();
  const context = createContext(() => program.opts().json === true);
  addEngineCommands(program, context);
  addOpenCommand(program, context);
  addSetupCommand(program, context);
  addChatCommand(program, context);
  addApprovalCommands(program, context);
  addModelCommands(program, context);
  addKeyCommands(program, context);
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
