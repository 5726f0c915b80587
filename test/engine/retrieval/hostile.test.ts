// Slow: it takes seconds of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import fc from "fast-check";
import { anyText } from "../../support/arbitraries.ts";
import { expect200, pathsOf } from "../../support/engine/files.ts";
import { createRag, type Rag } from "../../support/engine/retrieval.ts";
import { repeats } from "../../support/repeats.ts";

const FILES = { "a.md": "# Guide\n\nThe cache is refreshed.", "b.ts": "const userName = 1;" };
const MODES = ["keyword", "vector", "hybrid"] as const;

const SYNTAX = `
  " "" ''' " OR " NEAR(a b) NEAR/2 a* *a ^a a:b path:a {path title}:a -a +a a+b a.b (a (a)) a) AND OR NOT a AND NOT b
  "a" * "a"* a"b 'a'; DROP TABLE chunk;-- ' OR 1=1 -- %00 \\ \\" \\x00 [a] {a} <a> $1 ?1 :a @a #a a;b a|b a&b ~a !a a/b
  rowid chunk_fts rank bm25(chunk_fts) MATCH LIKE GLOB NULL true 0x00 1e999 -0 NaN
`;

const QUERIES = [
  ...SYNTAX.trim().split(/\s+/),
  SYNTAX,
  "a\0b",
  "\0",
  "\uFEFF",
  "\u202Eabc",
  "\uD800",
  "a\uDFFFb",
  "🫠👨‍👩‍👧‍👦",
  "e\u0301 é",
  "ﬁ ﬃ ½ ①",
  "日本語の検索 한국어 中文",
  "مرحبا שלום ไทย हिन्दी",
  "İstanbul ß ſ ẞ",
  "a ".repeat(5_000),
  Array.from({ length: 3_000 }, (_, i) => `w${i}`).join(" "),
  "x".repeat(200_000),
  '"'.repeat(1_000),
  '"a b" '.repeat(500),
  "(".repeat(1_000),
  "aB".repeat(5_000),
  "a1".repeat(5_000),
  "_".repeat(1_000),
  "\u0301".repeat(1_000),
];

async function status(rag: Rag, query: string, mode: string): Promise<number> {
  return (await rag.call("POST", "/search", { query, mode, limit: 50 })).status;
}

describe("A hostile query", () => {
  it("is answered with 200 for every syntax", async () => {
    await using rag = await createRag([FILES]);
    await rag.index();
    for (const query of QUERIES) {
      for (const mode of MODES)
        assert.equal(await status(rag, query, mode), 200, query.slice(0, 80));
    }
    assert.deepEqual(pathsOf(await rag.search("cache", { mode: "keyword" })), ["a.md"]);
  });

  it("of any characters is answered with 200", async () => {
    await using rag = await createRag([FILES]);
    await rag.index();
    const query = fc.oneof(
      anyText({ minLength: 1, maxLength: 60 }),
      fc.string({ unit: "grapheme", minLength: 1, maxLength: 60 }),
      fc
        .array(fc.constantFrom(...SYNTAX.trim().split(/\s+/)), { minLength: 1 })
        .map((all) => all.join(" ")),
    );
    await fc.assert(
      fc.asyncProperty(query, fc.constantFrom(...MODES), async (text, mode) => {
        assert.equal(await status(rag, text, mode), 200);
      }),
      { numRuns: repeats({ once: 25, long: 3_000 }) },
    );
  });
});

describe("Hostile files", () => {
  const names = [
    ...'con nul aux .. a\\b a:b a*b a?b a"b a<b>c a|b a;b a&b $(x) `x` ~ -rf --help %2e%2e #x !x'.split(
      " ",
    ),
    ...[
      "a b",
      " lead",
      "trail ",
      "tab\tname",
      "line\nname",
      "cr\rname",
      "\x1b[31m",
      "'quote'",
      "é",
      "e\u0301",
    ],
    ...["日本語", "🫠", "\u202Egnp.txt", "\u200B", "\uFEFFbom", "x".repeat(255), "..."],
    ...[
      "__proto__",
      "constructor",
      "toString",
      "index.db",
      "sidecar.db",
      ".gitignore.txt",
      "a.",
      "[a]",
      "{a}",
    ],
  ].filter((name) => name !== "..");

  it("are found by their content under any name", async () => {
    await using rag = await createRag([{}]);
    const [root = ""] = rag.roots;
    const written = names.filter((name) => {
      try {
        writeFileSync(join(root, name), `zebra content of ${names.indexOf(name)}`);
        return true;
      } catch {
        return false;
      }
    });
    const { indexed, errors } = await rag.index();
    assert.deepEqual([indexed, errors], [written.length, 0]);
    const found = pathsOf(await rag.search("zebra", { mode: "keyword", limit: 50 }));
    assert.deepEqual(found.toSorted(), written.toSorted());
    assert.equal((await rag.index()).unchanged, written.length);
  });

  it("with a name that is no UTF-8 are skipped", async () => {
    await using rag = await createRag([FILES]);
    const prefix = Buffer.from(`${rag.roots[0]}/bad-`);
    writeFileSync(Buffer.concat([prefix, Buffer.from([0xff, 0xfe])]), "zebra");
    const { indexed, skipped, errors } = await rag.index();
    assert.deepEqual([indexed, skipped, errors], [2, 1, 0]);
  });

  it("of any bytes never fail the run", async () => {
    await using rag = await createRag([{}]);
    const [root = ""] = rag.roots;
    const content = fc.oneof(
      fc.uint8Array({ maxLength: 400 }),
      anyText({ maxLength: 400 }).map((text) => Buffer.from(text)),
      anyText({ maxLength: 200 }).map((text) => Buffer.from(`\uFEFF${text}`, "utf16le")),
      fc
        .constantFrom("%PDF-1.4", "PK\x03\x04", "---\ntitle:", "```", "\r\r\n\n\r", "<script>")
        .map((t) => Buffer.from(t)),
    );
    const extension = fc.constantFrom(
      "txt",
      "md",
      "ts",
      "py",
      "pdf",
      "docx",
      "json",
      "js",
      "bin",
      "gitignore",
    );
    const files = fc.array(fc.tuple(content, extension), { minLength: 20, maxLength: 40 });
    let count = 0;
    await fc.assert(
      fc.asyncProperty(files, async (all) => {
        for (const [bytes, ending] of all)
          writeFileSync(join(root, `f${count++}.${ending}`), bytes);
        const { indexed, unchanged, skipped, errors } = await rag.index();
        assert.ok(indexed + unchanged + skipped + errors <= count);
        for (const mode of MODES) await rag.search("zebra content", { mode });
      }),
      { numRuns: repeats({ once: 5, long: 300 }) },
    );
  });

  it("that are deep, many or endless in one line are taken in", async () => {
    await using rag = await createRag([{}]);
    const [root = ""] = rag.roots;
    const deep = join(root, ...Array.from({ length: 70 }, () => "d"));
    mkdirSync(deep, { recursive: true });
    writeFileSync(join(deep, "too-deep.txt"), "zebra");
    writeFileSync(join(root, "d/d/reachable.txt"), "zebra");
    writeFileSync(join(root, "long.txt"), `zebra ${"word".repeat(200_000)}`);
    writeFileSync(join(root, "breaks.txt"), `zebra${"\n".repeat(500_000)}end`);
    writeFileSync(join(root, "parens.md"), "# ".repeat(100_000));
    writeFileSync(join(root, "signs.md"), "[".repeat(300_000));
    writeFileSync(join(root, "begin.txt"), "-----BEGIN PRIVATE KEY-----".repeat(20_000));
    const { errors } = await rag.index();
    assert.equal(errors, 0);
    const found = new Set(pathsOf(await rag.search("zebra", { mode: "keyword", limit: 50 })));
    assert.ok(found.has("d/d/reachable.txt") && found.has("long.txt") && found.has("breaks.txt"));
    assert.ok(![...found].some((path) => path.endsWith("too-deep.txt")));
  });

  it("that cannot be read count as errors, and their chunks stay", async (t) => {
    if (process.getuid?.() === 0) {
      t.diagnostic("The account may read everything: nothing to see here.");
      return;
    }
    await using rag = await createRag([{ ...FILES, "closed/c.txt": "zebra", "d.txt": "okapi" }]);
    await rag.index();
    const [root = ""] = rag.roots;
    chmodSync(join(root, "closed"), 0);
    writeFileSync(join(root, "d.txt"), "okapi changed");
    chmodSync(join(root, "d.txt"), 0);
    try {
      const { errors, removed } = await rag.index();
      assert.deepEqual([errors, removed], [2, 0]);
      const found = pathsOf(await rag.search("zebra okapi", { mode: "keyword" }));
      assert.deepEqual(found.toSorted(), ["closed/c.txt", "d.txt"]);
    } finally {
      chmodSync(join(root, "closed"), 0o700);
    }
  });
});

describe("Hostile requests", () => {
  it("to any retrieval path are never answered with a server's fault", async () => {
    await using rag = await createRag([FILES]);
    const segment = fc.oneof(
      fc.constantFrom("0", "1", "-1", "x", "1e9", "%00", "..%2f", "٣", "999999999999999999999"),
      fc.string({ maxLength: 12 }).map(encodeURIComponent),
    );
    const body = fc.oneof(anyText({ maxLength: 80 }), fc.json());
    await fc.assert(
      fc.asyncProperty(segment, body, async (root, text) => {
        for (const path of [`/roots/${root}/index`, "/search"]) {
          const { status } = await rag.call("POST", path, text);
          assert.ok(status < 500, `${path} ${status} ${text}`);
        }
      }),
      { numRuns: repeats({ once: 20, long: 2_000 }) },
    );
    await expect200(await rag.call("POST", "/index"));
  });
});
