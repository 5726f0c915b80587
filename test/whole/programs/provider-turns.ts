import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { openDatabase } from "../../../engine/db/open.ts";
import { MODEL_RETRY_WAIT_MS_MAX } from "../../../engine/models/limits.ts";
import type { LogFields } from "../../../shared/log.ts";
import { createTestFolder, NOTHING_ASKED } from "../../support/engine/files.ts";
import { type LiveEngine, startLiveEngine } from "../../support/engine/live.ts";
import type { LiveSocket } from "../../support/engine/sockets.ts";
import { json } from "../../support/http.ts";
import { type ProviderServer, startProviderServer } from "../../support/providers/server.ts";
import { type ProviderWire, reroutedFetch } from "../../support/providers/wires.ts";

/** An engine on a real port with a database file, a configured provider on another, and everything that could be seen. */
export interface ProviderTurns extends AsyncDisposable {
  live: LiveEngine;
  server: ProviderServer;
  socket: LiveSocket;
  modelId: string;
  threadUuid: string;
  /** Sends a turn and waits for its terminal frame; holds all of its frames to their order. */
  turn(content: string, more?: object): Promise<TurnFrames>;
  start(content: string, more?: object): string;
  finish(id: string): Promise<TurnFrames>;
  /** Frames, events, logs, answers and the bytes of the database, as one text. */
  everything(): Promise<string>;
}

interface TurnFrames {
  terminal: { type: string; data: { error?: string; delta?: string } };
  /** The deltas of the model, joined. */
  text: string;
  types: string[];
}

type Frame = LiveSocket["frames"][number];

const isTerminal = ({ type }: Frame) =>
  ["chat.done", "chat.cancelled", "chat.error"].includes(type);

export async function startProviderTurns(wire: ProviderWire): Promise<ProviderTurns> {
  const folder = await createTestFolder();
  const database = await openDatabase(folder.at("engine.db"));
  const server = await startProviderServer();
  const log: string[] = [];
  // Retries wait on a clock that stands still: it moves on once one is announced.
  const write = (fields: LogFields, message: string) => {
    log.push(JSON.stringify([fields, message]) + String(fields.error));
    if (!message.includes("sent again")) return;
    void setImmediate().then(() => live.test.deps.clock.advance(MODEL_RETRY_WAIT_MS_MAX));
  };
  const live: LiveEngine = await startLiveEngine({
    db: database.db,
    fetch: reroutedFetch(server.url),
    log: { debug: write, info: write, warn: write, error: write },
  });
  const { test } = live;
  const baseUrl = wire.provider === "openai" ? null : server.url + wire.basePath;
  const input = { provider: wire.provider, model: "m", baseUrl, ...wire.configuration };
  const model = await json(await test.call("POST", "/model-configurations", input), 201);
  const workspace = { name: "w", approvalConfig: NOTHING_ASKED, defaultModelId: model.id };
  const { uuid: workspaceUuid } = await json(await test.call("POST", "/workspaces", workspace));
  const thread = await json(await test.call("POST", "/threads", { workspaceUuid }));
  const socket = await live.connect();
  let turns = 0;

  const start = (content: string, more: object = {}) => {
    turns += 1;
    const id = `turn-${turns}`;
    socket.say({ type: "chat.send", id, data: { content, thread_uuid: thread.uuid, ...more } });
    return id;
  };
  const finish = async (id: string) => {
    await socket.until((frame) => frame.id === id && isTerminal(frame));
    return checkFrames(socket.frames.filter((frame) => frame.id === id));
  };
  return {
    live,
    server,
    socket,
    modelId: model.id,
    threadUuid: thread.uuid,
    start,
    finish,
    turn: (content, more) => finish(start(content, more)),
    everything: async () => {
      const paths = ["/model-configurations", "/models", `/threads/${thread.uuid}/messages`];
      const answers = await Promise.all(
        paths.map(async (path) => (await test.call("GET", path)).text()),
      );
      const events = JSON.stringify(test.publishedEvents());
      const frames = JSON.stringify(socket.frames);
      const names = await readdir(folder.path);
      const files = await Promise.all(
        names.map((name) => readFile(join(folder.path, name), "latin1")),
      );
      // The sealed credentials themselves are in there, so that a key in the clear would be, too.
      assert.ok(files.some((bytes) => /v1\.[0-9a-f]{8}\./.test(bytes)));
      return [...answers, events, frames, ...log, ...files].join("\n");
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await live[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** Engine §3 and §6: the run begins first and ends before the one terminal frame, which is the last of its turn. */
function checkFrames(frames: Frame[]): TurnFrames {
  const types = frames.map(({ type, data }) => (type === "agui.event" ? data.type : type));
  const terminal = frames.at(-1);
  assert.equal(frames.filter(isTerminal).length, 1, types.join());
  assert.ok(isTerminal(terminal), types.join());
  const runs = types.filter((type) => type.startsWith("run."));
  assert.equal(types[0], "run.started");
  const ends = {
    "chat.done": "run.completed",
    "chat.cancelled": "run.aborted",
    "chat.error": "run.failed",
  }[terminal.type as "chat.done" | "chat.cancelled" | "chat.error"];
  assert.deepEqual(runs, ["run.started", ends], types.join());
  const deltas = frames.filter(({ data }) => data?.type === "model.delta");
  const text = deltas.map(({ data }) => data.delta).join("");
  const whole = frames.find(({ type }) => type === "chat.delta");
  if (terminal.type === "chat.done" && text !== "") assert.equal(whole?.data.delta, text);
  else assert.equal(whole, undefined);
  return { terminal, text, types };
}
