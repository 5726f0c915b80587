import assert from "node:assert/strict";
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import type { RagResult, RagRootStatus } from "../../../engine/retrieval/wire.ts";
import {
  createRag,
  expect200,
  pathsOf,
  temporaryRoot,
  writeFiles,
} from "../../support/engine/rag.ts";

const GUIDE = `# Guide

The cache is refreshed every minute.

## Install

Run the installer and wait.
`;
const FILES = {
  "guide.md": GUIDE,
  "src/user.ts": "export function getUserName() {\n  return 1;\n}\n",
  ".env": "PASSWORD=canary-value-1\n",
};
const REQUIRED = [
  ..."chunk_id document_id path document_path ordinal content start_line end_line".split(" "),
  ..."token_estimate status score result_type rootIndex".split(" "),
];

interface ErrorBody {
  error: string;
  details?: string;
}

async function errorOf(response: Response): Promise<{ status: number; body: unknown }> {
  return { status: response.status, body: await response.json() };
}

describe("POST /workspaces/{uuid}/rag/index", () => {
  it("indexes every enabled root, in their order, and answers what it did", async () => {
    await using rag = await createRag([FILES, { "b.txt": "second root" }]);
    const answer = await expect200(await rag.call("POST", "/index"));
    const nothing = { unchanged: 0, skipped: 0, errors: 0, removed: 0 };
    assert.deepEqual(answer, {
      roots: [
        { rootIndex: 0, indexed: 3, ...nothing },
        { rootIndex: 1, indexed: 1, ...nothing },
      ],
    });
  });

  it("leaves disabled roots out, and search does not see them either", async () => {
    await using rag = await createRag([{ "a.txt": "zebra one" }, { "b.txt": "zebra two" }]);
    await expect200(await rag.call("POST", "/index"));
    const ragConfig = JSON.stringify({ roots: [{ path: rag.roots[1], enabled: false }] });
    const directories = JSON.stringify(rag.roots);
    const workspace = { name: "w", directories, ragConfig };
    await expect200(await rag.engine.call("PUT", `/workspaces/${rag.uuid}`, workspace));
    const { roots } = await expect200<{ roots: unknown[] }>(await rag.call("POST", "/index"));
    assert.equal(roots.length, 1);
    assert.deepEqual(pathsOf(await rag.search("zebra", { mode: "keyword" })), ["a.txt"]);
    const listed = await rag.engine.call("GET", `/workspaces/${rag.uuid}/files?rootIndex=1`);
    assert.equal(listed.status, 200, "disabling does not remove file access");
  });

  it("ignores the body, malformed JSON too", async () => {
    await using rag = await createRag([FILES]);
    for (const body of ["{bad", "", "[]", '"text"', "\u0000"]) {
      assert.equal((await rag.call("POST", "/index", body)).status, 200);
      assert.equal((await rag.call("POST", "/roots/0/index", body)).status, 200);
    }
  });

  it("answers 404 for an unknown workspace, without details", async () => {
    await using rag = await createRag([]);
    const body = { error: "Workspace not found." };
    for (const path of ["/index", "/roots/0/index", "/search"]) {
      const uuid = crypto.randomUUID();
      for (const id of [uuid, "no-uuid"]) {
        const call = rag.engine.call("POST", `/workspaces/${id}/rag${path}`, { query: "x" });
        assert.deepEqual(await errorOf(await call), { status: 404, body });
      }
    }
  });

  it("answers 400 for a root that is missing, relative, a file or a link", async () => {
    await using rag = await createRag([{ "a.txt": "x" }]);
    const [root = ""] = rag.roots;
    symlinkSync(root, `${root}-link`);
    try {
      for (const path of [`${root}-gone`, "relative", `${root}/a.txt`, `${root}-link`, ""]) {
        const directories = JSON.stringify([path]);
        const workspace = { name: "w", directories };
        await expect200(await rag.engine.call("PUT", `/workspaces/${rag.uuid}`, workspace));
        for (const call of ["/index", "/roots/0/index", "/search"]) {
          const answer = await rag.call("POST", call, { query: "x" });
          const { status, body } = (await errorOf(answer)) as { status: number; body: ErrorBody };
          assert.deepEqual([status, body.error], [400, "Invalid root."], `${call} ${path}`);
          assert.match(body.details ?? "", /^directories\[0\] .+ (is|does) /);
        }
      }
    } finally {
      rmSync(`${root}-link`);
    }
  });

  it("answers 400 for a root folder that vanished after it was indexed", async () => {
    await using rag = await createRag([FILES]);
    await rag.index();
    renameSync(rag.roots[0] ?? "", `${rag.roots[0]}-away`);
    try {
      assert.equal((await rag.call("POST", "/index")).status, 400);
      assert.equal((await rag.call("POST", "/search", { query: "cache" })).status, 400);
    } finally {
      renameSync(`${rag.roots[0]}-away`, rag.roots[0] ?? "");
    }
  });

  it("knows no roots where directories are null, malformed or no array of strings", async () => {
    await using rag = await createRag([]);
    for (const directories of [null, "", "{", "{}", "[1]", '["/tmp", 1]', '"/tmp"', "[]"]) {
      const workspace = { name: "w", directories };
      await expect200(await rag.engine.call("PUT", `/workspaces/${rag.uuid}`, workspace));
      assert.deepEqual(await expect200(await rag.call("POST", "/index")), { roots: [] });
      assert.deepEqual(await rag.search("x"), []);
      const one = await errorOf(await rag.call("POST", "/roots/0/index"));
      assert.deepEqual(one, { status: 404, body: { error: "Root not found." } });
    }
  });
});

describe("POST /workspaces/{uuid}/rag/roots/{root_index}/index", () => {
  it("answers 400 for an index that is no integer", async () => {
    await using rag = await createRag([FILES]);
    for (const index of ["x", "1.5", "1e3", "%20", "0x1", "--1", "null", "1,2", "٣"]) {
      const { status, body } = await errorOf(await rag.call("POST", `/roots/${index}/index`));
      assert.equal(status, 400, index);
      assert.deepEqual(Object.keys(body as object), ["error"], "no details");
    }
  });

  it("answers 404 for an index without a root, however large", async () => {
    await using rag = await createRag([FILES]);
    for (const index of ["1", "-1", "99999999999999999999999"]) {
      const answer = await errorOf(await rag.call("POST", `/roots/${index}/index`));
      assert.deepEqual(answer, { status: 404, body: { error: "Root not found." } });
    }
  });

  it("answers 409 for a disabled root", async () => {
    await using rag = await createRag([FILES]);
    const ragConfig = JSON.stringify({ roots: [{ path: rag.roots[0], enabled: false }] });
    const workspace = { name: "w", directories: JSON.stringify(rag.roots), ragConfig };
    await expect200(await rag.engine.call("PUT", `/workspaces/${rag.uuid}`, workspace));
    const { status, body } = await errorOf(await rag.call("POST", "/roots/0/index"));
    assert.equal(status, 409);
    assert.deepEqual(Object.keys(body as object), ["error"]);
    assert.deepEqual(await expect200(await rag.call("POST", "/index")), { roots: [] });
    assert.deepEqual(await rag.search("cache"), []);
  });

  it("keeps its index private: folder, file, and out of version control", async () => {
    await using rag = await createRag([FILES]);
    await rag.index();
    const folder = join(rag.roots[0] ?? "", ".engine");
    assert.equal(statSync(folder).mode & 0o777, 0o700);
    assert.equal(statSync(join(folder, "sidecar.db")).mode & 0o777, 0o600);
    assert.equal(readFileSync(join(folder, ".gitignore"), "utf8"), "*\n");
  });

  it("refuses an .engine that is a link or a file", async () => {
    await using rag = await createRag([FILES, { ".engine": "a file" }]);
    const elsewhere = temporaryRoot();
    symlinkSync(elsewhere, join(rag.roots[0] ?? "", ".engine"));
    for (const index of [0, 1]) {
      assert.equal((await rag.call("POST", `/roots/${index}/index`)).status, 400);
    }
    assert.deepEqual(await rag.search("cache"), []);
    rmSync(elsewhere, { recursive: true });
  });

  it("refuses a sidecar.db that is a link", async () => {
    await using rag = await createRag([FILES]);
    const [root = ""] = rag.roots;
    mkdirSync(join(root, ".engine"));
    writeFiles(root, { "elsewhere.db": "" });
    symlinkSync(join(root, "elsewhere.db"), join(root, ".engine/sidecar.db"));
    assert.equal((await rag.call("POST", "/roots/0/index")).status, 400);
    assert.equal(statSync(join(root, "elsewhere.db")).size, 0);
  });
});

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

  it("is hybrid with a limit of 8 unless asked otherwise", async () => {
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

  it("counts the limit over all roots together, and gives the beginning of a longer answer", async () => {
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

  it("answers 400 without details where the schema says no", async () => {
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

  it("takes a whitespace-only query and finds nothing; unknown fields are ignored", async () => {
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

  it("shows of a sensitive file that it exists, and nothing of its text", async () => {
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

describe("GET /workspaces/{uuid}/rag/status", () => {
  it("tells what is indexed of each root", async () => {
    await using rag = await createRag([FILES, { "b.txt": "x" }]);
    await rag.index();
    const { roots } = await expect200<{ roots: RagRootStatus[] }>(await rag.call("GET", "/status"));
    const idle = { enabled: true, problem: null, running: null };
    assert.deepEqual(roots, [
      { rootIndex: 0, ...idle, searchable: true, documents: 3, chunks: 3 },
      { rootIndex: 1, ...idle, searchable: false, documents: 0, chunks: 0 },
    ]);
  });
});
