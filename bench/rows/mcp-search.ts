import { rmSync } from "node:fs";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { START, startEngineProcess } from "../../test/support/engine/process.ts";
import { p50Of, type Row, race } from "../harness.ts";
import { callTarget } from "../processes.ts";
import { createRoot, createWorkspaceOver } from "../roots.ts";

const FILES = 1_000;
const SEARCHES = 50;
const ROUNDS = 7;
const RATIO_MAX = 1.3;
const QUERY = "client waits for an answer";
const TEXT = "A client that waits for an answer must not wait for an index... ".repeat(12);

/** One search over the stdio server of `engine mcp`, beside the same search over REST. */
export const mcpSearchRow: Row = {
  name: "search over MCP on stdio",
  figure: `p50 ≤ ${RATIO_MAX} of the REST search`,
  async measure() {
    const root = createRoot(FILES, TEXT);
    await using engine = await startEngineProcess();
    const { port, token } = engine.runtime;
    const target = { port, token, pid: 0, [Symbol.asyncDispose]: async () => {} };
    const uuid = await createWorkspaceOver(target, root);
    await callTarget(target, "POST", `/workspaces/${uuid}/rag/index`);
    const client = new Client({ name: "bench", version: "1" });
    const args = [...START, "mcp", "--workspace", uuid];
    const env = { ...process.env, ENGINE_DATA_DIR: engine.dataDirectory } as Record<string, string>;
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args, env, stderr: "ignore" }),
    );
    const overMcp = () =>
      client.callTool({ name: "search", arguments: { query: QUERY, limit: 8 } });
    const overRest = () =>
      callTarget(target, "POST", `/workspaces/${uuid}/rag/search`, { query: QUERY, limit: 8 });
    const result = await race({
      ours: () => p50Of(SEARCHES, overMcp),
      floor: () => p50Of(SEARCHES, overRest),
      floorName: "REST",
      ratioMax: RATIO_MAX,
      rounds: ROUNDS,
    });
    await client.close();
    rmSync(root, { recursive: true });
    return [result];
  },
};
