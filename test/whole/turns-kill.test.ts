import assert from "node:assert/strict";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { it } from "node:test";
import Connection from "libsql";
import { WebSocket } from "ws";
import type { Turn } from "../../engine/turns/wire.ts";
import {
  type EngineProcess,
  startEngineProcess,
  temporaryDirectory,
} from "../support/engine/process.ts";
import { json } from "../support/http.ts";
import {
  answerChunks,
  type Exchange,
  type ProviderServer,
  startProviderServer,
} from "../support/providers/server.ts";
import { PROVIDER_WIRES } from "../support/providers/wires.ts";
import { type Counts, rounds } from "../support/repeats.ts";
import { until } from "../support/time.ts";

const KILLS: Counts = { once: 1, long: 100 };
const WORDS_STORED = 20;
const WORDS_LOST_MAX = 40;
const wire = PROVIDER_WIRES.find(({ provider }) => provider === "openai-compatible")!;

/** A turn that is active when the engine is killed. */
interface Killed {
  uuid: string;
  threadUuid: string;
  /** What the provider sent, and what of it was seen in the database. */
  sent: string;
  stored: string;
}

it("turns that run when the engine is killed are interrupted, with their text, and nothing of them waits", async () => {
  const dataDirectory = temporaryDirectory();
  await using server = await startProviderServer();
  await configure(dataDirectory, server);
  let killed: Killed[] = [];
  let approvalUuid = "";
  for (const kill of rounds("kills", KILLS)) {
    await using engine = await startEngineProcess({ dataDirectory });
    await assertInterrupted(engine, killed, approvalUuid);
    const streaming = [await startOverHttp(engine, server), await startOverSocket(engine, server)];
    const asking = await startAsking(engine, server);
    approvalUuid = (await json(await engine.call("GET", "/approvals")))[0].uuid;
    killed = [...streaming.map(({ turn }) => turn), asking];
    for (const { turn, exchange } of streaming) await say(turn, exchange, WORDS_STORED);
    for (const turn of killed) await untilStored(dataDirectory, turn);
    const more = (kill * 37) % WORDS_LOST_MAX;
    for (const { turn, exchange } of streaming) await say(turn, exchange, more);
    await engine.end("SIGKILL");
  }
  {
    await using engine = await startEngineProcess({ dataDirectory });
    await assertInterrupted(engine, killed, approvalUuid);
  }
  rmSync(dataDirectory, { recursive: true });
});

async function configure(dataDirectory: string, server: ProviderServer): Promise<void> {
  await using engine = await startEngineProcess({ dataDirectory });
  const baseUrl = server.url + wire.basePath;
  const configuration = { provider: wire.provider, model: "m", baseUrl };
  await json(await engine.call("POST", "/model-configurations", configuration), 201);
  await engine.end("SIGTERM");
}

async function createThread(engine: EngineProcess): Promise<string> {
  const workspace = await json(await engine.call("POST", "/workspaces", { name: "w" }));
  const body = { workspaceUuid: workspace.uuid, defaultModelId: "m" };
  return (await json(await engine.call("POST", "/threads", body))).uuid;
}

const toKilled = ({ uuid, threadUuid }: Turn): Killed => ({
  uuid,
  threadUuid,
  sent: "",
  stored: "",
});

async function startOverHttp(engine: EngineProcess, server: ProviderServer) {
  const exchange = nextStreamed(server);
  const path = `/threads/${await createThread(engine)}/turns`;
  const turn = await json(await engine.call("POST", path, { content: "go" }), 202);
  return { turn: toKilled(turn), exchange: await exchange };
}

async function startOverSocket(engine: EngineProcess, server: ProviderServer) {
  const exchange = nextStreamed(server);
  const threadUuid = await createThread(engine);
  const { port, token } = engine.runtime;
  const headers = { Authorization: `Bearer ${token}` };
  const socket = new WebSocket(`ws://127.0.0.1:${port}/api/v1/events`, { headers });
  socket.on("error", () => {
    // The engine is killed.
  });
  await once(socket, "open");
  const data = { content: "go", thread_uuid: threadUuid };
  socket.send(JSON.stringify({ type: "chat.send", id: "t1", data }));
  const asked = await exchange;
  const [turn] = await json(await engine.call("GET", `/threads/${threadUuid}/turns`));
  return { turn: toKilled(turn), exchange: asked };
}

/** A turn that says something and then asks whether a tool may run. */
async function startAsking(engine: EngineProcess, server: ProviderServer): Promise<Killed> {
  const call = { id: "c1", name: "create_note", fragments: ['{"title":"t","content":"c"}'] };
  const text = "Let me write that down.";
  server.script(answerChunks(wire.contentType, wire.chunks([{ text }, { call }])));
  const path = `/threads/${await createThread(engine)}/turns`;
  const turn = await json(await engine.call("POST", path, { content: "go" }), 202);
  await until("the approval", async () => {
    const { state } = await json(await engine.call("GET", `/turns/${turn.uuid}`));
    return state === "waiting" ? state : undefined;
  });
  return { ...toKilled(turn), sent: text };
}

function nextStreamed(server: ProviderServer): Promise<Exchange> {
  const exchange = server.next();
  server.script((asked) => asked.head(200, { "content-type": "text/event-stream" }));
  return exchange;
}

async function say(turn: Killed, exchange: Exchange, words: number): Promise<void> {
  for (let word = 0; word < words; word += 1) {
    const content = `word ${word} `;
    const choices = [{ index: 0, delta: { content }, finish_reason: null }];
    await exchange.write(`data: ${JSON.stringify({ id: "c", choices })}\n\n`);
    turn.sent += content;
  }
}

/** Resolves once all that was sent so far is in the database. */
async function untilStored(dataDirectory: string, turn: Killed): Promise<void> {
  const connection = new Connection(join(dataDirectory, "engine.db"), { readonly: true });
  const query = connection.prepare("SELECT partial_text AS text FROM turns WHERE uuid = ?");
  turn.stored = await until("the partial text", () => {
    const row = query.get(turn.uuid) as { text: string | null } | undefined;
    return row?.text === turn.sent ? turn.sent : undefined;
  });
  connection.close();
}

async function assertInterrupted(
  engine: EngineProcess,
  killed: readonly Killed[],
  approvalUuid: string,
): Promise<void> {
  for (const { uuid, threadUuid, sent, stored } of killed) {
    const turn: Turn = await json(await engine.call("GET", `/turns/${uuid}`));
    assert.deepEqual([turn.state, turn.error], ["interrupted", null]);
    assert.ok(turn.endedAt);
    const partialText = turn.partialText ?? "";
    assert.ok(stored !== "" && partialText.startsWith(stored), `${stored} / ${partialText}`);
    assert.ok(sent.startsWith(partialText), `${partialText} / ${sent}`);
    assert.equal(turn.assistantMessageUuid, null);
    const messages = await json(await engine.call("GET", `/threads/${threadUuid}/messages`));
    assert.deepEqual(
      messages.map(({ uuid, role }: { uuid: string; role: string }) => [uuid, role]),
      [[turn.userMessageUuid, "user"]],
    );
    const events = await (await engine.call("GET", `/turns/${uuid}/events`)).text();
    assert.deepEqual(events.match(/^event: .*$/gm), ["event: snapshot", "event: end"]);
    const body = { content: "again", model_id: "echo" };
    await json(await engine.call("POST", `/threads/${threadUuid}/turns`, body), 202);
  }
  assert.deepEqual(await json(await engine.call("GET", "/approvals")), []);
  assert.deepEqual(await json(await engine.call("GET", "/turns?state=waiting")), []);
  if (!approvalUuid) return;
  const path = `/approvals/${approvalUuid}`;
  await json(await engine.call("POST", path, { decision: "approve" }), 404);
}
