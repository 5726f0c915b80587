import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { json } from "../support/http.ts";
import {
  answerChunks,
  answerStatus,
  type Exchange,
  inPieces,
  type Reply,
} from "../support/providers/server.ts";
import {
  PLANTED_KEY,
  PROVIDER_WIRES,
  type ProviderWire,
  type Said,
} from "../support/providers/wires.ts";
import { isLongRun } from "../support/repeats.ts";
import { type ProviderTurns, startProviderTurns } from "./programs/provider-turns.ts";

const ANSWER: readonly Said[] = [{ text: "Grüße 👋, " }, { text: "日本" }];
const TEXT = "Grüße 👋, 日本";
const CALLS: readonly Said[] = [
  { text: "Wait. " },
  {
    call: {
      id: "call-1",
      name: "create_note",
      fragments: ['{"title":"', "👋", '","content":"from the', ' model"}'],
    },
  },
  { call: { id: "call-2", name: "list_notes", fragments: ["{}"] } },
  { call: { id: "call-3", name: "no_such_tool", fragments: ["{}"] } },
];

const answers = (wire: ProviderWire, said = ANSWER): Reply =>
  answerChunks(wire.contentType, wire.chunks(said));

/** Sends what comes before the second word, then does something else. */
function breaksOff(wire: ProviderWire, then: (exchange: Exchange) => unknown): Reply {
  return async (exchange) => {
    exchange.head(200, { "content-type": wire.contentType });
    for (const chunk of wire.chunks([{ text: "begun" }, { text: "second" }])) {
      if (Buffer.from(chunk).includes("second")) break;
      await exchange.write(chunk);
    }
    await then(exchange);
  };
}

async function storedRoles({ live, threadUuid }: ProviderTurns): Promise<string[]> {
  const messages = await json(await live.test.call("GET", `/threads/${threadUuid}/messages`));
  return messages.map(({ role }: { role: string }) => role);
}

// Each wire is tested by itself in `npm test` (test/engine/models/providers); a long run has whole turns with all.
const TURNED = PROVIDER_WIRES.filter(
  ({ provider }) => isLongRun || /^(openai-compatible|anthropic|bedrock)$/.test(provider),
);

for (const wire of TURNED) {
  describe(`Whole turns with ${wire.provider}`, () => {
    it("answer, remember, and put the model into the thread", async () => {
      await using turns = await startProviderTurns(wire);
      const pieces = inPieces(wire.chunks(ANSWER), 5);
      turns.server.script(answerChunks(wire.contentType, pieces), answers(wire));
      const first = await turns.turn("first question");
      assert.equal(first.terminal.type, "chat.done");
      assert.equal(first.text, TEXT);
      await turns.turn("second question");
      const sent = JSON.stringify(turns.server.exchanges[1]!.body);
      for (const said of ["first question", TEXT, "second question"]) {
        assert.ok(sent.includes(said), said);
      }
      const thread = await json(await turns.live.test.call("GET", `/threads/${turns.threadUuid}`));
      assert.equal(thread.defaultModelId, turns.modelId);
      assert.deepEqual(await storedRoles(turns), ["user", "assistant", "user", "assistant"]);
    });

    it("run the tools that it calls, and send it their results", async () => {
      await using turns = await startProviderTurns(wire);
      const pieces = inPieces(wire.chunks(CALLS), 11);
      turns.server.script(answerChunks(wire.contentType, pieces), answers(wire));
      const { terminal, text } = await turns.turn("note this");
      assert.equal(terminal.type, "chat.done");
      assert.equal(text, `Wait. ${TEXT}`);
      assert.deepEqual(await storedRoles(turns), ["user", "tool", "tool", "tool", "assistant"]);
      const offered = JSON.stringify(turns.server.exchanges[0]!.body);
      assert.ok(offered.includes("create_note") && offered.includes("read_file"));
      const told = JSON.stringify(turns.server.exchanges[1]!.body);
      assert.ok(told.includes("from the model"));
      assert.ok(told.includes("There is no tool named"));
      const { rows } = await turns.live.test.deps.db.$client.execute("SELECT title FROM notes");
      assert.deepEqual(
        rows.map(({ title }) => title),
        ["👋"],
      );
    });

    it("end once and in order however it fails, and go on afterwards with nothing given away", async () => {
      await using turns = await startProviderTurns(wire);
      const refuse = (status: number, message: string, headers = {}) =>
        answerStatus(status, wire.errorBody(message), headers);
      const failures: [string, Reply[]][] = [
        ["401", [refuse(401, `bad key ${PLANTED_KEY}`)]],
        [
          "400 that echoes all",
          [
            (it) =>
              answerStatus(400, wire.errorBody(`${JSON.stringify(it.body)} ${PLANTED_KEY}`))(it),
          ],
        ],
        ["400 that is a page with the key", [answerStatus(400, `<p>${PLANTED_KEY}</p>`)]],
        ["429 and no end of it", [1, 2, 3].map(() => refuse(429, "slow", { "retry-after": "1" }))],
        ["500 and no end of it", [1, 2, 3].map(() => refuse(500, PLANTED_KEY))],
        ["a drop before the answer", [1, 2, 3].map((): Reply => (it) => it.drop())],
        ["a drop in the middle", [breaksOff(wire, (it) => it.drop())]],
        ["an end in the middle", [breaksOff(wire, (it) => it.end())]],
        [
          "an error in the middle",
          [
            breaksOff(wire, async (it) => {
              await it.write(wire.errorChunk(`secret ${PLANTED_KEY}`));
              it.end();
            }),
          ],
        ],
        ["a redirect", [answerStatus(302, "", { location: `http://127.0.0.1:9/${PLANTED_KEY}` })]],
        [
          "an overflow that does not go away",
          [1, 2].map(() => refuse(400, "prompt is too long: 9 tokens > 8 maximum")),
        ],
      ];
      for (const [about, replies] of failures) {
        turns.server.script(...replies);
        const { terminal } = await turns.turn(`a question before ${about}`);
        assert.equal(terminal.type, "chat.error", about);
        assert.ok(terminal.data.error, about);
        assert.equal(terminal.data.error?.includes(`a question before ${about}`), false);
      }
      turns.server.script(answers(wire));
      assert.equal((await turns.turn("and now?")).text, TEXT);
      const roles = await storedRoles(turns);
      assert.equal(roles.filter((role) => role === "assistant").length, 1);
      const seen = await turns.everything();
      for (const secret of [PLANTED_KEY, "cloud-session-canary"]) {
        assert.equal(seen.includes(secret), false, secret);
      }
    });

    it("are answered after 429 with Retry-After, 500, or an overflow", async () => {
      await using turns = await startProviderTurns(wire);
      for (const refusal of [
        answerStatus(429, wire.errorBody("slow"), { "retry-after": "2" }),
        answerStatus(500, wire.errorBody("oh")),
        answerStatus(400, wire.errorBody("Input is too long for requested model.")),
      ]) {
        turns.server.script(refusal, answers(wire));
        const { terminal, text } = await turns.turn("again?");
        assert.equal(terminal.type, "chat.done");
        assert.equal(text, TEXT);
      }
    });

    it("are cancelled to the provider's socket, before an answer and in its middle", async () => {
      await using turns = await startProviderTurns(wire);
      for (const reply of [() => {}, breaksOff(wire, () => {})]) {
        const asked = turns.server.next();
        turns.server.script(reply);
        const id = turns.start("never mind");
        const exchange = await asked;
        if (reply.length > 0) {
          await turns.socket.until(
            (frame) => frame.id === id && frame.data?.type === "model.delta",
          );
        }
        turns.socket.say({ type: "chat.cancel", id });
        assert.equal((await turns.finish(id)).terminal.type, "chat.cancelled");
        await exchange.cut;
      }
      turns.server.script(answers(wire));
      assert.equal((await turns.turn("still there?")).text, TEXT);
    });

    it("hang up on the provider when the client is gone", async () => {
      await using turns = await startProviderTurns(wire);
      const asked = turns.server.next();
      turns.server.script(() => {});
      turns.start("hello?");
      const exchange = await asked;
      turns.socket.raw.terminate();
      await exchange.cut;
    });

    it("carry attachments", async () => {
      await using turns = await startProviderTurns(wire);
      turns.server.script(answers(wire));
      const data = Buffer.from("attached bytes").toString("base64");
      // Ollama takes images alone.
      const media_type = wire.provider === "ollama" ? "image/png" : "application/pdf";
      const attachments = [{ name: "a.file", media_type, data }];
      await turns.turn("look", { file_context: { attachments } });
      assert.ok(JSON.stringify(turns.server.exchanges[0]!.body).includes(data));
    });
  });
}

describe("A turn with a model that cannot work", () => {
  it("ends with a reason that names the known providers, and leaves the thread usable", async () => {
    await using turns = await startProviderTurns(PROVIDER_WIRES[0]!);
    const input = { provider: "martian", model: "x", apiKey: PLANTED_KEY };
    const { test } = turns.live;
    const { id } = await json(await test.call("POST", "/model-configurations", input), 201);
    const failed = await turns.turn("hi", { model_id: id });
    assert.match(failed.terminal.data.error ?? "", /Known providers: openai, anthropic/);
    assert.equal((await turns.turn("hi", { model_id: "echo" })).text, "hi");
    assert.equal((await turns.everything()).includes(PLANTED_KEY), false);
  });
});
