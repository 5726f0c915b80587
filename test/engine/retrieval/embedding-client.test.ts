import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createEmbeddingClient } from "../../../engine/retrieval/embedders/openai-compatible.ts";
import { createRemoteEmbedder } from "../../../engine/retrieval/embedders/remote.ts";
import type { Timers } from "../../../shared/clock.ts";

const KEY = "sk-canary-key-1234567890abcdef";

const AT_ONCE: Timers = {
  after(_delayMs, run) {
    queueMicrotask(run);
    return () => {};
  },
};

describe("The embedding client", () => {
  const signal = new AbortController().signal;

  async function embed(answer: (attempt: number) => Response, model = "m") {
    const sent: string[][] = [];
    const fake: typeof fetch = async (_, init) => {
      sent.push(JSON.parse(String(init?.body)).input);
      return answer(sent.length);
    };
    const config = { url: "http://localhost:1/v1/", model, apiKey: undefined };
    const client = createEmbeddingClient(config, { fetch: fake, timers: AT_ONCE });
    return { sent, client };
  }
  const vectors = (...all: unknown[]) =>
    Response.json({ data: all.map((embedding) => ({ embedding })) });

  it("tries again where that may help, three times at most", async () => {
    for (const status of [429, 500, 503]) {
      const { sent, client } = await embed((n) =>
        n < 3 ? new Response("", { status }) : vectors([1]),
      );
      assert.equal((await client.embed(["a"], "document", signal)).length, 1);
      assert.equal(sent.length, 3);
    }
    const { sent, client } = await embed(() => new Response("", { status: 500 }));
    await assert.rejects(async () => client.embed(["a"], "document", signal), {
      code: "unavailable",
    });
    assert.equal(sent.length, 3);
  });

  it("rejects an invalid response without a retry", async () => {
    const answers = [
      () => new Response("not json"),
      () => Response.json({}),
      () => vectors([1, 2]),
      () => vectors([1, 2], [1]),
      () => vectors([1, 2], ["x", 1]),
      () => vectors([1, 2], []),
      () => new Response("", { status: 404 }),
      () =>
        Response.json({
          data: [
            { index: 0, embedding: [1] },
            { index: 0, embedding: [1] },
          ],
        }),
      // The largest index of a list: going through such a list takes minutes.
      ...[7, 4_294_967_294, -1, 0.5].map((index) => () => {
        const data = [
          { index, embedding: [1] },
          { index: 0, embedding: [1] },
        ];
        return Response.json({ data });
      }),
    ];
    for (const answer of answers) {
      const { sent, client } = await embed(answer);
      await assert.rejects(async () => client.embed(["a", "b"], "document", signal), {
        code: "unavailable",
      });
      assert.equal(sent.length, 1);
    }
  });

  it("puts vectors in the order of their index", async () => {
    const data = [
      { index: 1, embedding: [0, 1] },
      { index: 0, embedding: [1, 0] },
    ];
    const { client } = await embed(() => Response.json({ data }));
    const answer = await client.embed(["a", "b"], "document", signal);
    assert.deepEqual(
      answer.map((vector) => [...vector]),
      [
        [127, 0],
        [0, 127],
      ],
    );
  });

  it("sends the prefix for the purpose of a text to models trained with one", async () => {
    for (const [model, query, document] of [
      ["nomic-embed-text", "search_query: a", "search_document: a"],
      ["intfloat/e5-small", "query: a", "passage: a"],
      ["all-minilm", "a", "a"],
    ]) {
      const { sent, client } = await embed(() => vectors([1]), model);
      await client.embed(["a"], "query", signal);
      await client.embed(["a"], "document", signal);
      assert.deepEqual(sent, [[query], [document]]);
    }
  });

  it("signs an index with everything but the key", () => {
    const sign = (change: object) =>
      createRemoteEmbedder(
        { url: "http://localhost:1/v1", model: "m", apiKey: KEY, ...change },
        { fetch, timers: AT_ONCE },
      ).signature;
    assert.ok(!sign({}).includes(KEY));
    assert.equal(sign({ apiKey: "other" }), sign({}));
    assert.notEqual(sign({ model: "n" }), sign({}));
    assert.notEqual(sign({ url: "http://localhost:2/v1" }), sign({}));
  });
});
