// Slow: it takes seconds of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { pathsOf, writeFiles } from "../../support/engine/files.ts";
import { createRag, type Rag } from "../../support/engine/retrieval.ts";
import { createZip, DOCX_ENTRIES } from "../../support/files/documents.ts";
import { machineTimeSec } from "../../support/time.ts";

const NOTHING = { rootIndex: 0, indexed: 0, unchanged: 0, skipped: 0, errors: 0, removed: 0 };

async function keyword(rag: Rag, query: string): Promise<string[]> {
  return pathsOf(await rag.search(query, { mode: "keyword", limit: 50 })).sort();
}

function sidecarBytes(rag: Rag): Buffer {
  return readFileSync(join(rag.roots[0] ?? "", ".engine/sidecar.db"));
}

describe("An index run counts", () => {
  it("files as indexed, then unchanged, then removed", async () => {
    await using rag = await createRag([{ "a.txt": "alpha", "b.txt": "beta", "c/d.md": "gamma" }]);
    assert.deepEqual(await rag.index(), { ...NOTHING, indexed: 3 });
    assert.deepEqual(await rag.index(), { ...NOTHING, unchanged: 3 });
    writeFiles(rag.roots[0] ?? "", {
      "a.txt": "alpha changed",
      "b.txt": undefined,
      "e.txt": "new",
    });
    assert.deepEqual(await rag.index(), { ...NOTHING, indexed: 2, unchanged: 1, removed: 1 });
    assert.deepEqual(await keyword(rag, "changed new beta"), ["a.txt", "e.txt"]);
  });

  it("a file with other times and the same content as unchanged", async () => {
    await using rag = await createRag([{ "a.txt": "alpha" }]);
    await rag.index();
    utimesSync(join(rag.roots[0] ?? "", "a.txt"), 1_000_000, 1_000_000);
    assert.deepEqual(await rag.index(), { ...NOTHING, unchanged: 1 });
  });

  it("a change that keeps size and time of a fresh file", async () => {
    await using rag = await createRag([{}]);
    const path = join(rag.roots[0] ?? "", "a.txt");
    const now = machineTimeSec();
    for (const content of ["alpha one", "alpha two"]) {
      writeFileSync(path, content);
      utimesSync(path, now, now);
      assert.equal((await rag.index()).indexed, 1);
    }
    assert.deepEqual(await keyword(rag, "two"), ["a.txt"]);
  });

  it("an empty file as indexed, without a chunk", async () => {
    await using rag = await createRag([{ "empty.txt": "", "blank.md": "\n \n" }]);
    assert.deepEqual(await rag.index(), { ...NOTHING, indexed: 2 });
    assert.deepEqual(await rag.index(), { ...NOTHING, unchanged: 2 });
    assert.deepEqual(await rag.search("empty blank"), []);
  });

  it("a sensitive file as indexed, then unchanged", async () => {
    await using rag = await createRag([{ ".env": "A=1", "secrets/deep/x.txt": "b" }]);
    assert.deepEqual(await rag.index(), { ...NOTHING, indexed: 2 });
    assert.deepEqual(await rag.index(), { ...NOTHING, unchanged: 2 });
    rmSync(join(rag.roots[0] ?? "", ".env"));
    assert.deepEqual(await rag.index(), { ...NOTHING, unchanged: 1, removed: 1 });
  });

  it("binary and oversized files as skipped, at every run", async () => {
    await using rag = await createRag([
      {
        "image.png": Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0]),
        "latin.txt": Buffer.from("é", "latin1"),
        "large.txt": "x".repeat(1_000_001),
        "limit.txt": "word ".repeat(200_000),
      },
    ]);
    assert.deepEqual(await rag.index(), { ...NOTHING, indexed: 1, skipped: 3 });
    assert.deepEqual(await rag.index(), { ...NOTHING, unchanged: 1, skipped: 3 });
    writeFiles(rag.roots[0] ?? "", { "limit.txt": Buffer.from([0, 1, 2]) });
    assert.deepEqual(await rag.index(), { ...NOTHING, skipped: 4 });
    assert.deepEqual(
      await rag.search("word"),
      [],
      "what is no text any more is not found any more",
    );
  });

  it("any valid text of any extension", async () => {
    const files = ["a.xyz", "b", "c.png", "d.exe", "Makefile", ".hidden", "e.PDF", "f.docx"];
    await using rag = await createRag([
      Object.fromEntries(files.map((path) => [path, `zebra in ${path}`])),
    ]);
    assert.deepEqual(await rag.index(), { ...NOTHING, indexed: files.length });
    assert.deepEqual(await keyword(rag, "zebra"), files.toSorted());
  });

  it("ignored files nowhere", async () => {
    const ignored = `
      node_modules/a.js .git/config .hg/x .svn/x .dart_tool/x build/a.txt dist/a.txt bin/a.txt obj/a.txt __pycache__/a.txt
      .venv/a.txt venv/a.txt target/a.txt coverage/a.txt vendor/a.txt .next/a.txt deep/node_modules/a.txt
      package-lock.json yarn.lock deep/Cargo.lock app.min.js style.min.css app.js.map
      logs/a.txt deep/logs/a.txt note.tmp own.skip deep/only.here
    `;
    const files = Object.fromEntries(
      ignored
        .trim()
        .split(/\s+/)
        .map((path) => [path, "zebra"]),
    );
    await using rag = await createRag([
      {
        ...files,
        ".gitignore": "logs/\n*.tmp\n!deep/keep.tmp\n.env\n",
        ".engineignore": "*.skip\n",
        "deep/.gitignore": "only.here\n",
        "deep/keep.tmp": "zebra",
        "kept.txt": "zebra",
        ".env": "SECRET=zebra",
        "mini.js": `${"var zebra=1;".repeat(500)}\n`,
      },
    ]);
    const { indexed, skipped } = await rag.index();
    assert.equal(skipped, 0);
    // The three ignore files, the two that are kept, and the ignored .env, whose existence is still told.
    assert.equal(indexed, 6);
    assert.deepEqual(await keyword(rag, "zebra"), ["deep/keep.tmp", "kept.txt"]);
    assert.deepEqual(await keyword(rag, "env"), [".env", ".gitignore"]);
  });

  it("links and special files nowhere, and follows none", async () => {
    await using rag = await createRag([{ "a.txt": "alpha" }, { "b.txt": "zebra outside" }]);
    const [root = "", outside = ""] = rag.roots;
    symlinkSync(join(outside, "b.txt"), join(root, "link.txt"));
    symlinkSync(outside, join(root, "folder"));
    symlinkSync(join(outside, "b.txt"), join(root, ".env"));
    symlinkSync("/nowhere", join(root, "dangling"));
    symlinkSync(root, join(root, "loop"));
    execFileSync("mkfifo", [join(root, "pipe")]);
    assert.deepEqual(await rag.index(), { ...NOTHING, indexed: 1 });
    assert.deepEqual(await rag.search("zebra outside", { mode: "keyword" }), []);
  });

  it("documents of a root that came back empty as removed", async () => {
    await using rag = await createRag([{ "a.txt": "alpha", "b/c.txt": "beta" }]);
    await rag.index();
    const [root = ""] = rag.roots;
    rmSync(join(root, "a.txt"));
    rmSync(join(root, "b"), { recursive: true });
    assert.deepEqual(await rag.index(), { ...NOTHING, removed: 2 });
    assert.deepEqual(await rag.search("alpha beta"), []);
  });

  it("a damaged document as an error, and keeps its chunks", async () => {
    const text = "<w:t>zebra in a document</w:t>";
    const body = `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r>${text}</w:r></w:p></w:body></w:document>`;
    const types = `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`;
    const rels = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`;
    const contents = [types, rels, body];
    const docx = createZip(
      DOCX_ENTRIES.map((entry, i) => ({ ...entry, content: contents[i] ?? "" })),
    );
    await using rag = await createRag([{ "a.docx": docx }]);
    assert.deepEqual(await rag.index(), { ...NOTHING, indexed: 1 });
    const [hit] = await rag.search("zebra", { mode: "keyword" });
    assert.equal(hit?.content, "zebra in a document");
    assert.deepEqual([hit?.start_line, hit?.end_line], [null, null]);
    writeFiles(rag.roots[0] ?? "", { "a.docx": docx.subarray(0, docx.length - 30) });
    assert.deepEqual(await rag.index(), { ...NOTHING, errors: 1 });
    assert.deepEqual(await keyword(rag, "zebra"), ["a.docx"]);
    const bomb = createZip([
      ...DOCX_ENTRIES.slice(0, 2),
      { name: "word/document.xml", content: Buffer.alloc(5_000_000) },
    ]);
    writeFiles(rag.roots[0] ?? "", { "a.docx": bomb });
    assert.deepEqual(await rag.index(), { ...NOTHING, errors: 1 });
  });

  it("a PDF by its pages", async () => {
    await using rag = await createRag([
      { "a.pdf": createPdf(["zebra on the first", "okapi next"]) },
    ]);
    assert.deepEqual(await rag.index(), { ...NOTHING, indexed: 1 });
    const [first] = await rag.search("zebra", { mode: "keyword" });
    assert.match(first?.content ?? "", /zebra on the first/);
    assert.deepEqual([first?.start_line, first?.ordinal], [null, 0]);
    const [second] = await rag.search("okapi", { mode: "keyword" });
    assert.equal(second?.ordinal, 1);
    writeFiles(rag.roots[0] ?? "", { "a.pdf": "%PDF-1.4 broken" });
    assert.deepEqual(await rag.index(), { ...NOTHING, errors: 1 });
    assert.deepEqual(await keyword(rag, "zebra"), ["a.pdf"]);
  });
});

/** A PDF with one line a page. */
function createPdf(pages: string[]): string {
  const kids = pages.map((_, i) => `${4 + i * 2} 0 R`).join(" ");
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ...pages.flatMap((text, i) => {
      const stream = `BT /F1 12 Tf 72 700 Td (${text}) Tj ET`;
      const resources = "/Resources << /Font << /F1 3 0 R >> >> /MediaBox [0 0 612 792]";
      return [
        `<< /Type /Page /Parent 2 0 R ${resources} /Contents ${5 + i * 2} 0 R >>`,
        `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
      ];
    }),
  ];
  let pdf = "%PDF-1.4\n";
  const offsets = objects.map((object, i) => {
    const at = pdf.length;
    pdf += `${i + 1} 0 obj\n${object}\nendobj\n`;
    return at;
  });
  const rows = offsets.map((at) => `${String(at).padStart(10, "0")} 00000 n \n`).join("");
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${rows}`;
  return `${pdf}${table}trailer << /Size ${size} /Root 1 0 R >>\nstartxref\n${pdf.length}\n%%EOF`;
}

describe("An index", () => {
  it("keeps the ids of chunks that an edit did not touch", async () => {
    const parts = ["one", "two", "three"].map(
      (name) => `# ${name}\n\n${`Words about ${name} that fill a line. `.repeat(32)}\n`,
    );
    await using rag = await createRag([{ "a.md": parts.join("\n") }]);
    await rag.index();
    const before = await rag.search("words", { mode: "keyword" });
    assert.equal(before.length, 3);
    parts[1] = `# changed\n\n${"Entirely other content in here. ".repeat(35)}\n`;
    writeFiles(rag.roots[0] ?? "", { "a.md": parts.join("\n") });
    await rag.index();
    const after = await rag.search("words", { mode: "keyword" });
    const idOf = (hits: typeof before, word: string) =>
      hits.find(({ content }) => content.includes(`about ${word}`))?.chunk_id;
    assert.equal(idOf(after, "one"), idOf(before, "one"));
    assert.equal(idOf(after, "three"), idOf(before, "three"));
    assert.equal(idOf(after, "two"), undefined);
  });

  it("holds no byte of a sensitive file, of a secret, or of a file that was deleted or became sensitive", async () => {
    const canary = (name: string) => `canary${name}${"qzx".repeat(3)}`;
    const many = Object.fromEntries(
      Array.from({ length: 80 }, (_, i) => [`f${i}.txt`, `filler text number ${i} with words`]),
    );
    await using rag = await createRag([
      {
        ...many,
        ".env": `PASSWORD=${canary("env")}`,
        "keys/id_rsa": canary("key"),
        "config.ts": `const key = "ghp_${canary("token")}${"a1".repeat(15)}";`,
        "deleted.md": `# ${canary("deleted")}\n${canary("deleted")} twice`,
        "moved.md": `${canary("moved")}\n\n${canary("moved")}`,
        "edited.md": `${canary("edited")}\n\n${canary("edited")}`,
      },
    ]);
    await rag.index();
    const bytes = () => sidecarBytes(rag).toString("latin1").toLowerCase();
    for (const name of ["env", "key", "token"]) assert.ok(!bytes().includes(canary(name)), name);
    for (const name of ["deleted", "moved", "edited"]) assert.ok(bytes().includes(canary(name)));
    const [root = ""] = rag.roots;
    mkdirSync(join(root, "secrets"));
    renameSync(join(root, "moved.md"), join(root, "secrets/moved.md"));
    writeFiles(root, { "deleted.md": undefined, "edited.md": "now without" });
    await rag.index();
    for (const name of ["env", "key", "token", "deleted", "moved", "edited"]) {
      assert.ok(!bytes().includes(canary(name)), name);
      for (const mode of ["keyword", "vector", "hybrid"] as const) {
        const answer = JSON.stringify(await rag.search(canary(name), { mode, limit: 50 }));
        assert.ok(!answer.includes(canary(name)), `${name} ${mode}`);
      }
    }
    assert.deepEqual(await keyword(rag, "moved"), ["secrets/moved.md"]);
  });

  it("puts a secret's redaction where the secret was, and finds the rest of the file", async () => {
    await using rag = await createRag([{ "a.ts": `connect("AKIAIOSFODNN7EXAMPLE", zebra);\n` }]);
    await rag.index();
    const [hit] = await rag.search("zebra");
    assert.equal(hit?.content, 'connect("[redacted secret]", zebra);');
    assert.equal(hit?.sensitive, undefined);
  });

  it("frees the disk space of removed documents", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 300 }, (_, i) => [
        `f${i}.txt`,
        `unique${i} ${"filler text ".repeat(80)}`,
      ]),
    );
    await using rag = await createRag([{ ...files, "stays.txt": "stays" }]);
    await rag.index();
    const before = sidecarBytes(rag).length;
    for (const path of Object.keys(files)) rmSync(join(rag.roots[0] ?? "", path));
    assert.deepEqual(await rag.index(), { ...NOTHING, unchanged: 1, removed: 300 });
    assert.ok(sidecarBytes(rag).length < before / 4);
  });
});
