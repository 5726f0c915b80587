import type { Command } from "commander";
import { connect } from "../client/node.ts";
import type { CommandContext } from "./context.ts";
import { getWorkspace } from "./workspace-choice.ts";

/** `mcp`. */
export function addMcpCommand(program: Command, context: CommandContext): void {
  program
    .command("mcp")
    .description(
      "Serve a workspace to another program over the Model Context Protocol, on standard input and output.",
    )
    .requiredOption("--workspace <name>", "name or uuid")
    .option("--write", "also offer tools that create, replace and move files")
    .option("--launch", "start an engine if none is running, and stop it afterwards")
    .action(async (options: { workspace: string; write?: boolean; launch?: boolean }) => {
      const { workspace, write = false, launch = false } = options;
      const { env, signal } = context;
      const dataDirectory = context.directory().path;
      // The engine is launched as this program was.
      const command = [...context.command, "start"];
      const where = { dataDirectory, env, launch, command };
      await using engine = await connect({ ...where, signal, reconnectMs: 0 });
      const { uuid, name } = await getWorkspace(engine, { workspace }, context);
      const { serveWorkspace } = await import("./mcp/stdio-server.ts");
      await serveWorkspace({ engine, uuid }, { name, write, signal });
    });
}
