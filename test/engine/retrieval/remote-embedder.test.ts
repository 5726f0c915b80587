// Slow: it takes seconds of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, beforeEach, describe, it } from "node:test";
import type { RagRootIndex } from "../../../engine/retrieval/wire.ts";
import { openRetrieval } from "../../../engine/retrieval/worker-client.ts";
import { type LogFields, silentLogger } from "../../../shared/log.ts";
import { TEST_CONFIG } from "../../support/engine/engine.ts";
import { type Files, pathsOf, writeFiles } from "../../support/engine/files.ts";
import { createRag, openSharedRetrieval } from "../../support/engine/retrieval.ts";

interface Asked {
  path: string;
  authorization: string | undefined;
  model: string;
  input: string[];
}

/** An embedding server that counts the animals in a text, and can be set to answer otherwise. */
interface Embeddings extends AsyncDisposable {
  url: string;
  asked: Asked[];
  answer: ((asked: Asked, response: ServerResponse) => boolean) | undefined;
}

const ANIMALS = ["zebra", "okapi", "tapir", "lemur"];
const KEY = "sk-canary-key-1234567890abcdef";

async function startEmbeddings(): Promise<Embeddings> {
  const asked: Asked[] = [];
  const server = createServer(async (request: IncomingMessage, response) => {
    let body = "";
    for await (const part of request) body += part;
    const { model, input } = JSON.parse(body);
    const { authorization } = request.headers;
    const one = { path: request.url ?? "", authorization, model, input };
    asked.push(one);
    if (embeddings.answer?.(one, response)) return;
    response.end(
      JSON.stringify({ data: input.map((text: string) => ({ embedding: count(text) })) }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const embeddings: Embeddings = {
    url: `http://127.0.0.1:${port}/v1`,
    asked,
    answer: undefined,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return embeddings;
}

function count(text: string): number[] {
  return [...ANIMALS.map((animal) => text.split(animal).length - 1), 0.1];
}

function fail(status: number) {
  return (_: Asked, response: ServerResponse) => {
    response.writeHead(status).end(`{"error":"${KEY}"}`);
    return true;
  };
}

/** Answers as another model would, with one number more. */
function longer({ input }: Asked, response: ServerResponse): boolean {
  const data = input.map((text) => ({ embedding: [...count(text), 0.1] }));
  response.end(JSON.stringify({ data }));
  return true;
}

function remote(url: string): Parameters<typeof openRetrieval>[0] {
  const embeddings = { kind: "openai-compatible" as const, url, model: "animals", apiKey: KEY };
  return { config: { ...TEST_CONFIG, embeddings }, log };
}

const logged: unknown[] = [];
const note = (fields: LogFields, message: string) => logged.push([fields, message]);
const log = { ...silentLogger, warn: note, error: note, info: note };
const FILES = { "z.md": "a zebra and a zebra", "o.md": "an okapi", "t.md": "the tapir" };

describe("With an embedding server", () => {
  let server: Embeddings;
  let threads: ReturnType<typeof openSharedRetrieval>;
  before(async () => {
    server = await startEmbeddings();
    threads = openSharedRetrieval(remote(server.url));
  });
  beforeEach(() => {
    server.asked.length = 0;
    server.answer = undefined;
  });
  after(async () => {
    await threads.end();
    await server[Symbol.asyncDispose]();
  });
  const createRemoteRag = (files: Files) =>
    createRag([files], { retrieval: threads.retrieval, log });

  it("an index run sends each text once, and a query is compared with the answers", async () => {
    await using rag = await createRemoteRag(FILES);
    assert.equal((await rag.index()).indexed, 3);
    const sent = server.asked.flatMap(({ input }) => input);
    assert.deepEqual(sent.toSorted(), Object.values(FILES).toSorted());
    const [first] = server.asked;
    assert.deepEqual([first?.path, first?.model], ["/v1/embeddings", "animals"]);
    assert.equal(first?.authorization, `Bearer ${KEY}`);
    assert.deepEqual(pathsOf(await rag.search("okapi", { mode: "vector", limit: 1 })), ["o.md"]);
    const [hybrid] = await rag.search("zebra");
    assert.equal(hybrid?.path, "z.md");
  });

  it("unchanged and moved texts are not sent again; keyword search sends nothing", async () => {
    await using rag = await createRemoteRag(FILES);
    await rag.index();
    server.asked.length = 0;
    writeFiles(rag.roots[0] ?? "", {
      "t.md": undefined,
      "moved/t.md": FILES["t.md"],
      "l.md": "a lemur",
    });
    const { indexed, removed } = await rag.index();
    assert.deepEqual([indexed, removed], [2, 1]);
    assert.deepEqual(
      server.asked.flatMap(({ input }) => input),
      ["a lemur"],
    );
    server.asked.length = 0;
    assert.deepEqual(pathsOf(await rag.search("lemur", { mode: "keyword" })), ["l.md"]);
    assert.equal(server.asked.length, 0);
  });

  it("a search finds by the vectors of a run behind an earlier search", async () => {
    await using rag = await createRemoteRag(FILES);
    await rag.index();
    await rag.search("zebra", { mode: "vector" });
    writeFiles(rag.roots[0] ?? "", { "l.md": "a lemur" });
    await rag.index();
    assert.deepEqual(pathsOf(await rag.search("lemur", { mode: "vector", limit: 1 })), ["l.md"]);
  });

  it("neither sensitive files nor chunks with a secret leave the machine", async () => {
    const files = {
      ".env": "zebra=1",
      "k.ts": `const okapi = "AKIAIOSFODNN7EXAMPLE";`,
      "o.md": "okapi",
    };
    await using rag = await createRemoteRag(files);
    assert.equal((await rag.index()).indexed, 3);
    assert.deepEqual(
      server.asked.flatMap(({ input }) => input),
      ["okapi"],
    );
    const found = pathsOf(await rag.search("okapi", { mode: "keyword" }));
    assert.deepEqual(found.toSorted(), ["k.ts", "o.md"]);
  });

  it("many texts go in batches of at most 64", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 150 }, (_, i) => [`${i}.txt`, `zebra ${i}`]),
    );
    await using rag = await createRemoteRag(files);
    await rag.index();
    assert.ok(server.asked.every(({ input }) => input.length <= 64));
    assert.equal(server.asked.flatMap(({ input }) => input).length, 150);
  });

  it("a failure is a 503 Error that stores none of its documents, and the next run indexes them", async () => {
    await using rag = await createRemoteRag(FILES);
    server.answer = fail(400);
    for (const path of ["/index", "/roots/0/index"]) {
      const answer = await rag.call("POST", path);
      assert.equal(answer.status, 503);
      const body = (await answer.json()) as object;
      assert.deepEqual(Object.keys(body), ["error"]);
      assert.ok(!JSON.stringify(body).includes(KEY));
    }
    server.answer = undefined;
    assert.deepEqual(await rag.search("zebra"), [], "nothing was indexed");
    const { indexed } = (await rag.index()) as RagRootIndex;
    assert.equal(indexed, 3);
    server.answer = fail(401);
    for (const mode of ["vector", "hybrid"]) {
      assert.equal((await rag.call("POST", "/search", { query: "zebra", mode })).status, 503);
    }
    assert.equal((await rag.search("zebra", { mode: "keyword" })).length, 1);
    assert.ok(!JSON.stringify(logged).includes(KEY));
  });

  it("vectors of another length than those of the index are a 503, and none is stored", async () => {
    await using rag = await createRemoteRag(FILES);
    await rag.index();
    server.answer = longer;
    for (const mode of ["vector", "hybrid"]) {
      const answer = await rag.call("POST", "/search", { query: "zebra", mode });
      assert.equal(answer.status, 503);
      assert.match(await answer.text(), /vectors of 6 numbers, those of the index have 5/);
    }
    assert.deepEqual(pathsOf(await rag.search("zebra", { mode: "keyword" })), ["z.md"]);
    writeFiles(rag.roots[0] ?? "", { "l.md": "a lemur" });
    assert.equal((await rag.call("POST", "/index")).status, 503);
    server.answer = undefined;
    assert.equal((await rag.index()).indexed, 1);
    assert.deepEqual(pathsOf(await rag.search("lemur", { mode: "vector", limit: 1 })), ["l.md"]);
  });

  it("vectors of two lengths in one run are a 503, and none is stored", async () => {
    const texts = Array.from({ length: 100 }, (_, i) => [`${i}.txt`, `zebra ${i}`]);
    await using rag = await createRemoteRag(Object.fromEntries(texts));
    server.answer = (asked, response) => server.asked.length > 1 && longer(asked, response);
    assert.equal((await rag.call("POST", "/index")).status, 503);
    server.answer = undefined;
    assert.equal((await rag.index()).indexed, 100);
  });

  it("a root without vectors is searched by words, whatever the length of the query's", async () => {
    const secret = { "k.ts": `const zebra = "AKIAIOSFODNN7EXAMPLE";` };
    await using rag = await createRemoteRag(secret);
    await rag.index();
    assert.deepEqual(pathsOf(await rag.search("zebra")), ["k.ts"]);
  });

  it("an unreachable server is a 503, too", async () => {
    const server = await startEmbeddings();
    await using rag = await createRag([FILES], {
      retrieval: openRetrieval(remote(server.url)),
      log,
    });
    await rag.index();
    await server[Symbol.asyncDispose]();
    assert.equal((await rag.call("POST", "/search", { query: "zebra" })).status, 503);
  });

  it("an index of the built-in embedder is skipped, and stays until the new one is complete", async () => {
    await using builtin = await createRag([FILES]);
    await builtin.index();
    await using rag = await createRemoteRag({});
    const workspace = { name: "w", directories: JSON.stringify(builtin.roots) };
    await rag.engine.call("PUT", `/workspaces/${rag.uuid}`, workspace);
    assert.deepEqual(await rag.search("zebra", { mode: "keyword" }), []);
    server.answer = fail(400);
    assert.equal((await rag.call("POST", "/index")).status, 503);
    assert.deepEqual(pathsOf(await builtin.search("zebra", { mode: "keyword" })), ["z.md"]);
    server.answer = undefined;
    assert.equal((await rag.index()).indexed, 3);
    assert.deepEqual(pathsOf(await rag.search("zebra", { mode: "keyword" })), ["z.md"]);
  });
});
