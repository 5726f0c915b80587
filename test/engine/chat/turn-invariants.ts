import assert from "node:assert/strict";
import { type ChatHarness, isTerminal, type TestSocket } from "../../support/engine/chat.ts";

/** A connection, the turns that it asked for, and whether it is still there. */
export interface Connection {
  socket: TestSocket;
  sent: string[];
  open: boolean;
}

/** What must be true of the frames of one connection, in any order of events. */
export function checkFrames({ socket, sent, open }: Connection): void {
  const terminals = socket.frames.filter(isTerminal);
  if (open) {
    assert.equal(terminals.length + refusals(socket), sent.length, "a turn has no end");
  }
  let active: string | undefined;
  const ended = new Set<string>();
  let graph: string[] = [];
  for (const frame of socket.frames) {
    if (frame.id === undefined || !sent.includes(frame.id)) continue;
    assert.ok(!ended.has(frame.id), `${frame.type} after the end of ${frame.id}`);
    if (frame.type === "agui.event") {
      if (frame.data.type === "run.started") {
        assert.equal(active, undefined, "two turns at once");
        active = frame.id;
        graph = [];
      }
      assert.equal(active, frame.id);
      graph.push(frame.data.type);
    }
    if (!isTerminal(frame)) continue;
    ended.add(frame.id);
    if (active === frame.id) {
      const expected = { "chat.done": "run.completed", "chat.cancelled": "run.aborted" };
      const last = expected[frame.type as keyof typeof expected] ?? "run.failed";
      assert.equal(graph.at(-1), last, `${frame.type} after ${graph}`);
      active = undefined;
    }
  }
  for (const { type, id } of socket.frames) {
    if (type === "error" || type === "pong") assert.equal(id, undefined);
  }
}

/** What must be true of what is stored. */
export async function checkStorage(
  harness: ChatHarness,
  connected: readonly Connection[],
  gone: readonly Connection[],
): Promise<void> {
  const { test, workspaceUuid } = harness;
  const all = [...connected, ...gone];
  const response = await test.call("GET", `/workspaces/${workspaceUuid}/threads`);
  const threads = (await response.json()) as { uuid: string }[];
  const stored = (await Promise.all(threads.map(({ uuid }) => harness.stored(uuid)))).flat();
  const answers = stored.filter(([role]) => role === "assistant").map(([, content]) => content);
  const told = all.flatMap(({ socket }) =>
    socket.ofType("chat.delta").map(({ data }) => data.delta as string),
  );
  for (const text of told) assert.ok(answers.includes(text), "a chat.delta that is not stored");
  const openTurns = connected.flatMap(({ sent }) => sent);
  if (gone.length === 0) assert.equal(answers.length, told.length);
  const users = stored.filter(([role]) => role === "user").map(([, content]) => content);
  assert.equal(new Set(users).size, users.length, "a user message is stored twice");
  for (const { socket } of connected) {
    for (const { type, id, data } of socket.frames) {
      const isKept = type === "chat.done" || type === "chat.cancelled";
      if (isKept && openTurns.includes(id ?? "")) assert.ok(users.includes(id!), id);
      if (type === "chat.done") assert.ok(threads.some(({ uuid }) => uuid === data.thread_uuid));
    }
  }
  const records = stored.filter(([role]) => role === "tool").map(([, it]) => JSON.parse(it));
  const ids = records.map(({ tool_call_id }) => tool_call_id);
  assert.equal(new Set(ids).size, ids.length, "a call is recorded twice");
}

/** Every run that began on the stream has ended there, once. */
export function checkEvents(harness: ChatHarness): void {
  const runs = new Map<string, string[]>();
  for (const { type, data } of harness.test.publishedEvents()) {
    if (type !== "graph.execution" || typeof data.run_id !== "string") continue;
    runs.set(data.run_id, [...(runs.get(data.run_id) ?? []), String(data.type)]);
  }
  for (const [run, types] of runs) {
    assert.equal(types.length, 2, `${run}: ${types}`);
    assert.equal(types[0], "run.started");
  }
}

/** How often a second `chat.send` was refused. */
export function refusals(socket: TestSocket): number {
  return socket.ofType("error").filter(({ data }) => /turn is active/.test(data.error)).length;
}
