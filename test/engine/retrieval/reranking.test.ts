// Slow: it takes seconds of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { after, before, beforeEach, describe, it } from "node:test";
import { createReranker } from "../../../engine/retrieval/search/reranker.ts";
import { openRetrieval } from "../../../engine/retrieval/worker-client.ts";
import { type LogFields, silentLogger } from "../../../shared/log.ts";
import { type EngineOverrides, TEST_CONFIG } from "../../support/engine/engine.ts";
import { type Files, pathsOf } from "../../support/engine/files.ts";
import { createRag, openSharedRetrieval, type Rag } from "../../support/engine/retrieval.ts";
import { TestClock } from "../../support/time.ts";
import { type Ranking, type RerankServer, startReranker } from "./reranker.ts";

const KEY = "sk-canary-key-1234567890abcdef";
const FILES = {
  "a.md": "zebra zebra zebra",
  "b.md": "the zebra and the okapi",
  "c.md": "a long text about many animals, and also about one zebra of the plain",
};
const ORDER = ["a.md", "b.md", "c.md"];

function reranked({ url }: Pick<RerankServer, "url">) {
  return { ...TEST_CONFIG, rerank: { url, model: "ranker", apiKey: KEY } };
}

async function createIndexed(files: Files, overrides: EngineOverrides): Promise<Rag> {
  const rag = await createRag([files], overrides);
  await rag.index();
  return rag;
}

async function createReranked(server: Pick<RerankServer, "url">, logged: unknown[]): Promise<Rag> {
  const note = (fields: LogFields, message: string) => logged.push([fields, message]);
  const log = { ...silentLogger, warn: note, error: note };
  return createIndexed(FILES, { retrieval: openRetrieval({ config: reranked(server), log }), log });
}

describe("With a reranking server", () => {
  let server: RerankServer;
  let threads: ReturnType<typeof openSharedRetrieval>;
  let rag: Rag;
  before(async () => {
    server = await startReranker();
    threads = openSharedRetrieval({ config: reranked(server), log: silentLogger });
    rag = await createIndexed(FILES, threads);
  });
  beforeEach(() => {
    server.asked.length = 0;
    server.answer = undefined;
  });
  after(async () => {
    await rag[Symbol.asyncDispose]();
    await threads.end();
    await server[Symbol.asyncDispose]();
  });

  for (const mode of ["keyword", "vector", "hybrid"] as const) {
    it(`results have its order, and falling scores: ${mode}`, async () => {
      const found = await rag.search("zebra", { mode });
      const [asked] = server.asked;
      const texts = found.map(({ content }) => content);
      assert.deepEqual(texts, asked?.documents.toReversed());
      assert.ok(texts.length > 1);
      const scores = found.map(({ score }) => score);
      assert.deepEqual(
        scores,
        scores.toSorted((x, y) => y - x),
      );
    });
  }

  it("is asked once for a search, as llama.cpp, vLLM and Jina are", async () => {
    assert.deepEqual(pathsOf(await rag.search("zebra")), ORDER.toReversed());
    assert.deepEqual(server.asked, [
      {
        path: "/v1/rerank",
        authorization: `Bearer ${KEY}`,
        model: "ranker",
        query: "zebra",
        documents: ORDER.map((path) => FILES[path as keyof typeof FILES]),
        top_n: 3,
        return_documents: false,
      },
    ]);
  });

  it("a smaller limit is the beginning of a larger one", async () => {
    const many = Array.from({ length: 60 }, (_, at) => [`${at}.md`, `zebra number${at}`] as const);
    await using rag = await createIndexed(Object.fromEntries(many), threads);
    const all = pathsOf(await rag.search("zebra", { limit: 50 }));
    assert.deepEqual(pathsOf(await rag.search("zebra", { limit: 3 })), all.slice(0, 3));
    assert.deepEqual(
      server.asked.map(({ documents }) => documents.length),
      [50, 50],
    );
  });

  it("neither sensitive files nor chunks with a secret are sent; they keep their places", async () => {
    const secret = `zebra zebra "AKIAIOSFODNN7EXAMPLE" of many words`;
    await using rag = await createIndexed(
      { ...FILES, "k.ts": secret, "zebra.pem": "zebra" },
      threads,
    );
    const found = pathsOf(await rag.search("zebra", { mode: "keyword" }));
    const sent = server.asked.flatMap(({ documents }) => documents);
    assert.deepEqual(sent.toSorted(), Object.values(FILES).toSorted());
    assert.deepEqual(
      found.filter((path) => path.endsWith(".md")),
      ORDER.toReversed(),
    );
    assert.equal(found.length, 5);
  });

  it("what holds a quoted phrase stays in front", async () => {
    const found = await rag.search('"zebra and the okapi" zebra', { mode: "keyword" });
    assert.deepEqual(pathsOf(found), ["b.md", "c.md", "a.md"]);
  });

  it("nothing is sent where fewer than two hits could change places", async () => {
    assert.deepEqual(pathsOf(await rag.search("okapi", { mode: "keyword" })), ["b.md"]);
    assert.equal(server.asked.length, 0);
  });

  it("hits that it leaves out follow in the order of the search", async () => {
    server.answer = answering({ results: [{ index: 2, relevance_score: -3.5 }] });
    assert.deepEqual(pathsOf(await rag.search("zebra")), ["c.md", "a.md", "b.md"]);
  });
});

function answering(body: unknown, status = 200) {
  return (_: Ranking, response: ServerResponse) => {
    response.writeHead(status, { "Content-Type": "application/json" });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  };
}

describe("A reranking server that fails leaves the order as it was, and one line in the log", () => {
  const results = (...rows: unknown[]) => answering({ results: rows });
  const ranked = (index: unknown, relevance_score: unknown = 1) => ({ index, relevance_score });
  const failing: Record<string, RerankServer["answer"]> = {
    "with 401": answering({ error: KEY }, 401),
    "with 500": answering(KEY, 500),
    "with no JSON": answering("<html>"),
    "with an empty body": answering(""),
    "without results": answering({ results: [] }),
    "with results of another form": answering({ results: "x" }),
    "with a position out of range": results(ranked(2), ranked(3)),
    "with a negative position": results(ranked(-1)),
    "with a position that is no whole number": results(ranked(0.5)),
    "with a position twice": results(ranked(2), ranked(2), ranked(1)),
    "with a score that is no number": results(ranked(2, "high")),
    "with a score beyond all numbers": answering(
      '{"results":[{"index":2,"relevance_score":1e999}]}',
    ),
    "with a response of 2 MB": answering(`{"results":[],"x":"${"a".repeat(2_000_000)}"}`),
    "with a redirect": (_, response) => {
      response.writeHead(307, { Location: "/v1/elsewhere" }).end();
    },
    "by hanging up": (_, response) => {
      response.destroy();
    },
    "in the middle of its response": (_, response) => {
      response.writeHead(200, { "Content-Length": "1000" });
      response.write('{"results":[');
      setImmediate(() => response.destroy());
    },
  };
  const logged: unknown[] = [];
  let server: RerankServer;
  let rag: Rag;
  before(async () => {
    server = await startReranker();
    rag = await createReranked(server, logged);
  });
  after(async () => {
    await rag[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });

  for (const [how, answer] of Object.entries(failing)) {
    it(how, async () => {
      logged.length = 0;
      server.asked.length = 0;
      server.answer = answer;
      assert.deepEqual(pathsOf(await rag.search("zebra")), ORDER);
      assert.equal(logged.length, 1);
      assert.match(JSON.stringify(logged), /The reranker failed; /);
      assert.doesNotMatch(JSON.stringify(logged), /canary/);
      assert.deepEqual(
        server.asked.map(({ path }) => path),
        ["/v1/rerank"],
      );
      server.answer = undefined;
      assert.deepEqual(pathsOf(await rag.search("zebra")), ORDER.toReversed());
    });
  }

  it("where nothing listens", async () => {
    const logged: unknown[] = [];
    await using rag = await createReranked({ url: "http://127.0.0.1:9/v1" }, logged);
    assert.deepEqual(pathsOf(await rag.search("zebra")), ORDER);
    assert.equal(logged.length, 1);
  });
});

describe("A reranking server that never answers", () => {
  it("is given up after 5 s, or with the search", async () => {
    await using server = await startReranker();
    const clock = new TestClock();
    const { promise: arrived, resolve } = Promise.withResolvers<void>();
    server.answer = () => resolve();
    const config = { url: server.url, model: undefined, apiKey: undefined };
    const reranker = createReranker(config, { fetch: globalThis.fetch, timers: clock });
    const signal = new AbortController();
    const slow = assert.rejects(reranker.order("q", ["a", "b"], signal.signal), /more than 5 s/);
    await arrived;
    assert.equal(server.asked[0]?.model, undefined);
    assert.equal(server.asked[0]?.authorization, undefined);
    clock.advance(5_000);
    await slow;
    const over = assert.rejects(reranker.order("q", ["a", "b"], signal.signal), /enough/);
    signal.abort(new Error("enough"));
    await over;
    assert.equal(clock.pendingTimers, 0);
  });

  it("gets no more than 4,000 characters of a text", async () => {
    await using server = await startReranker();
    const config = { url: `${server.url}/`, model: undefined, apiKey: undefined };
    const reranker = createReranker(config, { fetch: globalThis.fetch, timers: new TestClock() });
    const { signal } = new AbortController();
    assert.deepEqual(await reranker.order("q", ["x".repeat(9_000), "y"], signal), [1, 0]);
    assert.deepEqual(
      server.asked[0]?.documents.map(({ length }) => length),
      [4_000, 1],
    );
    assert.equal(server.asked[0]?.path, "/v1/rerank");
  });
});
