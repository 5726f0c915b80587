// Slow: it takes seconds of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { DocumentReader } from "../../../engine/retrieval/documents/document-reader.ts";
import { readPdfPages } from "../../../engine/retrieval/documents/pdf.ts";
import { IndexHeartbeat } from "../../../engine/retrieval/index/index-heartbeat.ts";
import {
  chunkDocument,
  prepareDocument,
} from "../../../engine/retrieval/index/prepare-document.ts";
import { DOCUMENT_MEMORY_BYTES_MAX, DOCUMENT_READ_MS } from "../../../engine/retrieval/limits.ts";
import { systemTimers, type Timers } from "../../../shared/clock.ts";
import { MIB } from "../../../shared/units.ts";
import { pathsOf } from "../../support/engine/files.ts";
import { createRag } from "../../support/engine/retrieval.ts";
import {
  blanksTwice,
  docxOf,
  docxOfParagraphs,
  endlessText,
  healthyPdf,
  heavyPages,
  nestedForms,
  pdfOf,
} from "../../support/files/bombs.ts";
import { repeats } from "../../support/repeats.ts";
import { TestClock } from "../../support/time.ts";

// Filling the memory takes seconds: the long run fills what a document may have.
const NODES_MIB = { once: 5, long: 19 };
const MEMORY_MIB = { once: 96, long: DOCUMENT_MEMORY_BYTES_MAX / MIB };

const signal = new AbortController().signal;
const unread = {
  read: () => Promise.reject(new Error("The document was read.")),
} as unknown as DocumentReader;

// A loaded machine may need longer than the limit to fill the memory.
const timersWithoutReadLimit: Timers = {
  after: (delayMs, run) =>
    delayMs === DOCUMENT_READ_MS ? () => {} : systemTimers.after(delayMs, run),
};

async function readsHealthy(reader: DocumentReader): Promise<void> {
  const read = await reader.read({ kind: "pdf", bytes: healthyPdf("zebra") });
  const page = { text: "zebra", heading: "Page 1", kind: "text" };
  assert.deepEqual(read, { kind: "text", title: "", pages: [page] });
}

describe("A document that takes for ever", () => {
  const bombs = { "nested forms": nestedForms, "endless text": endlessText, pages: heavyPages };
  for (const [name, make] of Object.entries(bombs)) {
    it(`is aborted after 20 s, and the next one is read: ${name}`, async () => {
      const clock = new TestClock();
      using reader = new DocumentReader(clock);
      const reading = reader.read({ kind: "pdf", bytes: make() });
      let isOver = false;
      void reading.then(() => {
        isOver = true;
      });
      // A healthy document beside it is read meanwhile, so this one had its time.
      using other = new DocumentReader(timersWithoutReadLimit);
      await readsHealthy(other);
      clock.advance(19_999);
      await readsHealthy(other);
      assert.equal(isOver, false);
      clock.advance(1);
      assert.deepEqual(await reading, {
        kind: "failed",
        reason: "Reading it took more than 20 s.",
      });
      await readsHealthy(reader);
      assert.equal(clock.pendingTimers, 0);
    });
  }

  it("ends with the signal, also for those that wait behind it", async () => {
    using reader = new DocumentReader(new TestClock());
    const controller = new AbortController();
    const ask = { kind: "pdf", bytes: nestedForms() } as const;
    const reads = [reader.read(ask, controller.signal), reader.read(ask, controller.signal)];
    const refused = reads.map((read) => assert.rejects(read, /enough/));
    controller.abort(new Error("enough"));
    await Promise.all(refused);
    await readsHealthy(reader);
  });
});

describe("A document that takes all memory", () => {
  it("is aborted, whether it takes buffers or the heap", async () => {
    const mebibytes = repeats(MEMORY_MIB);
    using reader = new DocumentReader(timersWithoutReadLimit, mebibytes * MIB);
    // The larger one comes last: what the first one held is let go meanwhile, and counts for the next one.
    const nodes = await reader.read({
      kind: "docx",
      bytes: docxOfParagraphs(repeats(NODES_MIB) * MIB),
    });
    const blanks = await reader.read({ kind: "pdf", bytes: blanksTwice() });
    for (const read of [nodes, blanks]) {
      assert.equal(
        read.kind === "failed" && read.reason,
        `Reading it took more than ${mebibytes} MiB of memory.`,
      );
    }
    await readsHealthy(reader);
  });

  it("is not even unpacked where its text is over 20 MiB", async () => {
    using reader = new DocumentReader(new TestClock());
    const read = await reader.read({ kind: "docx", bytes: docxOfParagraphs(21 * MIB) });
    assert.equal(read.kind === "failed" && read.reason, "The document has more text than is read.");
  });
});

describe("Of a long document", () => {
  it("no more text is produced than is kept", async () => {
    const line = (at: number) => `1 0 0 1 10 ${100 + (at % 500)} Tm (${"word ".repeat(100)}) Tj `;
    const lines = Array.from({ length: 2_000 }, (_, at) => line(at)).join("");
    const content = { keys: "", bytes: Buffer.from(`BT /F 1 Tf ${lines} ET`) };
    const pages = await readPdfPages(pdfOf(content, 8));
    const characters = pages.reduce((sum, page) => sum + page.length, 0);
    assert.equal(characters, 4_800_000);
    assert.equal(pages.length, 5);
  });

  it("2,000 chunks are kept over all pages", () => {
    const text = `${"word ".repeat(250)}\n`.repeat(10);
    const page = { text, heading: "Page 1", kind: "text" } as const;
    const { chunks } = chunkDocument({ title: "", pages: Array.from({ length: 400 }, () => page) });
    assert.equal(chunks.length, 2_000);
    assert.equal(chunks[0]?.heading, "Page 1");
  });
});

describe("A document that failed", () => {
  it("counts as an error in each run, and its chunks stay", async () => {
    await using rag = await createRag([
      {
        "a.pdf": healthyPdf("zebra"),
        "b.docx": docxOf("<w:p><w:r><w:t>giraffe</w:t></w:r></w:p>"),
      },
    ]);
    assert.deepEqual(await rag.index(), { rootIndex: 0, ...NOTHING, indexed: 2 });
    const at = join(rag.roots[0] ?? "", "a.pdf");
    writeFileSync(at, "%PDF-1.4 broken");
    utimesSync(at, 1, 1);
    for (let run = 0; run < 2; run += 1) {
      assert.deepEqual(await rag.index(), { rootIndex: 0, ...NOTHING, unchanged: 1, errors: 1 });
    }
    assert.deepEqual(pathsOf(await rag.search("zebra", { mode: "keyword" })), ["a.pdf"]);
    writeFileSync(at, healthyPdf("okapi"));
    assert.deepEqual(await rag.index(), { rootIndex: 0, ...NOTHING, unchanged: 1, indexed: 1 });
    assert.deepEqual(pathsOf(await rag.search("okapi", { mode: "keyword" })), ["a.pdf"]);
  });

  it("is not read again while its bytes are the same", async () => {
    await using rag = await createRag([{ "a.pdf": healthyPdf("zebra") }]);
    const [realRoot = ""] = rag.roots;
    const root = { rootIndex: 0, path: realRoot };
    const reading = { root, realRoot, documents: unread, heartbeat: new IndexHeartbeat(), signal };
    const failed = hash("sha256", healthyPdf("zebra"), "buffer").subarray(0, 16);
    const before = await prepareDocument(reading, "a.pdf", { indexed: null, failed });
    assert.deepEqual(before, { kind: "failed-before" });
    const other = await prepareDocument(reading, "a.pdf", { indexed: null, failed: Buffer.of(1) });
    assert.equal(other.kind, "error");
    assert.equal(reading.heartbeat.read(), undefined);
  });
});

const NOTHING = { indexed: 0, unchanged: 0, skipped: 0, errors: 0, removed: 0 };
