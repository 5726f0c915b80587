import assert from "node:assert/strict";
import type { RagResult } from "../../../engine/retrieval/wire.ts";
import {
  createTestFolder,
  type FolderContent,
  NOTHING_ASKED,
  type TestFolder,
} from "../../support/engine/files.ts";
import {
  type EngineProcess,
  errorLines,
  readLog,
  startEngineProcess,
  watchHealth,
} from "../../support/engine/process.ts";
import { type LiveSocket, openSocket } from "../../support/engine/sockets.ts";
import { json } from "../../support/http.ts";
import { type ProviderServer, startProviderServer } from "../../support/providers/server.ts";
import { PROVIDER_WIRES, type ProviderWire } from "../../support/providers/wires.ts";
import { WATCHDOG_MS } from "../../support/time.ts";

/** An engine that an attacker works on, beside a workspace that must go on working. */
export interface AttackedEngine extends AsyncDisposable {
  engine: EngineProcess;
  provider: ProviderServer;
  wire: ProviderWire;
  folder: TestFolder;
  /** Calls the engine; no answer within the watchdog is a failure. */
  call(method: string, path: string, body?: unknown): Promise<Response>;
  /** A workspace over this root, whose tools never ask. */
  workspace(root: string | undefined, more?: object): Promise<string>;
  /** A search in the workspace that nothing was done to. */
  searchBeside(): Promise<void>;
  search(uuid: string, query: string): Promise<RagResult[]>;
  /** Sends one turn in a workspace, denies whatever is asked, and waits for its end. */
  turn(workspaceUuid: string): Promise<{ socket: LiveSocket; terminal: string; asked: number }>;
}

/** Starts it over a folder with this content; its data directory is `home/data` in there. */
export async function startAttackedEngine(content: FolderContent): Promise<AttackedEngine> {
  const folder = await createTestFolder({ ...content, beside: { "b.txt": "zebra" } });
  const provider = await startProviderServer();
  const engine = await startEngineProcess({ dataDirectory: folder.at("home", "data") });
  const health = watchHealth(engine);
  const wire = PROVIDER_WIRES[0] ?? assert.fail();
  const { port, token } = engine.runtime;
  const headers = { Authorization: `Bearer ${token}` };
  const call = (method: string, path: string, body?: unknown) =>
    fetch(engine.baseUrl + path, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.timeout(WATCHDOG_MS),
    });
  const configuration = { provider: wire.provider, model: "m", ...wire.configuration };
  const baseUrl = provider.url + wire.basePath;
  const model = await json(
    await call("POST", "/model-configurations", { ...configuration, baseUrl }),
    201,
  );
  const workspace = async (root: string | undefined, more: object = {}) => {
    const directories = JSON.stringify(root === undefined ? [] : [root]);
    const common = { name: "w", approvalConfig: NOTHING_ASKED, defaultModelId: model.id };
    return (await json(await call("POST", "/workspaces", { ...common, directories, ...more })))
      .uuid;
  };
  const search = async (uuid: string, query: string): Promise<RagResult[]> =>
    json(
      await call("POST", `/workspaces/${uuid}/rag/search`, { query, mode: "keyword", limit: 50 }),
    );
  const besideUuid = await workspace(folder.at("beside"));
  await json(await call("POST", `/workspaces/${besideUuid}/rag/index`));
  let turns = 0;
  return {
    engine,
    provider,
    wire,
    folder,
    call,
    workspace,
    search,
    searchBeside: async () => assert.equal((await search(besideUuid, "zebra")).length, 1),
    async turn(workspace_uuid) {
      turns += 1;
      const id = `turn-${turns}`;
      const socket = openSocket(port, { headers });
      let asked = 0;
      socket.raw.on("message", (bytes) => {
        const { type, data } = JSON.parse(String(bytes));
        if (type !== "tool.approval.request") return;
        asked += 1;
        socket.say({
          type: "tool.approval.response",
          id,
          data: { approval_id: data.approval_id, decision: "deny" },
        });
      });
      socket.raw.on("open", () =>
        socket.say({ type: "chat.send", id, data: { content: "go", workspace_uuid } }),
      );
      const { type } = await socket.until((frame) =>
        /^chat\.(done|error|cancelled)$/.test(frame.type),
      );
      socket.raw.close();
      return { socket, terminal: type, asked };
    },
    async [Symbol.asyncDispose]() {
      await health[Symbol.asyncDispose]();
      assert.deepEqual(await engine.end("SIGTERM"), { code: 0, signal: null });
      assert.deepEqual(errorLines(readLog(engine)), []);
      await engine[Symbol.asyncDispose]();
      await provider[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}
