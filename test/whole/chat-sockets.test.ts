import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { describe, it } from "node:test";
import { FRAME_BYTES_MAX, SOCKET_PING_INTERVAL_MS } from "../../engine/realtime/limits.ts";
import { MIB } from "../../shared/units.ts";
import { TEST_TOKEN } from "../support/engine/engine.ts";
import { headers, type LiveEngine, startLiveEngine, tick } from "../support/engine/live.ts";
import type { LiveSocket } from "../support/engine/sockets.ts";
import { closeOf, json } from "../support/http.ts";
import { ScriptedModel, scriptedChat } from "../support/providers/model.ts";
import { repeats } from "../support/repeats.ts";

const FLOOD = repeats({ once: 2_500, long: 10_000 });

async function createThread({ test }: LiveEngine): Promise<string> {
  const workspace = await json(await test.call("POST", "/workspaces", { name: "w" }));
  const input = { workspaceUuid: workspace.uuid };
  return (await json(await test.call("POST", "/threads", input))).uuid;
}

describe("a real socket", () => {
  it("carries a chat turn while another one and the event stream watch", async () => {
    await using live = await startLiveEngine();
    const thread_uuid = await createThread(live);
    const stream = await fetch(`${live.url}/stream`, { headers });
    assert.equal(stream.status, 200);
    assert.equal(stream.headers.get("content-type"), "text/event-stream");
    assert.equal(stream.headers.get("cache-control"), "no-cache");
    assert.equal(stream.headers.get("connection"), "keep-alive");
    assert.equal(stream.headers.get("x-accel-buffering"), "no");
    const [sender, listener] = [await live.connect(), await live.connect()];
    listener.say({ type: "client.hello", data: {} });
    await listener.until(({ type }) => type === "client.hello.ack");
    sender.say({ type: "chat.send", id: "t", data: { content: "hällo 👋 world", thread_uuid } });
    await sender.until(({ type }) => type === "chat.done");
    assert.equal(
      (await sender.until(({ type }) => type === "chat.delta")).data.delta,
      "hällo 👋 world",
    );
    await listener.until(({ data }) => data.role === "assistant");
    const reader = stream.body!.getReader();
    const decoder = new TextDecoder();
    let text = "";
    while (!text.includes('"role":"assistant"')) {
      text += decoder.decode((await reader.read()).value, { stream: true });
    }
    const types = text
      .split("\n\n")
      .filter((item) => item !== "")
      .map((item) => JSON.parse(item.slice(6)))
      .map(({ type, data }) => (type === "graph.execution" ? data.type : type));
    assert.equal(types[0], "message.created");
    assert.equal(types[1], "run.started");
    assert.equal(types.at(-2), "run.completed");
    await reader.cancel();
  });

  it("gets an error for binary frames, and is closed for a breach of the protocol", async () => {
    await using live = await startLiveEngine();
    const socket = await live.connect();
    socket.raw.send(Buffer.from('{"type":"ping"}'));
    await socket.until(({ type, data }) => type === "error" && /Binary/.test(data.error));
    socket.say({ type: "ping" });
    await socket.until(({ type }) => type === "pong");

    const garbled = await live.connect();
    garbled.raw.send(Buffer.from([0xff, 0xfe]), { binary: false });
    assert.equal((await garbled.closed).code, 1007);

    const large = await live.connect();
    large.raw.send("x".repeat(FRAME_BYTES_MAX + 1));
    assert.equal((await large.closed).code, 1009);
    assert.equal((await fetch(`${live.url}/health`)).status, 200);
  });

  it("takes a frame of nearly 16 MiB and answers one as large", async () => {
    await using live = await startLiveEngine();
    const thread_uuid = await createThread(live);
    const socket = await live.connect();
    const content = `${"0123456789abcdef".repeat(8)} `.repeat(112_000);
    socket.say({ type: "chat.send", id: "t", data: { content, thread_uuid } });
    await socket.until(({ type }) => type === "chat.done");
    const frames = socket.frames.filter(({ type }) => type === "agui.event");
    const deltas = frames.filter(({ data }) => data.type === "model.delta");
    assert.equal(deltas.map(({ data }) => data.delta).join("") === content, true);
    assert.ok(deltas.length < 5_000, `${deltas.length} deltas`);
    const whole = socket.frames.find(({ type }) => type === "chat.delta");
    assert.equal(whole.data.delta === content, true);
  });

  it("answers a flood in order and leaves the others alone", async () => {
    await using live = await startLiveEngine();
    const flooder = await live.connect();
    const other = await live.connect();
    for (let at = 0; at < FLOOD; at += 1) flooder.say({ type: `unknown ${at}` });
    flooder.say({ type: "ping" });
    other.say({ type: "ping" });
    await other.until(({ type }) => type === "pong");
    await flooder.until(({ type }) => type === "pong");
    assert.equal(flooder.frames.length, FLOOD + 1);
    assert.equal(flooder.frames[FLOOD - 1].data.error, `Unknown frame type: unknown ${FLOOD - 1}`);
  });

  it("that sends faster than messages are stored is held back, and every one is stored in order", async () => {
    await using live = await startLiveEngine();
    const thread_uuid = await createThread(live);
    const socket = await live.connect();
    const ids = Array.from({ length: 500 }, (_, at) => `n${at}`);
    for (const id of ids) {
      socket.say({ type: "chat.notification", id, data: { content: id, thread_uuid } });
    }
    await socket.until(({ id }) => id === ids.at(-1));
    assert.deepEqual(
      socket.frames.map(({ id }) => id),
      ids,
    );
    const messages = await json(await live.test.call("GET", `/threads/${thread_uuid}/messages`));
    assert.deepEqual(
      messages.map(({ content }: { content: string }) => content),
      ids,
    );
  });

  it("that does not read is closed with 1013, and costs the others nothing", async () => {
    await using live = await startLiveEngine();
    const thread_uuid = await createThread(live);
    const [sender, stalled, listener] = await Promise.all([
      live.connect(),
      live.connect(),
      live.connect(),
    ]);
    for (const [at, socket] of [stalled, listener].entries()) {
      socket.say({ type: "client.hello", data: { clientId: `client ${at}` } });
      await socket.until(({ type }) => type === "client.hello.ack");
    }
    stalled.raw.pause();
    const content = "x".repeat(MIB);
    // Its client's id is free once the engine gives it up, and then waits 5 s for the answer to its close frame.
    const answers = () => sender.frames.filter(({ type }) => type.startsWith("client.hello."));
    const isFree = () => answers().at(-1)?.type === "client.hello.ack";
    const heardBy = ({ frames }: LiveSocket) =>
      frames.filter(({ type }) => type === "message.created").length;
    let sent = 0;
    while (!isFree() && sent < 40) {
      sent += 1;
      sender.say({ type: "chat.notification", data: { content, thread_uuid } });
      await listener.until(() => heardBy(listener) === sent);
      sender.say({ type: "client.hello", data: { clientId: "client 0" } });
      await sender.until(() => answers().length === sent);
    }
    assert.ok(isFree());
    stalled.raw.resume();
    assert.equal((await stalled.closed).code, 1013);
    assert.ok(heardBy(stalled) < sent);
  });

  it("whose turn it cannot follow is waited for, and gets every delta in the end", async () => {
    const model = new ScriptedModel(Array.from({ length: 64 }, () => "y".repeat(256 * 1024)));
    await using live = await startLiveEngine({ chat: scriptedChat(model) });
    const thread_uuid = await createThread(live);
    const socket = await live.connect();
    socket.raw.pause();
    socket.say({ type: "chat.send", id: "t", data: { content: "x", thread_uuid } });
    while (live.test.publishedEvents().length === 0) await tick();
    for (let at = 0; at < 200; at += 1) await tick();
    socket.raw.resume();
    await socket.until(({ type }) => type === "chat.done");
    const deltas = socket.frames.filter(({ data }) => data.type === "model.delta");
    const text = deltas.map(({ data }) => data.delta).join("");
    assert.equal(text === "y".repeat(16 * MIB), true);
  });

  it("that answers pings stays; one that misses one is gone, and its turn with it", async () => {
    await using live = await startLiveEngine();
    const { clock } = live.test.deps;
    const socket = await live.connect();
    const deaf = connect(live.port, "127.0.0.1");
    const key = "dGhlIHNhbXBsZSBub25jZQ==";
    deaf.write(
      `GET /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1:${live.port}\r\nUpgrade: websocket\r\n` +
        `Connection: Upgrade\r\nSec-WebSocket-Key: ${key}\r\nSec-WebSocket-Version: 13\r\n` +
        `Authorization: Bearer ${TEST_TOKEN}\r\n\r\n`,
    );
    await once(deaf, "data");
    const gone = closeOf(deaf);
    deaf.resume();
    const pinged = once(socket.raw, "ping");
    clock.advance(SOCKET_PING_INTERVAL_MS);
    await pinged;
    socket.say({ type: "ping" });
    await socket.until(({ type }) => type === "pong");
    clock.advance(SOCKET_PING_INTERVAL_MS);
    await gone;
    socket.frames.length = 0;
    socket.say({ type: "ping" });
    await socket.until(({ type }) => type === "pong");
  });

  it("that breaks off in the middle of a turn leaves what was committed, a hundred times", async () => {
    await using live = await startLiveEngine();
    const thread_uuid = await createThread(live);
    for (let at = 0; at < 100; at += 1) {
      const socket = await live.connect();
      const data = { content: `message ${at}`, thread_uuid };
      socket.say({ type: "chat.send", id: "t", data });
      if (at % 2 === 0) await socket.until(({ type }) => type === "agui.event");
      socket.raw.terminate();
    }
    const last = await live.connect();
    last.say({ type: "chat.send", id: "t", data: { content: "last", thread_uuid } });
    await last.until(({ type }) => type === "chat.done");
    const published = live.test
      .publishedEvents()
      .filter(({ type }) => type === "message.created")
      .map(({ data }) => data.messageId);
    const messages = await json(await live.test.call("GET", `/threads/${thread_uuid}/messages`));
    const stored = messages.map(({ uuid }: { uuid: string }) => uuid);
    assert.deepEqual(published.toSorted(), stored.toSorted());
    assert.ok(stored.length >= 52);
  });

  it("is closed with 1001 when the engine stops, and its turn is cancelled", async () => {
    const live = await startLiveEngine({
      chat: scriptedChat(
        new ScriptedModel(async function* () {
          yield { type: "delta", text: "partial" };
          await new Promise(() => {});
        }),
      ),
    });
    const thread_uuid = await createThread(live);
    const socket = await live.connect();
    const stream = await fetch(`${live.url}/stream`, { headers });
    socket.say({ type: "chat.send", id: "t", data: { content: "x", thread_uuid } });
    await socket.until(({ data }) => data.type === "model.delta");
    const stopped = live[Symbol.asyncDispose]();
    assert.equal((await socket.closed).code, 1001);
    const text = await stream.text();
    assert.match(text, /"type":"run\.aborted"/);
    await stopped;
  });
});
