// What one session with a hostile MCP server may cost the engine (Design, MCP).
import assert from "node:assert/strict";
import { it } from "node:test";
import { guardedFetch, type ServerFault } from "../../../engine/mcp/guarded-fetch.ts";
import { MCP_EVENT_LINES_MAX, MCP_STREAMS_MAX } from "../../../engine/mcp/limits.ts";

const endpoint = new URL("http://127.0.0.1:1/mcp");

function session(respond: () => Response) {
  const faults: ServerFault[] = [];
  const asked: unknown[] = [];
  const fetch = guardedFetch(
    async (input) => {
      asked.push(input);
      return respond();
    },
    { endpoint, headers: {} },
    (fault) => faults.push(fault),
  );
  return { fetch, faults, asked };
}

const streamOf = (text: string) =>
  new Response(text, { headers: { "Content-Type": "text/event-stream; charset=utf-8" } });

for (const [what, end] of [
  ["line feeds", "\n\n"],
  ["carriage returns", "\r\r"],
]) {
  it(`a stream of events ends behind the last line that it may have, by ${what}`, async () => {
    const event = `data: {}${end}`;
    const whole = event.repeat(MCP_EVENT_LINES_MAX / 2);
    const allowed = session(() => streamOf(whole));
    const response = await allowed.fetch(endpoint, { method: "GET" });
    assert.equal((await response.text()).length, whole.length);
    assert.deepEqual(allowed.faults, []);
    const flooded = session(() => streamOf(whole + event));
    const flood = await flooded.fetch(endpoint, { method: "GET" });
    await assert.rejects(flood.text(), /more than 40000 lines of events/);
    assert.equal(flooded.faults.length, 1);
  });
}

it("a result of many lines is no stream of events", async () => {
  const text = "\n".repeat(MCP_EVENT_LINES_MAX + 1);
  const { fetch } = session(() => new Response(text));
  assert.equal(await (await fetch(endpoint, { method: "POST" })).text(), text);
});

it("a stream that ends again and again is not opened for ever", async () => {
  const { fetch, asked } = session(() => streamOf("retry: 0\n\n"));
  for (let opened = 0; opened < MCP_STREAMS_MAX; opened += 1) {
    assert.equal((await fetch(endpoint, { method: "GET" })).status, 200);
  }
  assert.equal((await fetch(endpoint, { method: "GET" })).status, 405);
  assert.equal(asked.length, MCP_STREAMS_MAX);
  assert.equal((await fetch(endpoint, { method: "POST" })).status, 200);
});
