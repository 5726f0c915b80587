import assert from "node:assert/strict";
import { it } from "node:test";
import { createTestFolder } from "../support/engine/files.ts";
import { HEADER_CANARY, startEverythingServer, startRpcServer } from "../support/engine/mcp.ts";
import { startEngineProcess } from "../support/engine/process.ts";
import { json } from "../support/http.ts";
import {
  answerChunks,
  type ProviderServer,
  startProviderServer,
} from "../support/providers/server.ts";
import { PROVIDER_WIRES, type Said } from "../support/providers/wires.ts";
import { until } from "../support/time.ts";

const wire = PROVIDER_WIRES[0]!;

function say(provider: ProviderServer, ...said: Said[]): void {
  provider.script(answerChunks(wire.contentType, wire.chunks(said)));
}

const call = (name: string, args: object): Said => ({
  call: { id: "c1", name, fragments: [JSON.stringify(args)] },
});

it("the reference server works under approval, and the sealed headers stay between engine and server", async () => {
  await using folder = await createTestFolder();
  await using provider = await startProviderServer();
  await using everything = await startEverythingServer();
  await using other = await startRpcServer({});
  await using engine = await startEngineProcess({
    dataDirectory: folder.at("data"),
    env: { ENGINE_CREDENTIAL_STORE: "file", ENGINE_LOG_LEVEL: "debug" },
  });
  const seen: string[] = [];
  const ask = async (method: string, path: string, body?: unknown, status = 200) => {
    const answer = await json(await engine.call(method, path, body), status);
    seen.push(JSON.stringify(answer));
    return answer;
  };
  const baseUrl = provider.url + wire.basePath;
  await ask("POST", "/model-configurations", { provider: wire.provider, model: "m", baseUrl }, 201);
  const record = {
    alias: "Every thing",
    toolType: "mcp",
    endpointUrl: `${everything.url}/mcp`,
    authType: "api_key",
    authConfigJson: JSON.stringify({ "X-Api-Key": HEADER_CANARY }),
  };
  const tool = await ask("POST", "/tool-registry", record, 201);
  const plain = { name: "plain", toolType: "mcp", endpointUrl: `${other.url}/mcp` };
  const second = await ask("POST", "/tool-registry", plain, 201);

  const tested = await ask("POST", `/tool-registry/${tool.uuid}/test`);
  assert.equal(tested.ok, true, tested.error);
  assert.equal(tested.serverName, "mcp-servers/everything");
  const toolsConfig = JSON.stringify({
    mcp: {
      [tool.uuid]: { enabled: true, tools: { "get-env": false } },
      [second.uuid]: { enabled: true },
    },
  });
  const workspace = await ask("POST", "/workspaces", {
    name: "w",
    toolsConfig,
    defaultModelId: "m",
  });
  const [listed] = await ask("GET", `/workspaces/${workspace.uuid}/mcp-tools`);
  assert.equal(listed.state, "ready");
  const env = listed.tools.find(
    ({ serverName }: { serverName: string }) => serverName === "get-env",
  );
  assert.deepEqual([env.name, env.enabled], ["mcp_everything_get_env", false]);

  say(provider, call("mcp_everything_echo", { message: "over the wire" }));
  say(provider, { text: "at last" });
  const turn = await ask("POST", `/workspaces/${workspace.uuid}/turns`, { content: "go" }, 202);
  const events = (await engine.call("GET", `/turns/${turn.uuid}/events`)).text();
  const approval = await until("The question", async () => (await ask("GET", "/approvals"))[0]);
  assert.equal(approval.toolName, "mcp_everything_echo");
  assert.equal(approval.serverName, "Every thing");
  assert.deepEqual(approval.arguments, { message: "over the wire" });
  await ask("POST", `/approvals/${approval.uuid}`, { decision: "approve" });
  seen.push(await events);
  const ended = await ask("GET", `/turns/${turn.uuid}`);
  assert.equal(ended.state, "completed");
  const messages = await ask("GET", `/threads/${ended.threadUuid}/messages`);
  assert.deepEqual(
    messages.map(({ role }: { role: string }) => role),
    ["user", "tool", "assistant"],
  );
  assert.equal(JSON.parse(messages[1].content).result, "Echo: over the wire");
  const offered = provider.exchanges[0]?.body.tools.map(
    (it: { function: { name: string } }) => it.function.name,
  );
  assert.ok(offered.includes("mcp_everything_get_sum") && offered.includes("mcp_plain_echo"));
  assert.ok(!offered.includes("mcp_everything_get_env"));

  assert.equal((await engine.end("SIGTERM")).code, 0);
  seen.push(engine.stderr(), await folder.bytes());
  seen.push(JSON.stringify(other.takeRequests().map(({ headers, body }) => [[...headers], body])));
  seen.push(JSON.stringify(provider.exchanges.map(({ headers, body }) => [headers, body])));
  const all = seen.join("\n");
  assert.ok(all.includes("at last"));
  for (const secret of [HEADER_CANARY, HEADER_CANARY.slice(4), btoa(HEADER_CANARY)]) {
    assert.equal(all.includes(secret), false, secret);
  }
});
