// Slow: it writes files of the largest size.
import assert from "node:assert/strict";
import { renameSync, writeFileSync } from "node:fs";
import { chmod, lstat, open, readFile, writeFile } from "node:fs/promises";
import { describe, it } from "node:test";
import fc from "fast-check";
import { createText, readText, replaceText } from "../../../engine/files/text.ts";
import { anyText } from "../../support/arbitraries.ts";
import { createTestEngine } from "../../support/engine/engine.ts";
import {
  createTestFolder,
  createWorkspaceOver,
  filesPath,
  mockFsPromises,
} from "../../support/engine/files.ts";

const LIMIT = 1_000_000;

const EXTENSIONS = (
  ".c .cc .cpp .cs .csx .css .fs .fsx .go .h .hpp .html .htm .java .js .jsx .json .md .markdown .php .ps1 .py .rb .rs " +
  ".sh .sql .toml .ts .tsx .txt .xml .xaml .yml .yaml"
).split(" ");

const invalid = (message: RegExp) => (error: Error & { code?: string }) =>
  error.code === "invalid" && message.test(error.message);

describe("which files are text", () => {
  it("every extension of the list can be created, read and replaced, in any case", async () => {
    await using root = await createTestFolder();
    for (const extension of [...EXTENSIONS, ".MD", ".Json"]) {
      const path = `file${extension}`;
      assert.deepEqual(await createText(root, path, "one"), { content: "one" });
      assert.deepEqual(await replaceText(root, path, "two"), { content: "two" });
      assert.deepEqual(await readText(root, path), { content: "two" });
    }
  });

  it("any other is 400 before the disk is looked at", async () => {
    await using root = await createTestFolder({ "a.exe": "text" });
    for (const path of [
      "a.exe",
      "missing.exe",
      "Makefile",
      "a.txt.bak",
      "a.tx",
      "txt",
      "a.svg",
      "a.md ",
      "a.txt~",
    ]) {
      await assert.rejects(readText(root, path), invalid(/type is not supported/), path);
      await assert.rejects(createText(root, path, ""), invalid(/type is not supported/), path);
      await assert.rejects(replaceText(root, path, ""), invalid(/type is not supported/), path);
    }
  });

  it("a folder with a text extension is 400 to read and replace, 409 to create", async () => {
    await using root = await createTestFolder({ "folder.md": {} });
    await assert.rejects(readText(root, "folder.md"), invalid(/not a regular file/));
    await assert.rejects(replaceText(root, "folder.md", ""), invalid(/not a regular file/));
    await assert.rejects(createText(root, "folder.md", ""), { code: "conflict" });
  });

  it("bytes that are no UTF-8 are 400 to read, and can be replaced", async () => {
    const broken = [
      [0xff, 0xfe, 0x41],
      [0xc0, 0x80],
      [0xed, 0xa0, 0x80],
      [0xf4, 0x90, 0x80, 0x80],
      [0xe2, 0x82],
    ];
    for (const bytes of broken) {
      await using root = await createTestFolder({ "a.txt": Uint8Array.from(bytes) });
      await assert.rejects(readText(root, "a.txt"), invalid(/not UTF-8/));
      await replaceText(root, "a.txt", "fine");
      assert.deepEqual(await readText(root, "a.txt"), { content: "fine" });
    }
  });
});

describe("how large a text may be", () => {
  it("1,000,000 bytes are read, one more is 400", async () => {
    await using root = await createTestFolder({
      "fits.txt": "x".repeat(LIMIT),
      "large.txt": "x".repeat(LIMIT + 1),
      "wide.txt": "é".repeat(LIMIT / 2),
      "wider.txt": `${"é".repeat(LIMIT / 2)}x`,
    });
    assert.equal((await readText(root, "fits.txt")).content.length, LIMIT);
    assert.equal((await readText(root, "wide.txt")).content.length, LIMIT / 2);
    await assert.rejects(readText(root, "large.txt"), invalid(/1,000,000/));
    await assert.rejects(readText(root, "wider.txt"), invalid(/1,000,000/));
  });

  it("1,000,000 bytes are written, one more is 400 and changes nothing", async () => {
    await using root = await createTestFolder({ "old.txt": "old" });
    const fits = ["x".repeat(LIMIT), "é".repeat(LIMIT / 2), "\u{1f600}".repeat(LIMIT / 4)];
    for (const content of fits) {
      await replaceText(root, "old.txt", content);
      assert.equal(await root.read("old.txt"), content);
    }
    await replaceText(root, "old.txt", "old");
    for (const content of fits.map((text) => `${text}x`)) {
      await assert.rejects(replaceText(root, "old.txt", content), invalid(/1,000,000/));
      await assert.rejects(createText(root, "new.txt", content), invalid(/1,000,000/));
    }
    assert.deepEqual(await root.tree(), ["old.txt"]);
    assert.equal(await root.read("old.txt"), "old");
  });

  it("a file that is too large can be replaced", async () => {
    await using root = await createTestFolder({ "large.txt": "x".repeat(LIMIT * 3) });
    await replaceText(root, "large.txt", "small");
    assert.equal(await root.read("large.txt"), "small");
  });

  it("the whole limit travels through the endpoints", async () => {
    await using engine = await createTestEngine();
    await using root = await createTestFolder();
    const uuid = await createWorkspaceOver(engine, [root.path]);
    const path = filesPath(uuid, "/content", { rootIndex: "0", path: "a.txt" });
    const content = "\u0001".repeat(LIMIT);
    assert.equal((await engine.call("POST", path, { content })).status, 200);
    assert.deepEqual(await (await engine.call("GET", path)).json(), { content });
    assert.equal((await engine.call("PUT", path, { content: `${content}x` })).status, 400);
  });
});

describe("nothing is lost", () => {
  it("a BOM, line ends, NULs and missing last line ends survive reading and replacing", async () => {
    const texts = [
      "\uFEFFbom",
      "\uFEFF",
      "a\r\nb\r\n",
      "a\rb",
      "a\nb",
      "\n",
      "",
      "a\0b",
      "\u2028",
      "\uFFFD",
      "\uFEFF\uFEFFx",
    ];
    await using root = await createTestFolder({ "a.txt": "" });
    for (const text of texts) {
      await writeFile(root.at("a.txt"), text);
      const { content } = await readText(root, "a.txt");
      assert.equal(content, text);
      await replaceText(root, "a.txt", content);
      assert.deepEqual(await readFile(root.at("a.txt")), Buffer.from(text));
    }
  });

  it("every written text is read back", async () => {
    await using root = await createTestFolder({ "a.txt": "" });
    await fc.assert(
      fc.asyncProperty(anyText(), async (text) => {
        await replaceText(root, "a.txt", text);
        assert.equal((await readText(root, "a.txt")).content, text);
      }),
      { numRuns: 50 },
    );
  });

  it("half of a surrogate pair is 400, since no file can hold it", async () => {
    await using root = await createTestFolder({ "old.txt": "old" });
    for (const content of ["\ud800", "a\udc00b", "\udc00\ud800"]) {
      await assert.rejects(replaceText(root, "old.txt", content), invalid(/not valid text/));
      await assert.rejects(createText(root, "new.txt", content), invalid(/not valid text/));
    }
    assert.deepEqual(await root.tree(), ["old.txt"]);
  });

  it("replacing keeps the mode, and open readers keep the old file", async () => {
    await using root = await createTestFolder({ "run.sh": "old" });
    for (const mode of [0o755, 0o640, 0o600, 0o4711]) {
      await chmod(root.at("run.sh"), mode);
      const before = await lstat(root.at("run.sh"));
      await replaceText(root, "run.sh", "new");
      const after = await lstat(root.at("run.sh"));
      if (process.platform !== "win32") assert.equal(after.mode, before.mode);
      assert.notEqual(after.ino, before.ino);
    }
  });

  it("creating gives the default mode of this account", async () => {
    await using root = await createTestFolder();
    await writeFile(root.at("by-hand.txt"), "");
    await createText(root, "created.txt", "");
    assert.equal(
      (await lstat(root.at("created.txt"))).mode,
      (await lstat(root.at("by-hand.txt"))).mode,
    );
  });
});

describe("two at a time", () => {
  it("of many requests to create one file, one succeeds and the others get 409", async () => {
    await using root = await createTestFolder();
    const contents = Array.from({ length: 20 }, (_, at) => `${at}`.repeat(10_000));
    const results = await Promise.allSettled(
      contents.map((content) => createText(root, "a.txt", content)),
    );
    const winners = results.flatMap((result, at) => (result.status === "fulfilled" ? [at] : []));
    assert.equal(winners.length, 1);
    assert.equal(await root.read("a.txt"), contents[winners[0]!]);
    for (const result of results)
      if (result.status === "rejected") assert.equal(result.reason.code, "conflict");
    assert.deepEqual(await root.tree(), ["a.txt"]);
  });

  it("readers see one whole version while writers replace it", async () => {
    await using root = await createTestFolder({ "a.txt": "0".repeat(200_000) });
    const writers = Array.from({ length: 20 }, (_, at) =>
      replaceText(root, "a.txt", `${at % 10}`.repeat(200_000)),
    );
    const readers = Array.from({ length: 40 }, async () => {
      const { content } = await readText(root, "a.txt");
      assert.equal(content.length, 200_000);
      assert.equal(content, content[0]!.repeat(200_000));
    });
    await Promise.all([...writers, ...readers]);
    assert.deepEqual(await root.tree(), ["a.txt"]);
  });

  it("a reader gets a file that is replaced in the moment in which it is opened", async (t) => {
    await using root = await createTestFolder({ "a.txt": "old" });
    const openFile = open;
    let replaced = 0;
    mockFsPromises(t, "open", async (...given) => {
      const handle = await openFile(...given);
      if (String(given[0]).endsWith("/a.txt") && replaced < 5) {
        replaced += 1;
        writeFileSync(root.at("b.txt"), "new");
        renameSync(root.at("b.txt"), root.at("a.txt"));
      }
      return handle;
    });
    // Linux reads the version that it opened.
    assert.match((await readText(root, "a.txt")).content, /^(old|new)$/);
    assert.ok(replaced > 0);
  });
});

describe("answers", () => {
  it("by status", async () => {
    await using engine = await createTestEngine();
    await using root = await createTestFolder({ "a.txt": "old", folder: {} });
    const uuid = await createWorkspaceOver(engine, [root.path]);
    const at = (path: string, rootIndex = "0") => filesPath(uuid, "/content", { rootIndex, path });
    const content = { content: "new" };
    const cases: [string, string, unknown, number][] = [
      ["GET", at("a.txt"), undefined, 200],
      ["HEAD", at("a.txt"), undefined, 200],
      ["GET", at("missing.txt"), undefined, 404],
      ["GET", at("missing/a.txt"), undefined, 404],
      ["GET", at("a.txt", "1"), undefined, 400],
      ["POST", at("b.txt"), content, 200],
      ["POST", at("b.txt"), content, 409],
      ["POST", at("folder/b.txt"), { content: "" }, 200],
      ["POST", at("missing/b.txt"), content, 404],
      ["POST", at("c.txt"), {}, 400],
      ["POST", at("c.txt"), { content: null }, 400],
      ["POST", at("c.txt"), { content: 7 }, 400],
      ["POST", at("c.txt"), "", 400],
      ["POST", at("c.txt"), "{", 400],
      ["POST", at("c.txt"), "[]", 400],
      ["POST", at("c.txt"), '{"content":"\\ud800"}', 400],
      ["PUT", at("a.txt"), content, 200],
      ["PUT", at("missing.txt"), content, 404],
      ["PUT", at("missing/a.txt"), content, 404],
      ["PUT", at("a.txt"), {}, 400],
      ["PUT", at("a.txt"), { content: null }, 400],
      ["PATCH", at("a.txt"), content, 405],
      ["DELETE", at("a.txt"), undefined, 405],
    ];
    for (const [method, path, body, status] of cases) {
      const response = await engine.call(method, path, body);
      const text = await response.text();
      assert.equal(response.status, status, `${method} ${path} ${JSON.stringify(body)}: ${text}`);
      if (status === 200 && body !== undefined) assert.deepEqual(JSON.parse(text), body);
    }
    assert.deepEqual(await root.tree(), ["a.txt", "b.txt", "folder/", "folder/b.txt"]);
    assert.equal(await root.read("a.txt"), "new");
    assert.deepEqual(engine.publishedEvents(), []);
  });
});
