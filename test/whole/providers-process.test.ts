import assert from "node:assert/strict";
import { once } from "node:events";
import { describe, it } from "node:test";
import { WebSocket } from "ws";
import { createTestFolder } from "../support/engine/files.ts";
import { type EngineProcess, startEngineProcess } from "../support/engine/process.ts";
import { json } from "../support/http.ts";
import { answerChunks, answerStatus, startProviderServer } from "../support/providers/server.ts";
import { PLANTED_KEY, PROVIDER_WIRES } from "../support/providers/wires.ts";

const wire = PROVIDER_WIRES[0]!;

/** Opens a WebSocket and collects its frames, as text. */
async function connect({ runtime }: EngineProcess) {
  const url = `ws://127.0.0.1:${runtime.port}/api/v1/events`;
  const socket = new WebSocket(url, { headers: { Authorization: `Bearer ${runtime.token}` } });
  await once(socket, "open");
  const frames: string[] = [];
  const chat = (id: string, data: object) =>
    new Promise<string>((resolve) => {
      socket.on("message", function look(bytes) {
        const text = String(bytes);
        frames.push(text);
        const { type } = JSON.parse(text);
        if (type !== "chat.done" && type !== "chat.error") return;
        socket.off("message", look);
        resolve(text);
      });
      socket.send(JSON.stringify({ type: "chat.send", id, data }));
    });
  return { socket, frames, chat };
}

describe("An engine process with a planted key", () => {
  it("answers with the provider that has it, survives a restart, and never shows or stores it", async () => {
    await using folder = await createTestFolder();
    await using server = await startProviderServer();
    const env = { ENGINE_CREDENTIAL_STORE: "file", ENGINE_LOG_LEVEL: "debug" };
    const options = { dataDirectory: folder.at("data"), env };
    const seen: string[] = [];
    const remember = async (response: Promise<Response>, status = 200) => {
      const body = await json(await response, status);
      seen.push(JSON.stringify(body));
      return body;
    };
    let threadUuid = "";
    for (const [round, expected] of [
      ["first", 201],
      ["after a restart", 200],
    ] as const) {
      await using engine = await startEngineProcess(options);
      if (expected === 201) {
        const baseUrl = server.url + wire.basePath;
        const input = { provider: wire.provider, model: "m", baseUrl, apiKey: PLANTED_KEY };
        await remember(engine.call("POST", "/model-configurations", input), 201);
        const workspace = await remember(engine.call("POST", "/workspaces", { name: "w" }));
        const thread = { workspaceUuid: workspace.uuid, defaultModelId: "m" };
        threadUuid = (await remember(engine.call("POST", "/threads", thread))).uuid;
      }
      const { socket, frames, chat } = await connect(engine);
      const data = { content: "hello", thread_uuid: threadUuid };
      server.script(
        answerStatus(401, wire.errorBody(`Incorrect API key provided: ${PLANTED_KEY}`)),
        answerStatus(400, `{"echo":"${PLANTED_KEY}"}`),
        answerChunks(wire.contentType, wire.chunks([{ text: "at last" }])),
      );
      assert.match(await chat(`${round} 1`, data), /refused the credentials/);
      assert.match(await chat(`${round} 2`, data), /refused the request/);
      assert.match(await chat(`${round} 3`, data), /chat\.done/);
      assert.equal(wire.keyOf(server.exchanges.at(-1)!.headers), PLANTED_KEY);
      const paths = ["/model-configurations", "/models", `/threads/${threadUuid}/messages`];
      for (const path of paths) await remember(engine.call("GET", path));
      socket.terminate();
      seen.push(...frames, await folder.bytes());
      assert.equal((await engine.end("SIGTERM")).code, 0);
      seen.push(engine.stderr(), await folder.bytes());
    }
    const everything = seen.join("\n");
    assert.ok(everything.includes("at last") && everything.includes("A model step failed."));
    for (const secret of [PLANTED_KEY, PLANTED_KEY.slice(3), btoa(PLANTED_KEY)]) {
      assert.equal(everything.includes(secret), false);
    }
  });
});
