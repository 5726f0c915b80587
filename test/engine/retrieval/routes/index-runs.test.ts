// Slow: it takes seconds of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { expect200, pathsOf, temporaryRoot, writeFiles } from "../../../support/engine/files.ts";
import { createRag, errorOf, FILES } from "../../../support/engine/retrieval.ts";

interface ErrorBody {
  error: string;
  details?: string;
}

describe("POST /workspaces/{uuid}/rag/index", () => {
  it("indexes every enabled root in order, and returns the counts", async () => {
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

  it("leaves disabled roots out, and so does search", async () => {
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

  it("has no roots where directories are null, malformed or no array of strings", async () => {
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
