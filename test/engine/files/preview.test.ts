// Slow: it takes seconds of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { readdirSync, realpathSync } from "node:fs";
import { open, rename, truncate, writeFile } from "node:fs/promises";
import { describe, it } from "node:test";
import { setImmediate } from "node:timers/promises";
import { startPreview } from "../../../engine/files/preview.ts";
import { MIB } from "../../../shared/units.ts";
import { createTestEngine, TEST_HEADERS, type TestEngine } from "../../support/engine/engine.ts";
import {
  createTestFolder,
  createWorkspaceOver,
  filesPath,
  Link,
  type TestFolder,
} from "../../support/engine/files.ts";
import { createDocx, createZip } from "../../support/files/documents.ts";

const DOCX_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";

const bytes = (...parts: (string | number)[]): Buffer =>
  Buffer.concat(
    parts.map((part) => (typeof part === "number" ? Buffer.of(part) : Buffer.from(part, "latin1"))),
  );

const PNG = bytes(0x89, "PNG\r\n", 0x1a, "\nIHDR and so on");
const JPEG = bytes(0xff, 0xd8, 0xff, 0xe0, "JFIF");
const GIF87 = bytes("GIF87a and so on");
const GIF89 = bytes("GIF89a and so on");
const WEBP = bytes("RIFF", 1, 2, 3, 4, "WEBPVP8 ");
const BMP = bytes("BM and so on");
const PDF = bytes("%PDF-1.7\n%%EOF");

const GOOD: [string, Uint8Array, string, string][] = [
  ["a.png", PNG, "image/png", "image"],
  ["a.jpg", JPEG, "image/jpeg", "image"],
  ["a.jpeg", JPEG, "image/jpeg", "image"],
  ["a.gif", GIF87, "image/gif", "image"],
  ["b.gif", GIF89, "image/gif", "image"],
  ["a.webp", WEBP, "image/webp", "image"],
  ["a.bmp", BMP, "image/bmp", "image"],
  ["a.pdf", PDF, "application/pdf", "pdf"],
  ["a.docx", createDocx(), DOCX_TYPE, "docx"],
  ["UPPER.PNG", PNG, "image/png", "image"],
  ["Mixed.Docx", createDocx(), DOCX_TYPE, "docx"],
  ['quote".png', PNG, "image/png", "image"],
  ["line\r\nbreak.png", PNG, "image/png", "image"],
];

async function previewAt(engine: TestEngine, uuid: string, path: string, method = "GET") {
  return engine.call(method, filesPath(uuid, "/preview", { rootIndex: "0", path }));
}

describe("what is shown", () => {
  it("the bytes as they are, with exactly these headers", async () => {
    await using engine = await createTestEngine();
    await using root = await createTestFolder(Object.fromEntries(GOOD));
    const uuid = await createWorkspaceOver(engine, [root.path]);
    for (const [name, content, type, kind] of GOOD) {
      const response = await previewAt(engine, uuid, name);
      assert.equal(response.status, 200, name);
      assert.deepEqual(Object.fromEntries(response.headers), {
        "content-type": type,
        "content-disposition": "inline",
        "content-length": String(content.length),
        "cache-control": "no-store, private",
        "content-security-policy": "sandbox; default-src 'none'",
        "x-content-type-options": "nosniff",
        "x-preview-kind": kind,
      });
      assert.deepEqual(Buffer.from(await response.arrayBuffer()), Buffer.from(content), name);
    }
  });

  it("HEAD answers the same headers without a body; a range changes nothing", async () => {
    await using engine = await createTestEngine();
    await using root = await createTestFolder({ "a.png": PNG });
    const uuid = await createWorkspaceOver(engine, [root.path]);
    const get = await previewAt(engine, uuid, "a.png");
    const head = await previewAt(engine, uuid, "a.png", "HEAD");
    assert.equal(head.status, 200);
    assert.deepEqual(Object.fromEntries(head.headers), Object.fromEntries(get.headers));
    assert.equal((await head.arrayBuffer()).byteLength, 0);
    const address = `http://127.0.0.1/api/v1${filesPath(uuid, "/preview", { rootIndex: "0", path: "a.png" })}`;
    const headers = { ...TEST_HEADERS, Range: "bytes=0-3", "If-None-Match": "*" };
    const ranged = await engine.engine.fetch(new Request(address, { headers }));
    assert.equal(ranged.status, 200);
    assert.equal((await ranged.arrayBuffer()).byteLength, PNG.length);
    await get.body?.cancel();
  });
});

describe("what is not", () => {
  it("other types with any content", async () => {
    await using root = await createTestFolder({
      "a.svg": "<svg/>",
      "a.html": "<html/>",
      "a.htm": "",
      "a.txt": "",
      "a.doc": PDF,
      "a.docm": createDocx(),
      "a.xlsx": createDocx(),
      "a.zip": createDocx(),
      png: PNG,
      "a.tiff": PNG,
      "a.ico": PNG,
      "a.png.exe": PNG,
      "a.avif": PNG,
      "a.xhtml": "",
      "a.xml": "",
    });
    for (const name of await root.tree())
      await assert.rejects(
        startPreview(root, name),
        { code: "invalid", message: /images, PDF and DOCX/ },
        name,
      );
  });

  it("content that does not match the extension, also after one other byte", async () => {
    const contents = {
      PNG,
      JPEG,
      GIF89,
      WEBP,
      BMP,
      PDF,
      html: bytes("<html><script>"),
      empty: bytes(),
      text: bytes("text"),
    };
    const own: Record<string, Uint8Array[]> = {
      png: [PNG],
      jpg: [JPEG],
      gif: [GIF89],
      webp: [WEBP],
      bmp: [BMP],
      pdf: [PDF],
      docx: [],
    };
    await using root = await createTestFolder();
    for (const [extension, rightful] of Object.entries(own)) {
      const wrong = Object.values(contents).filter((content) => !rightful.includes(content));
      const shifted = rightful.map((content) => Buffer.concat([bytes(" "), content]));
      const cut = rightful.map((content) =>
        content.subarray(0, extension === "bmp" ? 1 : extension === "webp" ? 11 : 2),
      );
      for (const content of [...wrong, ...shifted, ...cut]) {
        await writeFile(root.at(`a.${extension}`), content);
        await assert.rejects(startPreview(root, `a.${extension}`), {
          code: "invalid",
          message: /does not match its extension/,
        });
      }
    }
  });

  it("unsafe documents, with the reason", async () => {
    await using root = await createTestFolder({
      "a.docx": createDocx([{ name: "link", mode: 0o120777 }]),
      "b.docx": createZip([{ name: "a.txt", content: "x" }]),
      "c.docx": bytes("PK", 3, 4, "and nothing else"),
    });
    const reasons = [/no plain file/, /lacks required parts/, /damaged/];
    for (const [at, name] of ["a.docx", "b.docx", "c.docx"].entries())
      await assert.rejects(startPreview(root, name), { code: "invalid", message: reasons[at]! });
  });

  it("folders, links, missing files and roots", async () => {
    await using engine = await createTestEngine();
    await using root = await createTestFolder({
      "f.png": {},
      "l.png": new Link("a.png"),
      "a.png": PNG,
    });
    const uuid = await createWorkspaceOver(engine, [root.path]);
    const cases: [string, number][] = [
      ["f.png", 400],
      ["l.png", 403],
      ["missing.png", 404],
      ["", 400],
      ["a.png/x.png", 404],
    ];
    for (const [path, status] of cases) {
      const response = await previewAt(engine, uuid, path);
      assert.equal(response.status, status, path);
      assert.equal(response.headers.get("x-preview-kind"), null);
      assert.match(response.headers.get("content-type") ?? "", /^application\/json/);
    }
    for (const query of ["rootIndex=1&path=a.png", "path=a.png", "rootIndex=0"]) {
      const response = await engine.call("GET", `/workspaces/${uuid}/files/preview?${query}`);
      assert.equal(response.status, 400, query);
    }
    const unknown = filesPath(crypto.randomUUID(), "/preview", { rootIndex: "0", path: "a.png" });
    assert.equal((await engine.call("GET", unknown)).status, 404);
  });
});

describe("how large it may be", () => {
  const limits: [string, Uint8Array, number][] = [
    ["a.png", PNG, 20 * MIB],
    ["a.bmp", BMP, 20 * MIB],
    ["a.pdf", PDF, 50 * MIB],
  ];
  for (const [name, start, limit] of limits)
    it(`${name}: ${limit / MIB} MiB are shown, one more byte is 400`, async () => {
      await using root = await createTestFolder({ [name]: start });
      await truncate(root.at(name), limit);
      const preview = await startPreview(root, name);
      assert.equal(preview.headers["Content-Length"], String(limit));
      let length = 0;
      for await (const chunk of preview.body) length += chunk.length;
      assert.equal(length, limit);
      await truncate(root.at(name), limit + 1);
      await assert.rejects(startPreview(root, name), {
        code: "invalid",
        message: new RegExp(`${limit / MIB} MiB`),
      });
    });

  it("a.docx: 25 MiB are shown, one more byte is 400", async () => {
    await using root = await createTestFolder();
    const around = createDocx([{ name: "a.bin", method: 0 }]).length;
    const sized = (size: number) =>
      createDocx([{ name: "a.bin", method: 0, content: new Uint8Array(size - around) }]);
    await writeFile(root.at("a.docx"), sized(25 * MIB));
    const preview = await startPreview(root, "a.docx");
    assert.equal(preview.headers["Content-Length"], String(25 * MIB));
    await preview.body.cancel();
    await writeFile(root.at("a.docx"), sized(25 * MIB + 1));
    await assert.rejects(startPreview(root, "a.docx"), { code: "invalid", message: /25 MiB/ });
  });

  it("a large file is read as it is taken, never all at once", async () => {
    await using root = await createTestFolder({ "a.pdf": PDF });
    await truncate(root.at("a.pdf"), 50 * MIB);
    const preview = await startPreview(root, "a.pdf");
    const before = process.memoryUsage().arrayBuffers;
    const reader = preview.body.getReader();
    const first = await reader.read();
    assert.ok((first.value?.length ?? 0) <= 256 * 1024);
    assert.ok(process.memoryUsage().arrayBuffers - before < 5 * MIB);
    await reader.cancel();
  });
});

describe("the file behind it", () => {
  const openTo = (folder: TestFolder): number => {
    if (process.platform !== "linux") return 0;
    return readdirSync("/proc/self/fd").filter((fd) => {
      try {
        return realpathSync(`/proc/self/fd/${fd}`).startsWith(folder.path);
      } catch {
        return false;
      }
    }).length;
  };

  it("is closed after the last byte, on cancel, on abort, on HEAD and on every refusal", async () => {
    await using engine = await createTestEngine();
    await using root = await createTestFolder({
      "a.png": PNG,
      "bad.png": "text",
      "bad.docx": bytes("PK", 3, 4),
    });
    const uuid = await createWorkspaceOver(engine, [root.path]);

    await (await previewAt(engine, uuid, "a.png")).arrayBuffer();
    assert.equal(openTo(root), 0, "read to the end");
    await (await previewAt(engine, uuid, "a.png")).body?.cancel();
    assert.equal(openTo(root), 0, "cancelled");
    await previewAt(engine, uuid, "a.png", "HEAD");
    assert.equal(openTo(root), 0, "HEAD");
    for (const name of ["bad.png", "bad.docx", "missing.png"]) await previewAt(engine, uuid, name);
    assert.equal(openTo(root), 0, "refused");

    const controller = new AbortController();
    const preview = await startPreview(root, "a.png", controller.signal);
    controller.abort();
    await assert.rejects(preview.body.getReader().read());
    // An aborted stream fails at once, and its file is closed after that: the test's time limit is the bound.
    while (openTo(root) > 0) await setImmediate();
  });

  it("is the judged one, even if another takes its name meanwhile", async () => {
    await using root = await createTestFolder({ "a.png": PNG });
    const preview = await startPreview(root, "a.png");
    await writeFile(root.at("b.png"), "something else entirely");
    await rename(root.at("b.png"), root.at("a.png"));
    assert.deepEqual(Buffer.from(await new Response(preview.body).arrayBuffer()), PNG);
  });

  it("never sends more than it announced, and breaks off where there is less", async () => {
    await using root = await createTestFolder({ "a.png": PNG });
    const growing = await startPreview(root, "a.png");
    await using handle = await open(root.at("a.png"), "a");
    await handle.write("more");
    assert.equal((await new Response(growing.body).arrayBuffer()).byteLength, PNG.length);
    const shrinking = await startPreview(root, "a.png");
    await truncate(root.at("a.png"), 8);
    await assert.rejects(new Response(shrinking.body).arrayBuffer());
    assert.equal(openTo(root), process.platform === "linux" ? 1 : 0);
  });
});
