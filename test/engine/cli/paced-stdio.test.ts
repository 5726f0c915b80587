import assert from "node:assert/strict";
import { PassThrough, type Writable } from "node:stream";
import { describe, it } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import {
  MCP_INPUT_BYTES_MAX,
  MCP_UNANSWERED_MAX,
  MCP_UNREADABLE_MAX,
} from "../../../engine/cli/limits.ts";
import { PacedStdio } from "../../../engine/cli/mcp/paced-stdio.ts";

const line = (message: object) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`;
const ask = (id: number) => line({ id, method: "ping" });

/** A client whose lines arrive one at a time, and the requests that the server saw. */
async function createSession(output: Writable = new PassThrough()) {
  const input = new PassThrough();
  const transport = new PacedStdio(input, output);
  const seen: (string | number)[] = [];
  const problems: string[] = [];
  transport.onmessage = (message) => {
    if ("id" in message && message.id !== undefined) seen.push(message.id);
  };
  transport.onerror = ({ message }) => problems.push(message);
  await transport.start();
  const ended = transport.ended.then(
    () => undefined,
    (error: Error) => error.message,
  );
  const write = async (texts: readonly string[]) => {
    for (const text of texts) {
      input.write(text);
      await turn();
    }
  };
  const answer = (id: number) => transport.send({ jsonrpc: "2.0", id, result: {} });
  return { input, transport, seen, problems, ended, write, answer };
}

const MANY = Array.from({ length: MCP_UNANSWERED_MAX * 4 }, (_, id) => id);

describe("The standard input of `mcp`", () => {
  for (const [sort, idOf] of [
    ["requests", (id: number) => id],
    ["requests of one id", () => 7],
  ] as const) {
    it(`is not read on while too many ${sort} have no answer`, async () => {
      const { seen, write, answer } = await createSession();
      await write(MANY.map((id) => ask(idOf(id))));
      assert.equal(seen.length, MCP_UNANSWERED_MAX);
      for (const id of MANY) {
        await answer(idOf(id));
        await turn();
      }
      assert.deepEqual(seen, MANY.map(idOf));
    });
  }

  it("is not read on while the client reads no answers", async () => {
    const output = new PassThrough({ highWaterMark: 1 });
    const { seen, write, answer } = await createSession(output);
    await write([ask(0)]);
    const sent = [answer(0)];
    for (const id of MANY.slice(1)) {
      await write([ask(id)]);
      if (seen.at(-1) === id) sent.push(answer(id));
    }
    assert.equal(seen.length, MCP_UNANSWERED_MAX);
    output.resume();
    await Promise.all(sent);
    await turn();
    assert.ok(seen.length > MCP_UNANSWERED_MAX);
  });

  it("is read on after requests that were cancelled, which have no answer", async () => {
    const { seen, write } = await createSession();
    const cancel = (requestId: number) =>
      line({ method: "notifications/cancelled", params: { requestId } });
    await write(MANY.flatMap((id) => [ask(id), cancel(id), cancel(id), cancel(-1)]));
    assert.deepEqual(seen, MANY);
  });

  it("ends with a sentence at a line without end", async () => {
    const { input, ended, transport } = await createSession();
    let closed = false;
    transport.onclose = () => {
      closed = true;
    };
    const piece = "x".repeat(1_000_000);
    for (let size = 0; size <= MCP_INPUT_BYTES_MAX; size += piece.length) input.write(piece);
    assert.equal(await ended, "The client wrote a line of more than 4 MiB.");
    assert.equal(closed, true);
  });

  it("ends with a sentence after too many lines that are no messages", async () => {
    const { input, ended, problems } = await createSession();
    input.write("{}\n".repeat(MCP_UNREADABLE_MAX * 10));
    assert.match((await ended) ?? "", /^The client wrote \d+ lines that are not messages\.$/);
    assert.equal(problems.length, MCP_UNREADABLE_MAX);
  });

  it("ends without one where the client closes it", async () => {
    const { input, ended } = await createSession();
    input.end();
    assert.equal(await ended, undefined);
  });
});
