// Slow: it takes seconds of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, describe, it } from "node:test";
import type { DocumentKind } from "../../../../engine/retrieval/documents/document-kind.ts";
import { DocumentReader } from "../../../../engine/retrieval/documents/document-reader.ts";
import type { DocumentRead } from "../../../../engine/retrieval/documents/document-thread.ts";
import { DOCUMENT_READ_MS } from "../../../../engine/retrieval/limits.ts";
import { systemTimers } from "../../../../shared/clock.ts";
import {
  createZip,
  epubOf,
  odtOf,
  pptxOf,
  relationshipsOf,
  rtfOf,
  shapeOf,
  xlsxOf,
} from "../../../support/files/documents.ts";
import { isLongRun, repeats } from "../../../support/repeats.ts";
import { TestClock } from "../../../support/time.ts";

const MIB = 1024 * 1024;
const TEXT_MAX = 4_800_000;

// One for all, as in a run: what a hostile document did to it, the next one would meet.
const common = new DocumentReader({
  // A busy machine needs longer than the 20 s of a document; test/engine/retrieval/documents.test.ts has that limit.
  after: (ms, run) => (ms === DOCUMENT_READ_MS ? () => {} : systemTimers.after(ms, run)),
});
after(() => common[Symbol.dispose]());

function read(kind: DocumentKind, bytes: Uint8Array): Promise<DocumentRead> {
  return common.read({ kind, bytes });
}

async function textOf(kind: DocumentKind, bytes: Uint8Array): Promise<string> {
  const answer = await read(kind, bytes);
  assert.equal(answer.kind, "text", answer.kind === "failed" ? answer.reason : "");
  return answer.kind === "text" ? answer.pages.map(({ text }) => text).join("\n\n") : "";
}

async function refuses(kind: DocumentKind, bytes: Uint8Array, reason: string): Promise<void> {
  assert.deepEqual(await read(kind, bytes), { kind: "failed", reason });
}

const HEALTHY: Readonly<Record<"xlsx" | "pptx" | "odt" | "epub", Buffer>> = {
  xlsx: xlsxOf({ S: "<row><c><v>1</v></c></row>" }),
  pptx: pptxOf([shapeOf("body", "x")]),
  odt: odtOf("<text:p>x</text:p>"),
  epub: epubOf(["<p>x</p>"]),
};

/** The formats of archives, each with a part whose name and content are given. */
const WITH_PART: Readonly<
  Record<keyof typeof HEALTHY, (part: { name: string; content: string }) => Buffer>
> = {
  xlsx: (part) => xlsxOf({ S: "" }, { more: [part] }),
  pptx: (part) => pptxOf([], [part]),
  odt: (part) => odtOf("", { more: [part] }),
  epub: (part) => epubOf([], { more: [part] }),
};

for (const [name, healthy] of Object.entries(HEALTHY)) {
  const kind = name as keyof typeof HEALTHY;
  describe(`A hostile ${kind}`, () => {
    it("that unpacks to too much is not unpacked", async () => {
      const bomb = WITH_PART[kind]({ name: "bomb.xml", content: "a".repeat(8 * MIB) });
      await refuses(kind, bomb, "The document unpacks to too much.");
    });

    it("that is cut off is refused at any place", async () => {
      for (const share of [0.1, 0.5, 0.9, 0.99]) {
        const part = healthy.subarray(0, Math.floor(healthy.length * share));
        await refuses(kind, part, "The document is damaged.");
      }
    });

    it("with names that lead out of the archive is refused", async () => {
      for (const path of ["../../etc/cron.d/x", "/etc/passwd", "C:\\x", "a/../../b"]) {
        const answer = await read(kind, WITH_PART[kind]({ name: path, content: "x" }));
        assert.equal(answer.kind, "failed", path);
      }
    });

    it("of another format is refused", async () => {
      const other = createZip([{ name: "x.txt", content: "x" }]);
      await refuses(kind, other, "The document lacks required parts.");
    });

    it("that is encrypted is refused", async () => {
      const sealed = createZip([{ name: "[Content_Types].xml", content: "x", flags: 0x801 }]);
      const answer = await read(kind, sealed);
      assert.equal(answer.kind, "failed");
    });
  });
}

describe("A document", () => {
  const compound = Buffer.from("d0cf11e0a1b11ae1".padEnd(1024, "0"), "hex");
  for (const kind of ["docx", "xlsx", "pptx"] as const) {
    it(`that a password protects is named as such: ${kind}`, async () => {
      await refuses(kind, compound, "The document is encrypted, or of an older format.");
    });
  }

  it("whose content alone is encrypted is named as such: odt", async () => {
    const sealed = odtOf("", {
      manifest: "<manifest:file-entry><manifest:encryption-data/></manifest:file-entry>",
    });
    await refuses("odt", sealed, "The document is encrypted.");
  });

  const laughs = `<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "${"&a;".repeat(1_000)}"><!ENTITY c "${"&b;".repeat(1_000)}"><!ENTITY f SYSTEM "file:///etc/passwd">]>`;
  it("cannot define entities that multiply, or that name files", async () => {
    const odt = createZip([
      { name: "META-INF/manifest.xml", content: "<m/>" },
      { name: "content.xml", content: `<?xml version="1.0"?>${laughs}<text:p>&c;&f;x</text:p>` },
    ]);
    assert.equal(await textOf("odt", odt), "&c;&f;x");
    const page = Buffer.from(`<?xml version="1.0"?>${laughs}<p>&c;&f;x</p>`);
    assert.equal((await textOf("html", page)).split("\n").at(-1), "&c;&f;x");
  });

  const deep = (tag: string, count: number) => `<${tag}>`.repeat(count);
  for (const [kind, bytes] of [
    ["html", Buffer.from(deep("b", 300_000))],
    ["odt", odtOf(Array.from({ length: 6_000 }, (_, at) => `<text:section n="${at}">`).join(""))],
    ["rtf", rtfOf("{".repeat(1_000_000))],
  ] as const) {
    it(`nested too deeply is refused: ${kind}`, () =>
      refuses(kind, bytes, "The document is nested too deeply."));
  }

  it("is no deeper than its limit where tags are closed, and reads quickly", async () => {
    const text = await textOf("html", Buffer.from("<form></b></i>x".repeat(66_000)));
    assert.equal(text.length, 66_000);
  });

  it("never fetches what it refers to", async () => {
    let asked = 0;
    const server = createServer((_, response) => {
      asked += 1;
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as { port: number };
    const away = `http://127.0.0.1:${port}/x`;
    const external = relationshipsOf("ppt/slides/slide0.xml", [
      { id: "n", type: "notesSlide", target: away, mode: "External" },
      { id: "m", type: "notesSlide", target: away },
      { id: "o", type: "notesSlide", target: "../../../../../etc/passwd" },
    ]);
    const page = `<link rel=stylesheet href="${away}"><script src="${away}"></script><img src="${away}"><iframe src="${away}"></iframe>x`;
    assert.equal(await textOf("pptx", pptxOf([shapeOf("body", "x")], [external])), "Slide 1\nx");
    assert.equal(await textOf("html", Buffer.from(page)), "x");
    assert.equal(await textOf("epub", epubOf([page])), "x");
    assert.equal(await textOf("rtf", rtfOf(`{\\field{\\*\\fldinst INCLUDETEXT "${away}"}}x`)), "x");
    server.close();
    assert.equal(asked, 0);
  });

  it("may have macros, which nothing reads", async () => {
    const more = [{ name: "xl/vbaProject.bin", content: "Sub AutoOpen()" }];
    assert.equal(
      await textOf("xlsx", xlsxOf({ S: "<row><c><v>1</v></c></row>" }, { more })),
      "S\n1",
    );
  });
});

describe("Of a huge document no more text is produced than is kept", () => {
  it("in a sheet of very many cells", async () => {
    // A million in a long run; in a short one as much text in fewer.
    const count = repeats({ once: 1_500, long: 10_000 });
    const rest = isLongRun ? "" : " more than".repeat(3);
    const row = (at: number) =>
      `<row r="${at}">${Array.from({ length: 100 }, (_, i) => `<c><v>${(at * 7919 + i * 104_729) % 99_991}${rest}</v></c>`).join("")}</row>`;
    const rows = Array.from({ length: count }, (_, at) => row(at)).join("");
    const text = await textOf("xlsx", xlsxOf({ S: rows }));
    assert.equal(text.length <= TEXT_MAX, true);
    assert.equal(text.length > TEXT_MAX * 0.95, true);
  });

  it("in cells that share one long text", async () => {
    const words = Array.from({ length: 50_000 }, (_, at) => (at * 7919) % 99_991).join(" ");
    const shared = `<si><t>${words}</t></si>`;
    const rows = Array.from(
      { length: 20_000 },
      (_, at) => `<row r="${at}"><c t="s"><v>0</v></c></row>`,
    );
    const text = await textOf("xlsx", xlsxOf({ S: rows.join("") }, { shared }));
    assert.equal(text.length <= TEXT_MAX, true);
    assert.equal((text.split("\n")[1]?.length ?? 0) <= 32_767, true);
    assert.equal(text.length > TEXT_MAX * 0.95, true);
  });

  it("in blanks that one element stands for", async () => {
    const text = await textOf("odt", odtOf('<text:p>a<text:s text:c="1000000000"/>b</text:p>'));
    assert.equal(text, "a b");
  });

  it("in slides, and in chapters", async () => {
    const long = Array.from({ length: 120_000 }, (_, at) => `word ${at * 7919}`).join(" ");
    assert.equal(
      (await textOf("pptx", pptxOf([1, 2, 3, 4, 5].map(() => shapeOf("body", long))))).length <=
        TEXT_MAX + 100,
      true,
    );
    assert.equal(
      (await textOf("epub", epubOf([1, 2, 3, 4, 5].map(() => `<p>${long}</p>`)))).length <=
        TEXT_MAX + 100,
      true,
    );
  });

  it("in twenty megabytes of pictures", async () => {
    const text = await textOf("rtf", rtfOf(`{\\pict ${"0123456789abcdef\n".repeat(1_100_000)}}x`));
    assert.equal(text, "x");
  });
});

it("a document that never ends is aborted like any other, and the next one is read", async () => {
  const clock = new TestClock();
  using reader = new DocumentReader(clock);
  const controller = new AbortController();
  const rows = "<row><c><v></v></c></row>".repeat(100_000);
  const endless = reader.read(
    { kind: "xlsx", bytes: xlsxOf({ S: rows.replace("<v>", `<v>${Math.PI}`) }) },
    controller.signal,
  );
  const refused = assert.rejects(endless, /enough/);
  controller.abort(new Error("enough"));
  await refused;
  const next = await reader.read({ kind: "rtf", bytes: rtfOf("x") });
  assert.equal(next.kind, "text");
});
