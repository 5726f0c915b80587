// Slow: it takes seconds of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createClient } from "../../../engine/client/client.ts";
import { ACCOUNT_USER, ScriptedServer, tokens } from "../../support/engine/account.ts";
import { TEST_CONFIG, TEST_TOKEN } from "../../support/engine/engine.ts";
import { createTestFolder } from "../../support/engine/files.ts";
import { startLiveEngine } from "../../support/engine/live.ts";
import { startRpcServer } from "../../support/engine/mcp.ts";
import { endlessStep, TOOLS } from "../../support/engine/turns.ts";
import { ScriptedModel, scriptedChat } from "../../support/providers/model.ts";
import { answerChunks, startProviderServer } from "../../support/providers/server.ts";
import { PROVIDER_WIRES } from "../../support/providers/wires.ts";
import { AnswerJudge } from "../../support/schemas.ts";
import { CALLS } from "./operation-calls.ts";

const ACCOUNT_URL = "https://account.example";
const PNG = Buffer.from("\x89PNG\r\n\x1a\nIHDR and so on", "latin1");
const [wire] = PROVIDER_WIRES;

/** The network of the engine: the account server plays its script, and nothing but loopback is there beside it. */
function networkOf(account: ScriptedServer): typeof fetch {
  return async (input, init) => {
    const { origin, hostname, port } = new URL(input instanceof Request ? input.url : input);
    if (origin === ACCOUNT_URL) return account.fetch(input, init);
    assert.equal(hostname, "127.0.0.1");
    if (port === "11434") return Response.json({ models: [{ name: "m" }] });
    if (["1234", "8080", "1337", "8000"].includes(port)) throw new TypeError("fetch failed");
    return fetch(input, init);
  };
}

/** Answers of an account server that agrees to everything. */
function agreeingServer(): ScriptedServer {
  return new ScriptedServer()
    .script("POST /auth/signup/code", Response.json({ notice: "Sent." }))
    .script("POST /auth/signup/complete", tokens(1))
    .script("POST /auth/login", tokens(2))
    .script("POST /auth/refresh", tokens(3))
    .script("POST /auth/logout", new Response(null, { status: 204 }))
    .script("GET /auth/me", Response.json(ACCOUNT_USER));
}

describe("every operation of the engine", () => {
  it("is called once through the client, with an answer that the document describes", async () => {
    assert.ok(wire);
    await using folder = await createTestFolder({ "a.txt": "zebra", "a.png": PNG });
    await using data = await createTestFolder();
    await using provider = await startProviderServer();
    provider.script(answerChunks(wire.contentType, wire.chunks([{ text: "OK" }])));
    await using mcp = await startRpcServer({});
    const call = { call: "create_value", args: { value: 1 } };
    const steps = [["A summary."], [call], ["done"], endlessStep("half"), ["A title"]];
    const model = new ScriptedModel(...steps);
    await using live = await startLiveEngine({
      chat: scriptedChat(model, { tools: TOOLS }),
      fetch: networkOf(agreeingServer()),
      config: { ...TEST_CONFIG, dataDirectory: data.path, accountUrl: ACCOUNT_URL },
    });
    const judge = new AnswerJudge("engine/openapi.json");
    const client = createClient({
      baseUrl: live.url,
      token: TEST_TOKEN,
      fetch: judge.watch(fetch),
      WebSocket: judge.watchSockets(),
    });
    await judge.callEvery(CALLS, {
      client,
      directory: folder.path,
      modelUrl: provider.url + wire.basePath,
      mcpUrl: `${mcp.url}/mcp`,
      uuids: { workspace: "", thread: "", fork: "", tool: "", turn: "", clientKey: "" },
      modelId: "",
    });
    await live.test.engine.close();
  });

  it("would be judged: a status, a field, a type or a path that is not in the document", async () => {
    const judge = new AnswerJudge("engine/openapi.json");
    const faultsOf = async (path: string, response: Response) => {
      const answered = judge.watch(async () => response);
      await (await answered(`http://127.0.0.1/api/v1${path}`)).text();
      return judge.faults.splice(0).length;
    };
    const stream = (text: string) =>
      new Response(text, { headers: { "Content-Type": "text/event-stream" } });
    const usual = { status: "ok", version: "1" };
    assert.equal(await faultsOf("/settings", Response.json([])), 0);
    assert.ok((await faultsOf("/settings", Response.json([usual]))) > 0);
    assert.equal(await faultsOf("/settings", new Response("[]")), 1);
    assert.equal(await faultsOf("/settings", Response.json([], { status: 201 })), 1);
    assert.equal(await faultsOf("/other", Response.json({})), 1);
    assert.ok((await faultsOf("/changes", stream("id: 1\nevent: nonsense\ndata: {}\n\n"))) > 0);
    assert.equal(await faultsOf("/changes", stream(": silence\n\n")), 0);
  });
});
