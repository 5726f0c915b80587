// Imported by its command alone: no start needs the SDK.
import { McpServer, ResourceTemplate } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { UserFacingError } from "../../../shared/failure.ts";
import { onAbort } from "../../../shared/on-abort.ts";
import { EngineError, EngineNotRunning } from "../../client/errors.ts";
import { cutWithNotice } from "../../cut-text.ts";
import { VERSION } from "../../version.ts";
import { describeAnswer } from "../describe-answer.ts";
import { MCP_ANSWER_BYTES_MAX, MCP_RESOURCES_LISTED_MAX } from "../limits.ts";
import { PacedStdio } from "./paced-stdio.ts";
import {
  READ_TOOLS,
  readText,
  type ServedWorkspace,
  type WorkspaceTool,
  WRITE_TOOLS,
} from "./workspace-tools.ts";

/** What is served. */
export interface ServeOptions {
  /** The name of the workspace, for the client's list of servers. */
  name: string;
  /** Whether the tools that change files are offered. */
  write: boolean;
  /** Ends the server. */
  signal: AbortSignal;
}

const FILE_URI = "workspace-file:///{root}/{+path}";

/**
 * Serves one workspace over standard input and output. Resolves when the client closes its end, or at the signal.
 * @throws UserFacingError if the client cannot be served.
 */
export async function serveWorkspace(
  served: ServedWorkspace,
  { name, write, signal }: ServeOptions,
): Promise<void> {
  const transport = new PacedStdio(process.stdin, process.stdout);
  const handle = serveStdio(() => createServer(served, { name, write }), {
    transport,
    // A message that cannot be read is answered by the SDK; what cannot be answered is for a person.
    onerror: (error) => process.stderr.write(`${error.message}\n`),
  });
  onAbort(signal, () => void transport.close());
  try {
    await transport.ended;
  } finally {
    await handle.close();
  }
}

function createServer(
  served: ServedWorkspace,
  { name, write }: Pick<ServeOptions, "name" | "write">,
): McpServer {
  const server = new McpServer(
    { name: "roundhouse", version: VERSION },
    { instructions: `Searches and reads files of the workspace ${JSON.stringify(name)}.` },
  );
  for (const tool of READ_TOOLS) addTool(server, served, tool);
  for (const tool of write ? WRITE_TOOLS : []) addTool(server, served, tool);
  addFiles(server, served);
  return server;
}

function addTool(server: McpServer, served: ServedWorkspace, tool: WorkspaceTool): void {
  const { name, description, input } = tool;
  const annotations = { readOnlyHint: READ_TOOLS.includes(tool), openWorldHint: false };
  server.registerTool(
    name,
    { description, inputSchema: input, annotations },
    async (args, context) => {
      try {
        const text = cutWithNotice(
          await tool.run(served, args, context.mcpReq.signal),
          MCP_ANSWER_BYTES_MAX,
        );
        return { content: [{ type: "text", text }] };
      } catch (error) {
        return { content: [{ type: "text", text: describe(error) }], isError: true };
      }
    },
  );
}

function addFiles(server: McpServer, served: ServedWorkspace): void {
  const { engine, uuid } = served;
  const template = new ResourceTemplate(FILE_URI, {
    list: async ({ mcpReq: { signal } }) => {
      const input = { q: "", limit: MCP_RESOURCES_LISTED_MAX };
      const files = await engine.files.search(uuid, input, { signal });
      const resources = files.map(({ rootIndex, relativePath }) => ({
        uri: toUri(rootIndex, relativePath),
        name: relativePath,
      }));
      return { resources };
    },
  });
  const about = { description: "A text file of the workspace, by root and path." };
  server.registerResource(
    "file",
    template,
    about,
    async (uri, variables, { mcpReq: { signal } }) => {
      try {
        const file = {
          root: Number(variables.root),
          path: decodeURIComponent(String(variables.path)),
        };
        const text = cutWithNotice(await readText(served, file, signal), MCP_ANSWER_BYTES_MAX);
        return { contents: [{ uri: uri.href, text }] };
      } catch (error) {
        throw new Error(describe(error));
      }
    },
  );
}

function toUri(root: number, path: string): string {
  return `workspace-file:///${root}/${path.split("/").map(encodeURIComponent).join("/")}`;
}

function describe(error: unknown): string {
  if (error instanceof UserFacingError) return error.message;
  if (error instanceof EngineNotRunning)
    return "The engine is not running. Start it, then try again.";
  return error instanceof EngineError
    ? describeAnswer(error)
    : "The call failed inside the server.";
}
