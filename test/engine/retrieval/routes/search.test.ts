// Slow: it takes seconds of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { RagResult } from "../../../../engine/retrieval/wire.ts";
import { expect200, pathsOf } from "../../../support/engine/files.ts";
import { createRag, errorOf, FILES, GUIDE } from "../../../support/engine/retrieval.ts";

const REQUIRED = [
  ..."chunk_id document_id path document_path ordinal content start_line end_line".split(" "),
  ..."token_estimate status score result_type rootIndex".split(" "),
];

describe("POST /workspaces/{uuid}/rag/search", () => {
  it("answers exactly the fields of the specification", async () => {
    await using rag = await createRag([FILES]);
    await rag.index();
    for (const mode of ["keyword", "vector", "hybrid"] as const) {
      const [first] = await rag.search("cache refreshed", { mode });
      assert.ok(first);
      const components = mode === "hybrid" ? ["keyword_score", "vector_score"] : [];
      assert.deepEqual(Object.keys(first), [...REQUIRED, ...components]);
      assert.equal(first.path, "guide.md");
      assert.equal(first.document_path, "guide.md");
      assert.equal(first.result_type, "chunk");
      assert.equal(first.status, "indexed");
      assert.equal(first.content, GUIDE.trimEnd());
      assert.deepEqual([first.start_line, first.end_line, first.ordinal], [1, 7, 0]);
      assert.equal(first.rootIndex, 0);
      assert.ok(Number.isInteger(first.token_estimate));
    }
  });

  it("is hybrid with a limit of 8 by default", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 60 }, (_, i) => [`f${i}.txt`, `zebra number ${i}`]),
    );
    await using rag = await createRag([files]);
    await rag.index();
    const results = await rag.search("zebra");
    assert.equal(results.length, 8);
    for (const hit of results) {
      assert.equal(typeof hit.keyword_score, "number");
      assert.equal(typeof hit.vector_score, "number");
    }
    assert.equal((await rag.search("zebra", { limit: 50 })).length, 50);
    assert.equal((await rag.search("zebra", { limit: 1 })).length, 1);
  });

  it("counts the limit over all roots together, and returns a prefix of a longer answer", async () => {
    const files = (word: string) =>
      Object.fromEntries(
        Array.from({ length: 30 }, (_, i) => [`${word}${i}.txt`, `zebra ${word} ${i}`]),
      );
    await using rag = await createRag([files("red"), files("blue")]);
    await expect200(await rag.call("POST", "/index"));
    for (const mode of ["keyword", "vector", "hybrid"] as const) {
      const long = await rag.search("zebra", { mode, limit: 50 });
      assert.equal(long.length, 50);
      assert.equal(new Set(long.map((hit) => hit.rootIndex)).size, 2);
      assert.deepEqual(await rag.search("zebra", { mode, limit: 5 }), long.slice(0, 5));
    }
  });

  it("answers in falling score in every mode", async () => {
    await using rag = await createRag([FILES, { "b.md": "# Cache\n\ncache cache cache" }]);
    await expect200(await rag.call("POST", "/index"));
    for (const mode of ["keyword", "vector", "hybrid"] as const) {
      const scores = (await rag.search("cache of the user", { mode })).map(({ score }) => score);
      assert.deepEqual(
        scores,
        scores.toSorted((a, b) => b - a),
      );
      assert.ok(scores.length > 1);
    }
  });

  it("gives equal texts in equal roots equal scores", async () => {
    const files = { "a.md": GUIDE, "b.txt": "other words entirely", "c.txt": "and more of them" };
    await using rag = await createRag([files, files]);
    await expect200(await rag.call("POST", "/index"));
    for (const mode of ["keyword", "vector", "hybrid"] as const) {
      const [first, second] = await rag.search("cache minute", { mode });
      assert.equal(first?.score, second?.score);
      assert.deepEqual([first?.rootIndex, second?.rootIndex], [0, 1]);
    }
  });

  it("includes both component scores in hybrid mode, also where one list lacks the chunk", async () => {
    await using rag = await createRag([{ ...FILES, "far.txt": "entirely different subject" }]);
    await rag.index();
    const results = await rag.search("env cache refreshing", { limit: 50 });
    assert.deepEqual(new Set(pathsOf(results)), new Set([".env", "guide.md"]));
    for (const hit of results) {
      assert.ok((hit.keyword_score ?? -1) >= 0);
      assert.ok((hit.vector_score ?? -1) >= 0);
    }
  });

  it("finds words of a family, parts of identifiers and words of the path", async () => {
    await using rag = await createRag([FILES]);
    await rag.index();
    const found = async (query: string) => pathsOf(await rag.search(query, { mode: "keyword" }));
    assert.deepEqual(await found("refreshing"), ["guide.md"]);
    assert.deepEqual(await found("user name"), ["src/user.ts"]);
    assert.deepEqual(await found("getUserName"), ["src/user.ts"]);
    assert.deepEqual(await found("src"), ["src/user.ts"]);
    assert.deepEqual(await found("nowhere-to-be-found"), []);
  });

  it("finds the sources of a language by its name, which says nothing where all are of it", async () => {
    const sorts = (extension: string) =>
      Object.fromEntries(
        Array.from({ length: 9 }, (_, i) => [`sort${i}.${extension}`, `sort(list${i}, other)`]),
      );
    const noise = { "noise.py": "# Works with each version of python, or so it says\nrun(it)" };
    const query = "sort a list in python";
    await using mixed = await createRag([{ ...sorts("py"), ...sorts("rb"), ...sorts("js") }]);
    await using alone = await createRag([{ ...sorts("py"), ...noise }]);
    await mixed.index();
    await alone.index();
    for (const mode of ["keyword", "hybrid"] as const) {
      const found = pathsOf(await mixed.search(query, { mode, limit: 9 }));
      assert.deepEqual(found.toSorted(), Object.keys(sorts("py")), mode);
      const [first = ""] = pathsOf(await alone.search(query, { mode }));
      assert.match(first, /^sort/, mode);
    }
  });

  it("finds what has a word of every file behind what has a rare one, in a large index", async () => {
    const files = Array.from({ length: 510 }, (_, i) => [`f${i}.py`, i < 3 ? "zebra" : `n${i}`]);
    await using rag = await createRag([Object.fromEntries(files)]);
    await rag.index();
    const hits = await rag.search("python zebra", { mode: "keyword", limit: 50 });
    assert.equal(hits.length, 50);
    assert.deepEqual(pathsOf(hits.slice(0, 3)).toSorted(), ["f0.py", "f1.py", "f2.py"]);
    assert.equal((await rag.search("python", { mode: "keyword", limit: 50 })).length, 50);
  });

  it("answers 400 without details for a schema failure", async () => {
    await using rag = await createRag([FILES]);
    const bodies: unknown[] = [
      ...[{}, { query: "" }, { query: null }, { query: 1 }, { query: ["x"] }, [], "x", null],
      ...["Hybrid", "KEYWORD", "", "semantic", null, 1].map((mode) => ({ query: "x", mode })),
      ...[0, 51, -1, 1.5, "8", null, 1e99].map((limit) => ({ query: "x", limit })),
    ];
    for (const body of [...bodies.map((body) => JSON.stringify(body)), "{", "", "\u0000"]) {
      const { status, body: error } = await errorOf(await rag.call("POST", "/search", body));
      assert.equal(status, 400, body);
      assert.deepEqual(Object.keys(error as object), ["error"], body);
    }
  });

  it("accepts a blank query without hits; unknown fields are ignored", async () => {
    await using rag = await createRag([FILES]);
    await rag.index();
    for (const query of [" ", "\t\n", "\u3000", "!?", '"', "*"]) {
      for (const mode of ["keyword", "vector", "hybrid"] as const) {
        assert.deepEqual(await rag.search(query, { mode }), []);
      }
    }
    const body = { query: "cache", unknown: true, Mode: "x" };
    assert.equal((await rag.call("POST", "/search", body)).status, 200);
  });

  it("skips a root that was never indexed", async () => {
    await using rag = await createRag([FILES, { "b.txt": "cache" }]);
    assert.deepEqual(await rag.search("cache"), []);
    await rag.index(1);
    assert.deepEqual(pathsOf(await rag.search("cache")), ["b.txt"]);
  });

  it("shows the existence of a sensitive file, and none of its text", async () => {
    await using rag = await createRag([FILES]);
    await rag.index();
    const [hit] = await rag.search("env", { mode: "keyword" });
    const { chunk_id, document_id, score, content, token_estimate, ...rest } = hit as RagResult;
    assert.ok(chunk_id > 0 && document_id > 0 && score > 0 && token_estimate !== undefined);
    assert.match(content, /sensitive file exists/);
    assert.deepEqual(rest, {
      path: ".env",
      document_path: ".env",
      ordinal: 0,
      start_line: null,
      end_line: null,
      status: "metadata_only",
      result_type: "chunk",
      rootIndex: 0,
      sensitive: true,
      metadata_only: true,
    });
    for (const mode of ["keyword", "vector", "hybrid"] as const) {
      const text = JSON.stringify(await rag.search("PASSWORD canary-value-1", { mode }));
      assert.ok(!text.includes("canary-value-1"), mode);
    }
  });
});
