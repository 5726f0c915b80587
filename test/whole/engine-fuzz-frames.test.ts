import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { WebSocket } from "ws";
import { createTestFolder } from "../support/engine/files.ts";
import {
  type EngineProcess,
  errorLines,
  readLog,
  residentBytes,
  startEngineProcess,
  watchHealth,
} from "../support/engine/process.ts";
import { closeOf, json } from "../support/http.ts";
import {
  answerChunks,
  answerStatus,
  inPieces,
  type ProviderServer,
  type Reply,
  startProviderServer,
} from "../support/providers/server.ts";
import { PLANTED_KEY, PROVIDER_WIRES } from "../support/providers/wires.ts";
import { caseDice, type Dice, FUZZ_SEED, pick, runCases } from "../support/random.ts";
import { isLongRun, repeats } from "../support/repeats.ts";
import {
  type FrameHarness,
  FuzzSocket,
  frameFor,
  HELD_TEXT,
  INBOUND_DATA,
  registerAll,
  stepFor,
} from "./fuzz/frames.ts";

const FRAMES = repeats({ once: 400, long: 18_000 });
const SOCKETS = 6;
const MEMORY_BYTES_MAX = 2 * 1024 ** 3;
const wire = PROVIDER_WIRES[0]!;

/** What the provider does with one request: mostly what it should. */
function replyFor(dice: Dice, number: number): Reply {
  const step = () => wire.chunks(stepFor(dice, number));
  switch (dice(14)) {
    case 0:
      return answerStatus(400, wire.errorBody(`input token count ${"a ".repeat(dice(2_000))}`));
    case 1:
      return answerChunks(wire.contentType, [...step().slice(0, 1), wire.errorChunk("broken")]);
    case 2:
      return async (exchange) => {
        exchange.head(200, { "content-type": wire.contentType });
        await exchange.write(step()[0] ?? "");
        exchange.drop();
      };
    case 3:
    case 4:
      // Only a cancel ends this one. No client sees the text of a summary, which has no tools.
      return async (exchange) => {
        if (!exchange.body.tools) return answerChunks(wire.contentType, step())(exchange);
        exchange.head(200, { "content-type": wire.contentType });
        await exchange.write(wire.chunks([{ text: HELD_TEXT }])[0] ?? "");
        await exchange.cut;
      };
    case 5:
      return answerChunks(wire.contentType, inPieces(step(), 7));
    default:
      return answerChunks(wire.contentType, step());
  }
}

async function prepare(
  engine: EngineProcess,
  server: ProviderServer,
  root: string,
): Promise<FrameHarness> {
  const configuration = { provider: wire.provider, model: "m", apiKey: PLANTED_KEY };
  const baseUrl = server.url + wire.basePath;
  const model = await json(
    await engine.call("POST", "/model-configurations", { ...configuration, baseUrl }),
    201,
  );
  const workspace = { name: "w", directories: JSON.stringify([root]), defaultModelId: model.id };
  const { uuid: workspaceUuid } = await json(await engine.call("POST", "/workspaces", workspace));
  const threads = Array.from({ length: SOCKETS }, async () =>
    json(await engine.call("POST", "/threads", { workspaceUuid })),
  );
  return { workspaceUuid, threadUuids: (await Promise.all(threads)).map(({ uuid }) => uuid) };
}

/** Connections that break the protocol, or go away in the middle of a turn. */
async function breakOff(engine: EngineProcess, harness: FrameHarness, dice: Dice): Promise<void> {
  const { raw } = await FuzzSocket.open(engine.runtime, dice);
  const closed = closeOf(raw);
  const data = { content: "x", thread_uuid: pick(dice, harness.threadUuids) };
  raw.send(JSON.stringify({ type: "chat.send", id: "gone", data }));
  switch (dice(4)) {
    case 0:
      raw.send(Buffer.from([0xff, 0xfe, 0xc0]), { binary: false });
      break;
    case 1:
      raw.send("x", { fin: false });
      raw.send("not a continuation", { compress: true });
      raw.terminate();
      break;
    case 2:
      raw.close(3_000, "enough");
      break;
    default:
      raw.terminate();
  }
  await closed;
}

describe(`${FRAMES} frames of every kind over ${SOCKETS} sockets`, () => {
  it("are answered in order, and every turn ends exactly once", async (t) => {
    t.diagnostic(`FUZZ_SEED=${FUZZ_SEED}`);
    await using root = await createTestFolder({ "a.txt": "a zebra", d: { "b.md": "# okapi" } });
    await using server = await startProviderServer();
    await using engine = await startEngineProcess({ env: { ENGINE_LOG_LEVEL: "debug" } });
    const harness = await prepare(engine, server, root.path);
    const replies = caseDice(FUZZ_SEED, 1_000_000);
    // One by one: a long run has more than a call has arguments.
    for (let at = 0; at < FRAMES * 4; at += 1) server.script(replyFor(replies, at));
    const opened = Array.from({ length: SOCKETS }, (_, at) =>
      FuzzSocket.open(engine.runtime, caseDice(FUZZ_SEED, 2_000_000 + at)),
    );
    const sockets = await Promise.all(opened);
    await using health = watchHealth(engine);

    const talk = (socket: FuzzSocket, at: number) =>
      runCases(
        { what: "frames of a socket", count: FRAMES / SOCKETS, atOnce: 1 },
        async (_, round) => {
          const number = round * SOCKETS + at;
          const dice = caseDice(FUZZ_SEED, number);
          if (round % 10 === 0) socket.send(registerAll());
          socket.send(frameFor(harness, dice, number));
          if (dice(12) === 0) await socket.ping(1 + dice(3));
          if (dice(100) === 0) await socket.ping(500);
          if (dice(40) === 0) await breakOff(engine, harness, dice);
          if (dice(10) === 0) await socket.drain();
          else if (dice(3) > 0) await socket.idle();
        },
      );
    await Promise.all(sockets.map(talk));
    for (const socket of sockets) await socket.drain();

    const texts = sockets.flatMap((socket) => socket.texts);
    const types = texts.map((text) => JSON.parse(text).type);
    const counts = Object.fromEntries(
      [...new Set(types)].map((type) => [type, types.filter((one) => one === type).length]),
    );
    t.diagnostic(JSON.stringify(counts));
    for (const type of [
      "chat.done",
      "chat.error",
      "chat.cancelled",
      "pong",
      "error",
      "tool.approval.request",
      "client.hello.ack",
      // A short run has two to four of them, by the order in which turns end: one had none.
      ...(isLongRun ? ["client.tool.request"] : []),
    ]) {
      assert.ok((counts[type] ?? 0) > 0, `no ${type}`);
    }
    assert.ok(INBOUND_DATA.size >= 11);
    assert.ok(health.answers() > 0);
    assert.ok(residentBytes(engine.runtime.pid) < MEMORY_BYTES_MAX);
    for (const { raw } of sockets) {
      raw.close();
      if (raw.readyState !== WebSocket.CLOSED) await closeOf(raw);
    }
    await health[Symbol.asyncDispose]();
    assert.deepEqual(await engine.end("SIGTERM"), { code: 0, signal: null });
    const log = readLog(engine);
    assert.deepEqual(errorLines(log), []);
    for (const secret of [PLANTED_KEY, engine.runtime.token]) {
      assert.ok(!log.includes(secret), "A secret is in the log.");
      assert.ok(!texts.some((text) => text.includes(secret)), "A secret is in a frame.");
    }
  });
});
