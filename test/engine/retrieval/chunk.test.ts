import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { chunkText } from "../../../engine/retrieval/text/chunk.ts";
import { decodeText } from "../../../engine/retrieval/text/decode.ts";
import { kindOf } from "../../../engine/retrieval/text/kind.ts";
import { redactSecrets } from "../../../engine/retrieval/text/secrets.ts";
import { titleOf } from "../../../engine/retrieval/text/title.ts";

const line = fc.oneof(
  fc.string({ maxLength: 120 }),
  fc.constantFrom(
    "",
    "# Title",
    "## Part",
    "```",
    "---",
    "export function f() {",
    "}",
    "  return;",
  ),
  fc.string({ unit: "grapheme", minLength: 1_000, maxLength: 4_000 }),
);
const document = fc.record({
  text: fc
    .array(line, { maxLength: 120 })
    .chain((lines) => fc.constantFrom("\n", "\r\n").map((end) => lines.join(end))),
  kind: fc.constantFrom("markdown" as const, "code" as const, "text" as const),
});

describe("Chunks", () => {
  it("hold all text but blanks, in order, and nothing twice", () => {
    fc.assert(
      fc.property(document, ({ text, kind }) => {
        const whole = text.replace(/\s/g, "");
        const chunks = chunkText(text, kind).map(({ content }) => content.replace(/\s/g, ""));
        assert.equal(chunks.join(""), whole);
      }),
      { numRuns: 60 },
    );
  });

  it("are never larger than the bound, and never cut a character in two", () => {
    fc.assert(
      fc.property(document, ({ text, kind }) => {
        for (const { content } of chunkText(text, kind)) {
          assert.ok(content.length <= 2_400);
          assert.ok(content.isWellFormed() || !text.isWellFormed());
        }
      }),
      { numRuns: 60 },
    );
  });

  it("begin and end on the lines that they name", () => {
    fc.assert(
      fc.property(document, ({ text, kind }) => {
        const lines = text.split(/\r\n|\r|\n/);
        for (const { content, startLine, endLine } of chunkText(text, kind)) {
          const [first = "", ...rest] = content.split(/\r\n|\r|\n/);
          const last = rest.at(-1) ?? first;
          assert.ok(lines[(startLine ?? 0) - 1]?.includes(first));
          assert.ok(lines[(endLine ?? 0) - 1]?.includes(last));
          assert.equal((endLine ?? 0) - (startLine ?? 0), rest.length);
        }
      }),
      { numRuns: 60 },
    );
  });

  it("carry the headings above them, or the declaration around", () => {
    const part = "Words that fill the line up to its end. ".repeat(30);
    const text = `# Guide\n\n${part}\n\n## Install\n\n${part}\n\n### Linux\n\n${part}\n`;
    const headings = chunkText(text, "markdown").map(({ heading }) => heading);
    assert.deepEqual(headings, ["Guide", "Guide > Install", "Guide > Install > Linux"]);
    const body = "  const a = 1;\n".repeat(150);
    const code = chunkText(`export function first() {\n${body}}\n`, "code");
    assert.ok(code.length > 1);
    for (const { heading } of code) assert.equal(heading, "export function first() {");
  });

  it("keep a title with the one long line below it", () => {
    const text = `A title\n\n${"A sentence of the abstract. ".repeat(70)}`;
    assert.equal(chunkText(text, "text").length, 1);
  });

  it("are none where there is nothing but blanks", () => {
    for (const text of ["", "\n\n", "   \t\r\n "]) assert.deepEqual(chunkText(text, "text"), []);
  });
});

describe("Text of bytes", () => {
  it("is UTF-8, or UTF-16 with its mark; the mark is no part of it", () => {
    assert.equal(decodeText(Buffer.from("zebra é")), "zebra é");
    assert.equal(decodeText(Buffer.from("\uFEFFzebra")), "zebra");
    assert.equal(decodeText(Buffer.from("\uFEFFzebra", "utf16le")), "zebra");
    assert.equal(decodeText(Buffer.from("\uFEFFzebra", "utf16le").swap16()), "zebra");
    assert.equal(decodeText(new Uint8Array()), "");
  });

  it("is none in binary files", () => {
    const binary = [
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1]),
      Buffer.from("zebra é", "latin1"),
      Buffer.from("a\0b"),
      Buffer.from([0xff, 0xfe, 0x00, 0xd8, 0x41, 0x00]),
      Buffer.from([0xff, 0xfe, 0x41, 0x00, 0x00, 0x00]),
      Buffer.from("\x01\x02\x03\x04abc"),
      Buffer.from([0xc3]),
    ];
    for (const bytes of binary) assert.equal(decodeText(bytes), undefined, bytes.toString("hex"));
  });
});

describe("Titles", () => {
  it("are the first heading, the front matter's title or a short first line", () => {
    const cases: [string, string, string][] = [
      ["a.md", "text\n\n# Guide\n", "Guide"],
      ["a.md", '---\ntitle: "My page"\n---\n# Other\n', "My page"],
      ["a.txt", "A short line\n\nand more", "A short line"],
      ["a.txt", "only one line", ""],
      ["a.txt", `${"long ".repeat(60)}\nand more`, ""],
      ["a.ts", "// A comment\nconst a = 1;", ""],
      ["a.txt", "", ""],
    ];
    for (const [path, text, title] of cases) assert.equal(titleOf(text, kindOf(path)), title, text);
  });
});

describe("Secrets", () => {
  const key = `-----BEGIN RSA PRIVATE KEY-----\n${"MIIEabcdefgh0123456789+/\n".repeat(8)}`;
  const secrets = [
    `${key}-----END RSA PRIVATE KEY-----`,
    "-----BEGIN PRIVATE KEY-----\nMIIEvQ\n-----END PRIVATE KEY-----",
    "-----BEGIN OPENSSH PRIVATE KEY-----\nb3Blbn\n-----END OPENSSH PRIVATE KEY-----",
    "-----BEGIN PGP PRIVATE KEY BLOCK-----\n\nlQOYBF\n-----END PGP PRIVATE KEY BLOCK-----",
    "AKIAIOSFODNN7EXAMPLE",
    `ghp_${"a1B2".repeat(9)}`,
    `github_pat_${"A1b2_".repeat(6)}`,
    "xoxb-1234567890-abcdefghij",
    `sk-${"a1B2c3D4".repeat(4)}`,
    `sk-proj-${"a1B2-c3D4_".repeat(4)}`,
    `AIza${"0aB_-".repeat(7)}`,
    `eyJ${"hbGci".repeat(4)}.eyJ${"zdWIi".repeat(4)}.${"c2lnbmF0".repeat(4)}`,
  ];

  it("of known forms are redacted at any place", () => {
    for (const secret of secrets) {
      const clean = redactSecrets(`before\nconst x = "${secret}";\nafter`);
      assert.ok(clean.includes("[redacted secret]"), secret);
      for (const piece of secret.split("\n").filter((line) => !line.includes("-----"))) {
        if (piece.length > 5) assert.ok(!clean.includes(piece), secret);
      }
      assert.ok(clean.startsWith('before\nconst x = "') && clean.endsWith("\nafter"));
    }
  });

  it("keep the numbers of the lines that follow", () => {
    const text = `a\n${key}-----END RSA PRIVATE KEY-----\nlast`;
    assert.equal(redactSecrets(text).split("\n").length, text.split("\n").length);
  });

  it("without an end are redacted as far as they look like base64, in quotes too", () => {
    const quoted =
      '"-----BEGIN RSA PRIVATE KEY-----\\n" +\n  "MIIEabcd0123\\n" +\n  "QRSTuvwx4567\\n"';
    const clean = redactSecrets(quoted);
    assert.ok(!clean.includes("MIIEabcd0123") && !clean.includes("QRSTuvwx4567"), clean);
  });

  it("are not found in ordinary text", () => {
    const text = "The task-list uses sk-ip and AKIA words; eyJ.x.y and ghp_short stay.";
    assert.equal(redactSecrets(text), text);
  });
});
