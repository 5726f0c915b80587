// Slow: it takes seconds of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createProviderBench, REQUEST, runStep } from "../../../support/providers/harness.ts";
import { answerChunks, answerStatus, inPieces } from "../../../support/providers/server.ts";
import { PLANTED_KEY, PROVIDER_WIRES, type Said } from "../../../support/providers/wires.ts";

const SPOKEN: readonly Said[] = [{ text: "Grüße 👋, " }, { text: "日本" }, { text: "!" }];
const CALLS: readonly Said[] = [
  { text: "Let me see." },
  { call: { id: "call-1", name: "read_x", fragments: ['{"path":"', "a\\u00e4", "👋", '"}'] } },
  { call: { id: "call-2", name: "read_y", fragments: ["{}"] } },
];
const TOOLS = [
  {
    name: "read_x",
    doc: "Reads x.",
    parameters: { type: "object", properties: { path: { type: "string" } } },
  },
  { name: "read_y", doc: "Reads y.", parameters: { type: "object", properties: {} } },
];

for (const wire of PROVIDER_WIRES) {
  describe(`A step of ${wire.provider}`, () => {
    it("is requested as it was configured", async () => {
      await using bench = await createProviderBench(wire);
      bench.server.script(answerChunks(wire.contentType, wire.chunks(SPOKEN)));
      await runStep(bench.model);
      const [exchange] = bench.server.exchanges;
      assert.equal(exchange!.path, wire.path);
      assert.equal(wire.keyOf(exchange!.headers), PLANTED_KEY);
      assert.equal(bench.server.exchanges.length, 1);
      const sent = JSON.stringify(exchange!.body);
      for (const said of [REQUEST.instructions, "A question of some length"]) {
        assert.equal(sent.split(said).length, 2, said);
      }
    });

    for (const size of [1, 7, 100_000]) {
      it(`is complete where its bytes arrive by ${size}, in the middle of characters too`, async () => {
        await using bench = await createProviderBench(wire);
        const pieces = inPieces(wire.chunks(SPOKEN), size);
        bench.server.script(answerChunks(wire.contentType, pieces));
        const { text, parts, end } = await runStep(bench.model);
        assert.equal(text, "Grüße 👋, 日本!");
        for (const part of parts) {
          if (part.type === "delta") assert.equal(part.text.isWellFormed(), true);
        }
        assert.deepEqual(end?.usage, {
          inputTokens: 11,
          outputTokens: 7,
          cachedInputTokens: undefined,
        });
      });
    }

    it("forwards a delta before the next one was sent", async () => {
      await using bench = await createProviderBench(wire);
      const asked = bench.server.next();
      bench.server.script(() => {});
      const parts = bench.model
        .stream(REQUEST, new AbortController().signal)
        [Symbol.asyncIterator]();
      const first = parts.next();
      const exchange = await asked;
      exchange.head(200, { "content-type": wire.contentType });
      const chunks = wire.chunks([{ text: "first" }, { text: "second" }]);
      const text = Buffer.concat(chunks.slice(0, -1)).toString("latin1");
      const before = text.indexOf("second");
      let sent = 0;
      while (chunks.length > 0 && sent + chunks[0]!.length <= before) {
        sent += chunks[0]!.length;
        await exchange.write(chunks.shift()!);
      }
      assert.deepEqual((await first).value, { type: "delta", text: "first" });
      for (const chunk of chunks) await exchange.write(chunk);
      exchange.end();
      assert.deepEqual((await parts.next()).value, { type: "delta", text: "second" });
      assert.equal((await parts.next()).value.type, "end");
    });

    it("has parallel tool calls, whose arguments arrive in fragments", async () => {
      await using bench = await createProviderBench(wire);
      bench.server.script(answerChunks(wire.contentType, inPieces(wire.chunks(CALLS), 3)));
      const { text, calls, end } = await runStep(bench.model, { ...REQUEST, tools: TOOLS });
      assert.equal(text, "Let me see.");
      const named = calls.map(({ toolName, argumentsText }) => [
        toolName,
        JSON.parse(argumentsText),
      ]);
      assert.deepEqual(named, [
        ["read_x", { path: "aä👋" }],
        ["read_y", {}],
      ]);
      assert.equal(new Set(calls.map(({ toolCallId }) => toolCallId)).size, 2);
      assert.ok(end);
    });

    it("continues from its tool results", async () => {
      await using bench = await createProviderBench(wire);
      bench.server.script(answerChunks(wire.contentType, wire.chunks(CALLS)));
      const { text, calls, end } = await runStep(bench.model, { ...REQUEST, tools: TOOLS });
      bench.server.script(answerChunks(wire.contentType, wire.chunks(SPOKEN)));
      const results = calls.map(({ toolCallId, toolName }, at) => ({
        toolCallId,
        toolName,
        output: at === 0 ? "the result" : "the failure",
        failed: at === 1,
      }));
      for (const replay of [end?.replay, undefined]) {
        const step = { role: "step" as const, content: text, calls, replay };
        const messages = [...REQUEST.messages, step, { role: "tool" as const, results }];
        bench.server.script(answerChunks(wire.contentType, wire.chunks(SPOKEN)));
        await runStep(bench.model, { ...REQUEST, messages, tools: TOOLS });
        const sent = JSON.stringify(bench.server.exchanges.at(-1)!.body);
        for (const said of ["Let me see.", "read_x", "aä👋", "the result", "the failure"]) {
          assert.ok(sent.includes(said), `${said} in ${sent}`);
        }
      }
    });

    it("takes a history of any order, with system messages in its middle and empty messages", async () => {
      await using bench = await createProviderBench(wire);
      bench.server.script(answerChunks(wire.contentType, wire.chunks(SPOKEN)));
      const messages = [
        { role: "assistant", content: "said first" },
        { role: "system", content: "told one" },
        { role: "user", content: "said one" },
        { role: "user", content: " " },
        { role: "user", content: "said two" },
        { role: "system", content: "told two" },
        { role: "assistant", content: "answered" },
        { role: "assistant", content: "answered more " },
        { role: "user", content: "" },
      ] as const;
      const { end } = await runStep(bench.model, { ...REQUEST, messages });
      assert.ok(end);
      const sent = JSON.stringify(bench.server.exchanges[0]!.body);
      const order = ["said first", "told one", "said one", "said two", "told two", "answered"];
      const places = order.map((said) => sent.indexOf(said));
      assert.equal(places.includes(-1), false);
      const body = bench.server.exchanges[0]!.body;
      const conversation = JSON.stringify(body.messages ?? body.input ?? body.contents);
      const within = order.map((said) => conversation.indexOf(said));
      assert.deepEqual(
        within.toSorted((left, right) => left - right),
        within,
      );
    });

    it("ends a half of a character as a whole one", async () => {
      await using bench = await createProviderBench(wire);
      const halves = [{ text: "a\ud83d" }, { text: "\udc4b b\ud83d" }];
      bench.server.script(answerChunks(wire.contentType, wire.chunks(halves)));
      const { text, parts } = await runStep(bench.model);
      for (const part of parts)
        if (part.type === "delta") assert.equal(part.text.isWellFormed(), true);
      assert.equal(text.isWellFormed(), true);
      assert.equal(text.startsWith("a"), true);
    });

    it("is complete at any length", async () => {
      await using bench = await createProviderBench(wire);
      const long = Array.from({ length: 64 }, () => ({ text: "0123456789abcdef".repeat(512) }));
      bench.server.script(answerChunks(wire.contentType, wire.chunks(long)));
      const { text } = await runStep(bench.model);
      assert.equal(text.length, 64 * 16 * 512);
    });

    it("may be empty", async () => {
      await using bench = await createProviderBench(wire);
      bench.server.script(answerChunks(wire.contentType, wire.chunks([])));
      const { parts } = await runStep(bench.model);
      assert.deepEqual(
        parts.map(({ type }) => type),
        ["end"],
      );
    });

    it("can be repeated after a failure", async () => {
      await using bench = await createProviderBench(wire);
      bench.server.script(answerStatus(400, wire.errorBody("no")));
      assert.ok((await runStep(bench.model)).failure);
      bench.server.script(answerChunks(wire.contentType, wire.chunks(SPOKEN)));
      assert.equal((await runStep(bench.model)).text, "Grüße 👋, 日本!");
    });
  });
}
