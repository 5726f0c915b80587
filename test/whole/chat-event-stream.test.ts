import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { describe, it } from "node:test";
import { EventLog } from "../../engine/events/event-log.ts";
import { TEST_TOKEN } from "../support/engine/engine.ts";
import { startLiveEngine, tick } from "../support/engine/live.ts";

describe("a real event stream", () => {
  const TEXT = "x".repeat(10_000);
  const EVENTS = 4_000;

  /** Reads a stream over a plain connection; starts to read when told. */
  function follow(port: number) {
    const socket = connect(port, "127.0.0.1");
    socket.write(
      `GET /api/v1/stream HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n` +
        `Authorization: Bearer ${TEST_TOKEN}\r\n\r\n`,
    );
    const ids: number[] = [];
    let rest = "";
    const until = async (id: number) => {
      while (!ids.slice(-3).includes(id)) await once(socket, "data");
      return ids;
    };
    const read = () => {
      socket.on("data", (chunk) => {
        const lines = `${rest}${chunk}`.split("\n");
        // The beginning of a line that is to come.
        rest = lines.pop() ?? "";
        for (const line of lines) {
          const id = /"messageId":"(\d+)"/.exec(line)?.[1];
          if (id !== undefined) ids.push(Number(id));
        }
      });
    };
    return { socket, read, until };
  }

  it("that does not read loses the oldest alone; the others get every event in order", async () => {
    await using live = await startLiveEngine();
    const [stalled, reader] = [follow(live.port), follow(live.port)];
    await Promise.all([once(stalled.socket, "readable"), once(reader.socket, "readable")]);
    stalled.socket.pause();
    reader.read();
    for (let id = 0; id < EVENTS; id += 1) {
      const data = { messageId: String(id), threadId: "t", role: "user", content: TEXT } as const;
      live.test.deps.events.publish({ type: "message.created", data });
      // Fewer than a stream keeps: this reader is never behind.
      if (id % 50 === 49) await reader.until(id);
    }
    live.test.publishedEvents();
    const all = Array.from({ length: EVENTS }, (_, id) => id);
    assert.deepEqual(await reader.until(EVENTS - 1), all);
    stalled.read();
    stalled.socket.resume();
    const seen = await stalled.until(EVENTS - 1);
    assert.deepEqual(seen.slice(-100), all.slice(-100));
    assert.ok(seen.length < EVENTS, "nothing was dropped");
    const gaps = seen.filter((id, at) => at > 0 && id !== seen[at - 1]! + 1);
    assert.equal(gaps.length, 1, "more than one gap");
    for (const { socket } of [stalled, reader]) socket.destroy();
  });

  it("that breaks off leaves nothing behind", async (t) => {
    const open = t.mock.method(EventLog.prototype, "open");
    await using live = await startLiveEngine();
    const followers = Array.from({ length: 20 }, () => follow(live.port));
    await Promise.all(followers.map(({ socket }) => once(socket, "readable")));
    const log: unknown = open.mock.calls[0]?.this;
    assert.ok(log instanceof EventLog);
    assert.equal(log.size, 20);
    for (const { socket } of followers) socket.destroy();
    while (log.size > 0) await tick();
  });
});
