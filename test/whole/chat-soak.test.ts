// In a process of its own: it looks at memory and handles.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { type LiveEngine, startLiveEngine } from "../support/engine/live.ts";
import type { LiveSocket } from "../support/engine/sockets.ts";
import { json } from "../support/http.ts";
import { ScriptedModel, scriptedChat, testTool } from "../support/providers/model.ts";
import { repeats } from "../support/repeats.ts";

const TURNS = repeats({ once: 80, long: 2_000 });
const TURNS_PER_THREAD = 20;
const CONNECTIONS = repeats({ once: 8, long: 200 });
// Some 25 kB a turn in a short run; 1.2 MiB were seen.
const GROWTH_BYTES_MAX = repeats({ once: 4, long: 8 }) * 1024 * 1024;

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

async function heapBytes(): Promise<number> {
  for (let at = 0; at < 5; at += 1) {
    await new Promise(setImmediate);
    collectGarbage();
  }
  return process.memoryUsage().heapUsed;
}

/** What keeps the event loop busy, without handles that open and close by themselves. */
const handles = () =>
  process
    .getActiveResourcesInfo()
    .filter((name) => name.startsWith("TCP"))
    .toSorted();

async function createWorkspace({ test }: LiveEngine): Promise<string> {
  const input = { name: "w", approvalConfig: '{"read":false}' };
  return (await json(await test.call("POST", "/workspaces", input))).uuid;
}

async function talk(live: LiveEngine, socket: LiveSocket, workspace_uuid: string, turns: number) {
  let target: Record<string, string> = { workspace_uuid };
  for (let at = 0; at < turns; at += 1) {
    socket.say({ type: "chat.send", id: "t", data: { content: `turn ${at}`, ...target } });
    const done = await socket.until(({ type }) => type === "chat.done");
    const isLong = at % TURNS_PER_THREAD === TURNS_PER_THREAD - 1;
    target = isLong ? { workspace_uuid } : { thread_uuid: done.data.thread_uuid };
    socket.frames.length = 0;
    live.test.publishedEvents();
  }
}

async function comeAndGo(live: LiveEngine, workspace_uuid: string, count: number) {
  for (let at = 0; at < count; at += 1) {
    const socket = await live.connect();
    socket.say({ type: "client.hello", data: {} });
    socket.say({ type: "chat.send", id: "t", data: { content: "x", workspace_uuid } });
    if (at % 2 === 0) await socket.until(({ type }) => type === "agui.event");
    if (at % 3 === 0) socket.raw.terminate();
    else socket.raw.close();
    await socket.closed;
    live.test.publishedEvents();
  }
}

async function soak(live: LiveEngine): Promise<void> {
  const workspaceUuid = await createWorkspace(live);
  const sockets = await Promise.all([live.connect(), live.connect()]);
  const all = (turns: number) =>
    Promise.all(sockets.map((socket) => talk(live, socket, workspaceUuid, turns)));
  await all(TURNS / 8);
  await comeAndGo(live, workspaceUuid, CONNECTIONS / 8);
  const [bytesBefore, handlesBefore] = [await heapBytes(), handles()];
  await all(TURNS / 2);
  await comeAndGo(live, workspaceUuid, CONNECTIONS);
  const growth = (await heapBytes()) - bytesBefore;
  assert.ok(growth < GROWTH_BYTES_MAX, `${(growth / 1024 / 1024).toFixed(1)} MiB more`);
  assert.deepEqual(handles(), handlesBefore);
  assert.equal(live.test.deps.clock.pendingTimers, 1, "the pings alone are to come");
}

describe("turns and connections that come and go", () => {
  it("leave memory and handles where they were, with echo", async () => {
    await using live = await startLiveEngine();
    await soak(live);
  });

  it("leave memory and handles where they were, with tools", async () => {
    const model = new ScriptedModel();
    const tool = testTool("read_value", async () => "x".repeat(1_000));
    await using live = await startLiveEngine({
      chat: scriptedChat(
        {
          async *stream(request, signal) {
            const last = request.messages.at(-1);
            if (last?.role === "user") model.add([{ call: "read_value", args: {} }]);
            else model.add(["done"]);
            model.requests.length = 0;
            yield* model.stream(request, signal);
          },
        },
        { tools: [tool] },
      ),
    });
    await soak(live);
  });
});
